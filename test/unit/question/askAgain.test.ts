import { countTimes, isDueAgain } from '../../../nodes/MessagingGateway/question/askAgain';
import type { Question } from '../../../nodes/MessagingGateway/question/question';
import { makeEvent } from '../trigger/event';

const UNTIL = Date.now() + 60_000;

function makeQuestion(webhookId: string, until = UNTIL): Question {
	return {
		type: 'choice',
		labels: ['Red', 'Blue'],
		webhookId,
		secret: 'whsec_',
		until,
		to: '5511987654321',
		messageId: 'ASKED',
		askedAt: 0,
		requireQuote: false,
		isReview: false,
		askAgain: { text: 'A number, please.', maxAttempts: 2 },
	};
}

/** Whether each of these events asks the person again, where the URL of the question's webhook says how often that was before. */
function ask(question: Question, ids: string[], kept = 0): boolean[] {
	return ids.map((id) => {
		const again = countTimes(question, kept);
		const note = { to: question.to, until: question.until, again };
		return isDueAgain(question, note, makeEvent({ id }));
	});
}

it('asks again as often as wanted, once for each message', () => {
	const question = makeQuestion('wh_1');
	expect(ask(question, ['a', 'a', 'b', 'a', 'c', 'b'])).toEqual([
		true,
		false,
		true,
		false,
		false,
		false,
	]);
});

it('counts on from what the URL says, and from what it knows better', () => {
	const question = makeQuestion('wh_2');
	expect(ask(question, ['a'], 1)).toEqual([true]);
	expect(countTimes(question, 0)).toBe(2);
	expect(ask(question, ['b'], 0)).toEqual([false]);
	expect(ask(makeQuestion('wh_3'), ['a'], 2)).toEqual([false]);
});

it('knows a question from another under the same ID', () => {
	expect(ask(makeQuestion('wh_4'), ['a', 'b'])).toEqual([true, true]);
	expect(ask(makeQuestion('wh_4', UNTIL + 1), ['a'])).toEqual([true]);
});

it('asks nobody again where that is not wanted', () => {
	expect(ask({ ...makeQuestion('wh_5'), askAgain: undefined }, ['a'])).toEqual([false]);
});
