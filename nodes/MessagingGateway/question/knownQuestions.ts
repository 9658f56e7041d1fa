import type { GatewayEvent } from '../incoming/event';
import { evictOldest, sharedMap } from '../processState';
import type { ChatLocation, KnownQuestion, Question } from './question';
import { readAnswer } from './readAnswer';

const MAX_KNOWN = 200;

/** By webhook ID. */
const knownQuestions = sharedMap<KnownQuestion>('questions 3');

/** Remembers a question, and adds to its location. */
export function rememberQuestion(question: Question, location: ChatLocation): KnownQuestion {
	const known = knownQuestions.get(question.webhookId) ?? { question, location };
	Object.assign(known, { question, location: { ...known.location, ...location } });
	knownQuestions.set(question.webhookId, known);
	evictOldest(knownQuestions, MAX_KNOWN);
	return known;
}

/** Claims a message as the answer to an open question, or as the one unclear message after which it lists its labels. */
export function takeAnswer(event: GatewayEvent): boolean {
	return [...knownQuestions.values()].some((known) => {
		if (known.answeredBy === event.id || known.unclearBy === event.id) return true;
		if (known.answeredBy !== undefined || known.question.until < Date.now()) return false;
		const answer = readAnswer(known, event);
		if (answer === undefined) return false;
		if (answer === 'unclear') return (known.unclearBy ??= event.id) === event.id;
		known.answeredBy = event.id;
		return true;
	});
}
