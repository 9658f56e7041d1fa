import type { IWebhookFunctions } from 'n8n-workflow';
import { openGateway } from '../gateway/call';
import type { GatewayEvent } from '../incoming/event';
import { evictOldest, sharedMap } from '../processState';
import { isOver } from './knock';
import { accountOf, type KnownQuestion, type Listing } from './question';
import { findRivals, readAnswer } from './readAnswer';

const MAX_KNOWN = 200;

/** By webhook ID. */
const knownQuestions = sharedMap<KnownQuestion>('questions 4');

/** Remembers a question, and adds to its listing. */
export function rememberQuestion({ question, listing, url }: KnownQuestion): KnownQuestion {
	const known = knownQuestions.get(question.webhookId) ?? { question, listing, url };
	Object.assign(known, { question, url, listing: { ...known.listing, ...listing } });
	knownQuestions.set(question.webhookId, known);
	evictOldest(knownQuestions, MAX_KNOWN);
	return known;
}

/** The events whose answers n8n has gone on with, by webhook ID. */
export function answersHere(): Map<string, string | undefined> {
	const answered = [...knownQuestions].filter(([, { isAnswered }]) => isAnswered);
	return new Map(answered.map(([id, { answeredBy }]) => [id, answeredBy]));
}

/**
 * Takes a message from the trigger if it answers an open question of the same account, or makes it list its labels again. If n8n
 * says that the question no longer waits, the question is forgotten.
 */
export async function takeAnswer(
	context: IWebhookFunctions,
	event: GatewayEvent,
): Promise<boolean> {
	const all = [...knownQuestions.values()];
	if (all.some((known) => [known.answeredBy, known.unclearBy].includes(event.id))) return true;
	const concerned = all.filter((known) => !known.answeredBy && readAnswer(known, event));
	concerned.sort(({ listing: one }, { listing: other }) => other.openedAt - one.openedAt);
	for (const known of concerned) {
		const answer = readAnswer(known, event);
		const claim = answer === 'unclear' ? 'unclearBy' : 'answeredBy';
		if (answer === undefined || known[claim] !== undefined) continue;
		if (findRivals(known, event, answer, listRivals(known)).length > 0) continue;
		const account = await openGateway(context, 'account').catch(() => undefined);
		if (account === undefined || accountOf(account) !== known.question.account) continue;
		const over = await isOver(context, known.url);
		if (over && known[claim] === undefined) knownQuestions.delete(known.question.webhookId);
		else if ((known[claim] ??= event.id) === event.id) return true;
	}
	return false;
}

function listRivals(known: KnownQuestion): Listing[] {
	const { account } = known.question;
	return [...knownQuestions.values()]
		.filter((other) => other !== known && !other.answeredBy && other.question.account === account)
		.map(({ listing }) => listing);
}
