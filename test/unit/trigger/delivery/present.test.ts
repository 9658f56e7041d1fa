import { present } from '../../../../nodes/MessagingGateway/trigger/delivery/present';
import { inOrder } from '../../../../nodes/MessagingGateway/trigger/memory/batcher';
import { makeEvent } from '../event';

const received = makeEvent({
	data: {
		messageId: 'm1',
		chat: { id: '120@g.us', type: 'GROUP' },
		sender: { id: '55@lid', phone: '551187654321' },
		fromMe: false,
		text: 'Sim',
		quotedMessageId: 'm0',
		messageType: 'TEXT',
	},
});
const button = makeEvent({
	data: {
		messageId: 'm2',
		chat: { id: '5511987654321@s', type: 'CONTACT', phone: '5511987654321' },
		fromMe: false,
		messageType: 'BUTTON_REPLY',
		buttonReply: { id: 'yes' },
	},
});
const status = makeEvent({
	type: 'MESSAGE.STATUS_UPDATED',
	data: { messageIds: ['m1', 'm2'], status: 'READ' },
});
const banned = makeEvent({
	type: 'CONNECTION.UPDATED',
	data: { status: 'BANNED', expiresIn: 3600, reason: 'spam' },
});

describe('the envelope', () => {
	it.each([received, button, status, banned])('is untouched', (event) => {
		const before = structuredClone(event);
		expect(present(event, 'raw').item.json).toMatchObject(before);
		expect(event).toEqual(before);
	});

	it('has derived fields beside it', () => {
		const { id, type, instanceId, timestamp, data, ...derived } = present(received, 'raw').item
			.json;
		expect([id, type, instanceId, timestamp, data]).not.toContain(undefined);
		expect(derived).toEqual({
			replyTo: '120@g.us',
			isGroup: true,
			isReply: true,
			phoneKey: expect.any(String),
		});
		expect(present(status, 'raw').item.json.statusRank).toBe(3);
		expect(present(button, 'raw').item.json).toMatchObject({ isGroup: false, isReply: false });
	});

	it('has no field without a value', () => {
		expect(Object.keys(present(banned, 'raw').item.json).sort()).toEqual(
			Object.keys(banned).sort(),
		);
	});

	it('wins over a derived field of the same name', () => {
		expect(present({ ...received, replyTo: 'theirs' }, 'raw').item.json.replyTo).toBe('theirs');
	});

	it('gives both spellings of a Brazilian mobile number one key', () => {
		const withNine = makeEvent({
			data: { ...(received.data as object), sender: { id: '1', phone: '5511987654321' } },
		});
		const keys = [received, withNine].map((event) => present(event, 'raw').item.json.phoneKey);
		expect(keys[0]).toBe(keys[1]);
	});
});

it.each([
	['who wrote', { sender: { phone: '1' }, chat: { phone: '2' }, phone: '3' }, '1'],
	['whose chat it is', { sender: { id: 'x' }, chat: { phone: '2' }, phone: '3' }, '2'],
	['the number itself', { phone: '3', status: 'DISCONNECTED' }, '3'],
	['nobody', { sender: 'x', chat: {} }, undefined],
])('the key of a phone is that of %s', (_who, data, phoneKey) => {
	const event = makeEvent({ data });
	expect(present(event, 'raw').item.json.phoneKey).toBe(phoneKey);
	expect(present(event, 'simplified').item.json.phoneKey).toBe(phoneKey);
});

it.each([
	['inst_1', 'inst_1:c'],
	[undefined, 'c'],
	['', 'c'],
])('the session of instance %s is %s', (instanceId, sessionId) => {
	const event = makeEvent({ instanceId, data: { chat: { id: 'c' } } });
	expect(present(event, 'simplified').item.json.sessionId).toBe(sessionId);
});

