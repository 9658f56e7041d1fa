import type { GatewayEvent } from '../deliveries/event';
import { evictOldest, sharedMap } from '../processState';
import type { ChatLocation, Question } from './question';
import { readAnswer } from './readAnswer';

const MAX_KNOWN = 200;

/** A question that this process has asked, or received a delivery for. */
export interface KnownQuestion {
	question: Question;
	location: ChatLocation;
	/** ID of the event that answers the question. */
	answeredBy?: string;
	/** ID of the event after which the labels are listed once more. */
	unclearBy?: string;
	isListedAgain?: boolean;
}

/** By webhook ID. */
const knownQuestions = sharedMap<KnownQuestion>('questions 2');

/** Remembers a question, and adds to its location. */
export function rememberQuestion(question: Question, location: ChatLocation): KnownQuestion {
	const known = knownQuestions.get(question.webhookId) ?? { question, location };
	Object.assign(known, { question, location: { ...known.location, ...location } });
	knownQuestions.set(question.webhookId, known);
	evictOldest(knownQuestions, MAX_KNOWN);
	return known;
}

/**
 * Whether a message answers a question that this process knows, or makes the question list its labels once more. It remembers one
 * message of each kind: a question whose execution was stopped keeps no others from the trigger.
 */
export function answersKnownQuestion(event: GatewayEvent): boolean {
	return [...knownQuestions.values()].some((known) => {
		if (known.answeredBy === event.id || known.unclearBy === event.id) return true;
		if (known.answeredBy !== undefined || known.question.until < Date.now()) return false;
		const answer = readAnswer(known.question, known.location, event);
		if (answer === undefined) return false;
		if (answer === 'unclear') return (known.unclearBy ??= event.id) === event.id;
		known.answeredBy = event.id;
		return true;
	});
}
