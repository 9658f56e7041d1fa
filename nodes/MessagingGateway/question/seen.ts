import { dropOldest, sharedMap } from '../processState';
import type { GatewayEvent } from '../webhooks/event';
import type { Place, Question } from './question';
import { readAnswer } from './readAnswer';

const MAX_SEEN = 200;

/** A question that this process has asked, or received a delivery for. */
export interface SeenQuestion {
	question: Question;
	place: Place;
	/** ID of the event that answers the question. */
	answeredBy?: string;
	/** ID of the event after which the labels are listed once more. */
	unclearBy?: string;
	isListedAgain?: boolean;
}

/** By webhook ID. */
const seenQuestions = sharedMap<SeenQuestion>('questions 1');

/** Notes a question, and adds to its place. */
export function noteSeen(question: Question, place: Place): SeenQuestion {
	const { webhookId } = question;
	const known = seenQuestions.get(webhookId);
	const seen = { ...known, question, place: { ...known?.place, ...place } };
	const kept = known ? Object.assign(known, seen) : seen;
	seenQuestions.set(webhookId, kept);
	dropOldest(seenQuestions, MAX_SEEN);
	return kept;
}

/**
 * Whether a message answers a question that this process has seen, or makes it list its labels once more: one message each.
 * So a question whose execution was stopped takes one message at most from the trigger.
 */
export function isAnswerHere(event: GatewayEvent): boolean {
	return [...seenQuestions.values()].some((seen) => {
		if (seen.answeredBy === event.id || seen.unclearBy === event.id) return true;
		if (seen.answeredBy !== undefined || seen.question.until < Date.now()) return false;
		const answer = readAnswer(seen.question, seen.place, event);
		if (answer === undefined) return false;
		if (answer === 'unclear') return (seen.unclearBy ??= event.id) === event.id;
		seen.answeredBy = event.id;
		return true;
	});
}
