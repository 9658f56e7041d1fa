import type { IWebhookFunctions } from 'n8n-workflow';
import { openGateway } from '../gateway/call';
import type { GatewayEvent } from '../incoming/event';
import { evictOldest, sharedMap } from '../processState';
import { isOver } from './openWebhook';
import { accountOf, type KnownQuestion } from './question';
import { findRivals, readAnswer } from './readAnswer';

const MAX_KNOWN = 200;

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

/** Takes a message from the trigger if a question of its account takes it, and still waits. */
export async function takeAnswer(context: IWebhookFunctions, event: GatewayEvent) {
	const all = [...knownQuestions.values()];
	if (all.some(({ takenBy, unclearBy }) => [takenBy, unclearBy].includes(event.id))) return true;
	if (!all.some((known) => !known.takenBy && readAnswer(known, event))) return false;
	const account = await openGateway(context, 'account').catch(() => undefined);
	const own = account && accountOf(account);
	const ofAccount = all.filter(({ question }) => question.account === own);
	ofAccount.sort(({ listing: one }, { listing: other }) => other.openedAt - one.openedAt);
	const waiting = new Set(ofAccount);
	for (const known of waiting) {
		const answer = readAnswer(known, event);
		const claim = answer === 'unclear' ? 'unclearBy' : 'takenBy';
		if (answer === undefined || (known.takenBy ?? known[claim]) !== undefined) continue;
		const others = [...waiting].filter((other) => other !== known && !other.takenBy);
		const listings = others.map(({ listing }) => listing);
		if (findRivals(known, event, answer, listings).length > 0) continue;
		const over = await isOver(context, known.url);
		if (over && known[claim] === undefined) {
			knownQuestions.delete(known.question.webhookId);
			waiting.delete(known);
		} else if ((known[claim] ??= event.id) === event.id) return true;
	}
	return false;
}
