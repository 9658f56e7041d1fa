import type { IWebhookFunctions } from 'n8n-workflow';
import { openGateway } from '../gateway/call';
import type { GatewayEvent } from '../incoming/event';
import { evictOldest, sharedMap } from '../n8n/processState';
import { isOver } from './openWebhook';
import { accountOf, type KnownQuestion } from './question';
import { findRivals, readAnswer } from './readAnswer';

const MAX_KNOWN = 200;
/** The second of two messages is deferred until the first has answered, or so long. */
const CLAIMED_FOR_MS = 30_000;

const knownQuestions = sharedMap<KnownQuestion>('questions 5');

/** Remembers a question, and adds to its listing. */
export function rememberQuestion({ question, listing, url }: KnownQuestion): KnownQuestion {
	const known = knownQuestions.get(question.webhookId) ?? { question, listing, url };
	Object.assign(known, { question, url, listing: { ...known.listing, ...listing } });
	knownQuestions.set(question.webhookId, known);
	evictOldest(knownQuestions, MAX_KNOWN);
	return known;
}

/** Fingerprints of the events that have answered questions, by webhook ID. */
export function answersHere(): Map<string, string | undefined> {
	const answered = [...knownQuestions].filter(([, { listing }]) => listing.answeredBy);
	return new Map(answered.map(([id, { listing }]) => [id, listing.answeredBy]));
}

/** The event that has answered a question, or is claimed for that at the moment. */
function takerOf({ takenBy, takenAt = 0, listing }: KnownQuestion): string | undefined {
	const isValid = listing.answeredBy !== undefined || Date.now() - takenAt < CLAIMED_FOR_MS;
	return isValid ? takenBy : undefined;
}

/** Claims an event as the answer to a question; false if another one is claimed, or has answered. */
export function claim(known: KnownQuestion, event: GatewayEvent): boolean {
	if (isClaimed(known.question.webhookId, event)) return false;
	Object.assign(known, { takenBy: event.id, takenAt: Date.now() });
	return true;
}

/** Whether another event answers a question at the moment. */
export function isClaimed(webhookId: string, event: GatewayEvent): boolean {
	const known = knownQuestions.get(webhookId);
	return known !== undefined && (takerOf(known) ?? event.id) !== event.id;
}

/** Lets other events answer a question again, unless the event has answered it. */
export function release(known: KnownQuestion, event: GatewayEvent): void {
	if (known.takenBy === event.id && !known.listing.answeredBy) known.takenBy = undefined;
}

/** Takes a message from the trigger if a question of its account takes it, and still waits. */
export async function takeAnswer(
	context: IWebhookFunctions,
	event: GatewayEvent,
): Promise<boolean> {
	const all = [...knownQuestions.values()];
	if (all.some((known) => [takerOf(known), known.unclearBy].includes(event.id))) return true;
	const open = all.filter((known) => takerOf(known) === undefined);
	if (!open.some((known) => readAnswer(known, event))) return false;
	const account = await openGateway(context, 'account').catch(() => undefined);
	const own = account && accountOf(account);
	const waiting = open
		.filter(({ question }) => question.account === own)
		.sort(({ listing: one }, { listing: other }) => other.openedAt - one.openedAt);
	for (const known of waiting) {
		const answer = readAnswer(known, event);
		if (answer === undefined || (answer === 'unclear' && known.unclearBy !== undefined)) continue;
		const others = waiting.filter((other) => other !== known && !takerOf(other));
		const listings = others.map(({ listing }) => listing);
		if (findRivals(known, event, answer, listings).length > 0) continue;
		if ((await isOver(context, known.url)) && takerOf(known) === undefined) {
			knownQuestions.delete(known.question.webhookId);
			// It may have stood in the way of another one.
			return await takeAnswer(context, event);
		}
		if (answer !== 'unclear' && claim(known, event)) return true;
		if (answer === 'unclear' && (known.unclearBy ??= event.id) === event.id) return true;
	}
	return false;
}
