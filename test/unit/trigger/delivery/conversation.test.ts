import {
	combine,
	combineMessages,
	conversationOf,
	messagesIn,
} from '../../../../nodes/MessagingGateway/trigger/delivery/conversation';
import type { Settlement } from '../../../../nodes/MessagingGateway/webhooks/http';
import { makeEvent } from '../event';

const message = (data: object, change: object = {}) =>
	makeEvent({ type: 'MESSAGE.RECEIVED', instanceId: 'inst', ...change, data: data as never });
const person = { chat: { id: 'ana@lid', type: 'CONTACT' }, sender: { id: 'ana@lid' } };
const inGroup = (sender: object) => ({ chat: { id: 'f@g.us', type: 'GROUP' }, sender });
const status = (id: string) => ({ chat: { id: 'status', type: 'STATUS' }, sender: { id } });

it.each([
	['two messages of one person', message(person), message(person)],
	['a person whose sender is told only once', message(person), message({ chat: person.chat })],
	['two of one member of a group', message(inGroup({ id: 'a' })), message(inGroup({ id: 'a' }))],
])('takes for one conversation %s', (_what, one, other) => {
	expect(conversationOf(one)).toBe(conversationOf(other));
	expect(conversationOf(one)).toBeDefined();
});

it.each([
	['two persons', message(person), message({ chat: { id: 'bruno@lid' } })],
	['two numbers', message(person), message(person, { instanceId: 'other' })],
	['two members of a group', message(inGroup({ id: 'a' })), message(inGroup({ id: 'b' }))],
	[
		'two members known by their phone only',
		message(inGroup({ phone: '1' })),
		message(inGroup({ phone: '2' })),
	],
	['two contacts who post a status', message(status('a')), message(status('b'))],
])('keeps apart %s', (_what, one, other) => {
	expect(conversationOf(one)).not.toBe(conversationOf(other));
});

it.each([
	['what the number sent', message(person, { type: 'MESSAGE.SENT' })],
	['a message without a chat', message({ text: 'Hi' })],
	['a chat without an id', message({ chat: { type: 'CONTACT' } })],
	['an event of another type', makeEvent({ type: 'CONNECTION.UPDATED' })],
])('takes for no conversation %s', (_what, event) => {
	expect(conversationOf(event)).toBeUndefined();
});

describe.each(['raw', 'simplified'] as const)('combined as %s', (output) => {
	const id = output === 'raw' ? 'id' : 'eventId';

	it('gives its messages back', () => {
		const messages = [{ [id]: 'evt_1' }, { [id]: 'evt_2' }];
		expect(messagesIn(combineMessages(messages, output))).toEqual(messages);
	});

	it('has an empty text where nobody wrote one', () => {
		const [text] = output === 'raw' ? ['allText'] : ['text'];
		expect(combineMessages([{ [id]: 'evt_1' }], output)[text]).toBe('');
	});
});

it('covers no field of the gateway in the envelope', () => {
	const last = { id: 'evt', data: { text: 'Hi' }, allText: 'theirs', messages: ['theirs'] };
	expect(combineMessages([last], 'raw')).toEqual(last);
});

describe('what was said in a turn', () => {
	/** Three messages that came in another order than they were written. */
	function say() {
		const done: string[] = [];
		const said = [3, 1, 2].map((second) => ({
			ids: [`evt_${second}`],
			entry: {
				item: { json: { eventId: `evt_${second}`, text: `at ${second}` } },
				time: second * 1_000,
			},
			settle: (settlement: Settlement): Settlement => {
				done.push(`${second} ${settlement}`);
				return second === 2 ? 'deferred' : settlement;
			},
		}));
		return { done, together: combine({ said, end: () => done.push('end') }, 'simplified') };
	}

	it('is in the order in which it was written', () => {
		const { ids, entry } = say().together;
		expect(entry.item.json).toMatchObject({ text: 'at 1\nat 2\nat 3', eventId: 'evt_3' });
		expect(entry.time).toBe(3_000);
		expect(ids).toEqual(['evt_3', 'evt_1', 'evt_2']);
	});

	it('is settled together, which ends the turn; the last to come tells what its delivery is answered', () => {
		const { done, together } = say();
		expect(together.settle('accepted')).toBe('deferred');
		expect(done).toEqual(['3 accepted', '1 accepted', '2 accepted', 'end']);
	});
});

it.each([
	['no messages', undefined],
	['an empty list', []],
	['messages of the gateway’s own', [{ id: 'evt_other' }]],
	['something else', 'text'],
])('takes an event with %s for itself', (_what, messages) => {
	const json = { id: 'evt_1', ...(messages !== undefined && { messages }) };
	expect(messagesIn(json)).toEqual([json]);
});
