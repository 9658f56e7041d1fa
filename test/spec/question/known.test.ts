import type { GatewayEvent } from '../../../nodes/MessagingGateway/incoming/event';
import {
	dropList,
	end,
	findHolder,
	forget,
	giveBack,
	isListedForAny,
	noteList,
	remember,
	settle,
	take,
	unsettled,
	type Known,
} from '../../../nodes/MessagingGateway/question/known';
import { forgetProcess } from '../../support/receiving';

const ONE = { id: 'one' } as GatewayEvent;
const TWO = { id: 'two' } as GatewayEvent;

const know = (webhookId: string, ended: string[] = []): Known =>
	remember({ webhookId, account: 'a', ended } as never, { kind: 'other' } as never, '');

beforeEach(() => {
	forgetProcess();
	jest.useFakeTimers();
});

afterEach(() => void jest.useRealTimers());

const waitSeconds = (seconds: number) => void jest.advanceTimersByTime(seconds * 1_000);

it('remembers the newest 1,000 questions, less one in a thousand', () => {
	const ids = Array.from({ length: 1_001 }, (_, index) => `wh_${index}`);
	for (const id of ids) know(id);
	expect(unsettled('a').map(({ question }) => question.webhookId)).toEqual(ids.slice(2));
});

describe('another message', () => {
	it.each([
		{ what: 'open', steps: () => {}, takes: true },
		{ what: 'taken a moment ago', steps: (known: Known) => take(known, ONE), takes: false },
		{
			what: 'taken half a minute ago',
			steps: (known: Known) => {
				take(known, ONE);
				waitSeconds(30);
			},
			takes: true,
		},
		{
			what: 'taken, and given back',
			steps: (known: Known) => {
				take(known, ONE);
				giveBack(known, ONE);
			},
			takes: true,
		},
		{
			what: 'taken, and given back by a message that did not have it',
			steps: (known: Known) => {
				take(known, ONE);
				giveBack(known, TWO);
			},
			takes: false,
		},
		{
			what: 'answered long ago, and given back by a repeat of the answer',
			steps: (known: Known) => {
				take(known, ONE);
				settle(known, ONE);
				waitSeconds(86_400);
				giveBack(known, ONE);
			},
			takes: false,
		},
		{ what: 'ended', steps: () => end('wh'), takes: false },
		{
			what: 'ended while it was taken, and given back',
			steps: (known: Known) => {
				take(known, ONE);
				end('wh');
				giveBack(known, ONE);
			},
			takes: false,
		},
	])('takes a question that is $what: $takes', ({ steps, takes }) => {
		const known = know('wh');
		steps(known);
		expect(take(known, TWO)).toBe(takes);
	});
});

it('the message that has taken a question can take it again, also when the question is ended meanwhile', () => {
	const known = know('wh');
	take(known, ONE);
	end('wh');
	expect(take(known, ONE)).toBe(true);
	expect(findHolder('a', ONE)).toBe(known);
	settle(known, ONE);
	expect(findHolder('a', ONE)).toBe(known);
	expect(findHolder('a', TWO)).toBeUndefined();
});

it('a question that another one has ended is ended also if this process learns of it later', () => {
	know('newer', ['older']);
	expect(know('older').state).toEqual({ is: 'ended' });
	const other = know('other');
	expect(other.state).toEqual({ is: 'open' });
	know('newest', ['other']);
	expect(other.state).toEqual({ is: 'ended' });
});

it('a question that is forgotten holds no message', () => {
	const known = know('wh');
	take(known, ONE);
	forget(known);
	expect(findHolder('a', ONE)).toBeUndefined();
});

it('the lines are listed again for three messages, of which one that could not be sent does not count', () => {
	const known = know('wh');
	const messages = ['1', '2', '3', '4'].map((id) => ({ id }) as GatewayEvent);
	const list = (message: GatewayEvent): boolean => {
		const isNoted = noteList(known, message);
		for (const each of known.lists) each.isSent = true;
		return isNoted;
	};
	expect(messages.map(list)).toEqual([true, true, true, false]);
	expect(noteList(known, messages[1])).toBe(true);
	dropList(known, messages[1]);
	expect(isListedForAny('a', messages[1])).toBe(false);
	expect(noteList(known, messages[3])).toBe(true);
	expect(isListedForAny('a', messages[3])).toBe(true);
});

it('a message holds no question of another account, whose gateway may number its events alike', () => {
	const known = know('wh');
	noteList(known, TWO);
	take(known, ONE);
	expect(findHolder('a', ONE)).toBe(known);
	expect(findHolder('b', ONE)).toBeUndefined();
	expect(isListedForAny('b', TWO)).toBe(false);
});

it('a list counts when it is sent, and not if a trigger has noted it alone', () => {
	const known = know('wh');
	const messages = Array.from({ length: 9 }, (_, index) => ({ id: `${index}` }) as GatewayEvent);
	expect(messages.every((each) => noteList(known, each))).toBe(true);
});
