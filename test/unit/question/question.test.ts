import {
	isQuestion,
	isReply,
	isUntold,
	type Place,
	type Question,
} from '../../../nodes/MessagingGateway/question/question';
import type { GatewayEvent } from '../../../nodes/MessagingGateway/webhooks/event';
import { makeEvent } from '../trigger/event';

const ASKED_AT = Date.parse('2026-11-21T12:00:00Z');
const CHAT = { id: '201894637712045@lid', type: 'CONTACT', phone: '5511987654321' };
const GROUP = { id: '120363000000000001@g.us', type: 'GROUP' };
const ANA = { id: '201894637712045@lid', phone: '5511987654321' };
const BRUNO = { id: '201894637712099@lid', phone: '5511900000002' };

const question: Question = {
	type: 'reply',
	labels: [],
	until: Date.now() + 60_000,
	webhookId: 'wh_1',
	secret: 'whsec_',
	to: '5511987654321',
	messageId: 'ASKED',
	askedAt: ASKED_AT,
	requireQuote: false,
	isReview: false,
};

function received(data: object = {}, others: Partial<GatewayEvent> = {}): GatewayEvent {
	return makeEvent({
		timestamp: '2026-11-21T12:00:01Z',
		data: {
			messageId: 'M',
			fromMe: false,
			text: 'Yes',
			messageType: 'TEXT',
			chat: CHAT,
			sender: ANA,
			...data,
		},
		...others,
	});
}

const counts = (event: GatewayEvent, change: Partial<Question> = {}, place: Place = {}) =>
	isReply({ ...question, ...change }, place, event);

describe('a reply', () => {
	it.each([
		['a phone', '5511987654321'],
		['its older spelling', '551187654321'],
		['an ID', CHAT.id],
	])('counts in the chat asked, known by %s', (_how, to) => {
		expect(counts(received(), { to })).toBe(true);
	});

	it.each([
		['another chat', { chat: { ...CHAT, id: 'other@lid', phone: '5511900000002' } }],
		['a chat with a similar ID', { chat: { id: '5511987654321x@lid', type: 'CONTACT' } }],
		['a group in which the person writes', { chat: GROUP }],
		['a status of the person', { chat: { ...CHAT, type: 'STATUS' } }],
		['no chat', { chat: undefined }],
		['the number itself', { fromMe: true, sender: undefined }],
	])('does not count from %s', (_where, data) => {
		expect(counts(received(data))).toBe(false);
	});

	it.each(['MESSAGE.SENT', 'MESSAGE.STATUS_UPDATED', 'MESSAGE.EDITED'])('is no %s', (type) => {
		expect(counts(received({}, { type }))).toBe(false);
	});

	it('counts from the moment of the question on', () => {
		expect(counts(received({}, { timestamp: '2026-11-21T11:59:59Z' }))).toBe(false);
		expect(counts(received({}, { timestamp: '2026-11-21T12:00:00Z' }))).toBe(true);
		expect(
			counts(received({}, { timestamp: '2026-11-21T11:59:59Z' }), { askedAt: undefined }),
		).toBe(true);
		expect(counts(received({}, { timestamp: undefined }))).toBe(true);
	});

	it('counts for the number that has asked only, once that is known', () => {
		expect(counts(received(), {}, { instanceId: 'inst_1' })).toBe(true);
		expect(counts(received(), {}, { instanceId: 'inst_2' })).toBe(false);
	});

	it('counts in a chat whose phone the network hides, once that is known or where it quotes the question', () => {
		const hidden = { chat: { id: CHAT.id, type: 'CONTACT' } };
		expect(counts(received(hidden))).toBe(false);
		expect(counts(received(hidden), {}, { chatId: CHAT.id })).toBe(true);
		expect(counts(received(hidden), {}, { chatId: 'other@lid' })).toBe(false);
		expect(counts(received({ ...hidden, quotedMessageId: 'ASKED' }))).toBe(true);
		expect(counts(received({ ...hidden, quotedMessageId: 'ASKED' }), { to: GROUP.id })).toBe(false);
		expect(
			counts(received({ ...hidden, quotedMessageId: undefined }), { messageId: undefined }),
		).toBe(false);
	});

	it('is not decided while it is still to be told where the question was asked', () => {
		const chat = { id: CHAT.id, type: 'CONTACT' };
		const untold = (data: object = {}, change: Partial<Question> = {}, place: Place = {}) =>
			isUntold({ ...question, ...change }, place, received({ chat, ...data }));
		expect(untold()).toBe(true);
		expect(untold({ chat: CHAT })).toBe(false);
		expect(untold({ chat: GROUP })).toBe(false);
		expect(untold({ chat: undefined })).toBe(false);
		expect(untold({ fromMe: true })).toBe(false);
		expect(untold({}, { to: 'other@lid' })).toBe(false);
		expect(untold({}, { messageId: undefined })).toBe(false);
		expect(untold({}, { askedAt: undefined })).toBe(false);
		expect(untold({}, { askedAt: ASKED_AT - 60_000 })).toBe(false);
		expect(untold({}, {}, { chatId: 'other@lid' })).toBe(false);
	});

	it('must quote the question where only that counts', () => {
		expect(counts(received(), { requireQuote: true })).toBe(false);
		expect(counts(received({ quotedMessageId: 'OTHER' }), { requireQuote: true })).toBe(false);
		expect(counts(received({ quotedMessageId: 'ASKED' }), { requireQuote: true })).toBe(true);
	});

	it('must quote anything where nobody knows the ID of the question', () => {
		const unsure = { requireQuote: true, messageId: undefined };
		expect(counts(received(), unsure)).toBe(false);
		expect(counts(received({ quotedMessageId: 'ANY' }), unsure)).toBe(true);
	});
});

describe('in a group', () => {
	const inGroup = { to: GROUP.id };

	it('the first who answers counts', () => {
		expect(counts(received({ chat: GROUP, sender: ANA }), inGroup)).toBe(true);
		expect(counts(received({ chat: GROUP, sender: BRUNO }), inGroup)).toBe(true);
		expect(counts(received({ chat: { ...GROUP, id: 'other@g.us' }, sender: ANA }), inGroup)).toBe(
			false,
		);
	});

	it.each(['5511987654321', ANA.id])('only the person asked does, named %s', (person) => {
		expect(counts(received({ chat: GROUP, sender: ANA }), { ...inGroup, person })).toBe(true);
		expect(counts(received({ chat: GROUP, sender: BRUNO }), { ...inGroup, person })).toBe(false);
		expect(counts(received({ chat: GROUP, sender: undefined }), { ...inGroup, person })).toBe(
			false,
		);
	});
});

it('knows its question by the ID of the message', () => {
	const sent = (messageId: unknown) =>
		received({ messageId, fromMe: true }, { type: 'MESSAGE.SENT' });
	expect(isQuestion(question, sent('ASKED'))).toBe(true);
	expect(isQuestion(question, sent('OTHER'))).toBe(false);
	expect(isQuestion({ ...question, messageId: undefined }, sent(undefined))).toBe(false);
	expect(isQuestion(question, received({ messageId: 'ASKED' }))).toBe(false);
});