describe('the simplified output', () => {
	it.each([received, button, status, banned])('is flat', (event) => {
		for (const value of Object.values(present(event, 'simplified').item.json)) {
			if (!Array.isArray(value)) expect(typeof value).not.toBe('object');
		}
	});

	it('speaks to AI nodes', () => {
		expect(present(received, 'simplified').item.json).toMatchObject({
			chatInput: 'Sim',
			sessionId: 'inst_1:120@g.us',
			eventId: received.id,
			chatId: '120@g.us',
			replyTo: '120@g.us',
			senderPhone: '551187654321',
			text: 'Sim',
			isGroup: true,
		});
		expect(present(button, 'simplified').item.json).toMatchObject({
			chatInput: 'yes',
			buttonId: 'yes',
		});
	});

	it('holds what the other events tell', () => {
		expect(present(status, 'simplified').item.json).toMatchObject({
			messageIds: ['m1', 'm2'],
			status: 'READ',
			statusRank: 3,
		});
		expect(present(banned, 'simplified').item.json).toMatchObject({
			status: 'BANNED',
			expiresIn: 3600,
			reason: 'spam',
		});
		expect(present(banned, 'simplified').item.json).not.toHaveProperty('chatInput');
	});

	it('begins with what was written, who wrote and where', () => {
		const columns = (event: typeof received) => Object.keys(present(event, 'simplified').item.json);
		expect(columns(received).slice(0, 5)).toEqual([
			'text',
			'senderPhone',
			'isGroup',
			'replyTo',
			'senderId',
		]);
		expect(columns(button).slice(0, 3)).toEqual(['buttonId', 'isGroup', 'replyTo']);
		expect(columns(banned).slice(0, 2)).toEqual(['status', 'reason']);
	});

	it('drops nothing that the document does not name', () => {
		const media = { url: 'https://example.com/a.jpg', mimeType: 'image/jpeg' };
		const event = makeEvent({
			apiVersion: '1.1',
			data: {
				...(received.data as object),
				chat: { id: '120@g.us', type: 'GROUP', name: 'Family' },
				sender: { id: '55@lid', pushName: 'Ana' },
				buttonReply: { id: 'yes', title: 'Yes' },
				media,
				caption: null,
			},
		});
		expect(present(event, 'simplified').item.json).toMatchObject({
			chatName: 'Family',
			senderPushName: 'Ana',
			buttonId: 'yes',
			buttonTitle: 'Yes',
			media,
			caption: null,
			apiVersion: '1.1',
		});
		expect(present(event, 'simplified').item.json).not.toHaveProperty('data');
	});

	it('keeps in data what has a name that is taken', () => {
		const taken = { type: 'LABEL', replyTo: 'theirs', chatId: 'another', data: 1 };
		const event = makeEvent({ data: { ...taken, free: 2, chat: { id: 'c' } } });
		expect(present(event, 'simplified').item.json).toMatchObject({
			type: event.type,
			replyTo: 'c',
			chatId: 'c',
			free: 2,
			data: taken,
		});
	});

	it.each([null, [], [1], 'text', 7])('passes on data that is %j', (data) => {
		const event = { ...makeEvent(), data } as unknown as typeof received;
		expect(present(event, 'simplified').item.json.data).toEqual(data);
	});

	it.each([undefined, null, [], 'text', { chat: 'text', sender: 1, text: {} }])(
		'survives data that is %j',
		(data) => {
			const event = { ...makeEvent(), data } as unknown as ReturnType<typeof makeEvent>;
			expect(present(event, 'simplified').item.json.eventId).toBe(event.id);
			expect(present(event, 'raw').item.json.id).toBe(event.id);
		},
	);
});

describe('the order of one execution', () => {
	const at = (timestamp: string, id: string) => present(makeEvent({ id, timestamp }), 'raw');

	it('is that of the timestamps, whatever zone they are written in', () => {
		const items = inOrder([
			at('2026-01-01T00:00:03Z', 'c'),
			at('2026-01-01T00:00:01.500Z', 'b'),
			at('2025-12-31T21:00:01-03:00', 'a'),
		]);
		expect(items.map(({ json }) => json.id)).toEqual(['a', 'b', 'c']);
	});

	it('is that of the arrival for events that say no time or the same', () => {
		const items = inOrder([
			at('', 'x'),
			at('no time', 'y'),
			at('2026-01-01T00:00:00Z', 'a'),
			at('2026-01-01T00:00:00Z', 'b'),
		]);
		expect(items.map(({ json }) => json.id)).toEqual(
			Date.now() > Date.parse('2026-01-01') ? ['a', 'b', 'x', 'y'] : ['x', 'y', 'a', 'b'],
		);
	});
});
