import type { GatewayEvent } from '../../../nodes/MessagingGateway/incoming/event';
import {
	answersHere,
	claim,
	release,
	rememberQuestion,
} from '../../../nodes/MessagingGateway/question/knownQuestions';

const remember = (webhookId: string, listing: object = {}) =>
	rememberQuestion({ question: { webhookId }, listing, url: '' } as never);

it('remembers the newest 200 questions', () => {
	const ids = Array.from({ length: 201 }, (_, index) => `wh_${index}`);
	for (const id of ids) remember(id, { answeredBy: 'event' });
	expect([...answersHere().keys()]).toEqual(ids.slice(1));
});

it.each([
	['claimed a moment ago', false, 29_999, undefined, false],
	['claimed half a minute ago', false, 30_000, undefined, true],
	['claimed, and released', false, 0, 'one', true],
	['claimed, and released by another message', false, 0, 'other', false],
	['answered', true, 86_400_000, undefined, false],
	['answered, and released by a repeat of the answer', true, 86_400_000, 'one', false],
])(
	'a question that was %s lets another message answer or not',
	(what, isAnswered, ms, by, isFree) => {
		jest.useFakeTimers();
		const [known, one] = [remember(`${what} ${ms}`), { id: 'one' } as GatewayEvent];
		expect([claim(known, one), claim(known, one)]).toEqual([true, true]);
		if (isAnswered) known.listing.answeredBy = 'fingerprint';
		if (by) release(known, { id: by } as GatewayEvent);
		jest.setSystemTime(Date.now() + ms);
		expect(claim(known, { id: 'other' } as GatewayEvent)).toBe(isFree);
		jest.useRealTimers();
	},
);
