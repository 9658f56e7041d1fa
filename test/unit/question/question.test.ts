import {
	findOrigin,
	isQuestion,
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
	findOrigin({ ...question, ...change }, place, event) === 'asked';

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
		expect(counts(received({}, { timestamp: undefined }))).toBe(true);
	});

	it('without a time does not count for an approval', () => {
		const approval = { type: 'approval', labels: ['Yes', 'No'] } as const;
		const asked = { ...approval, labels: [...approval.labels] };
		expect(counts(received({}, { timestamp: undefined }), asked)).toBe(false);
		expect(counts(received({}, { timestamp: 'yesterday' }), asked)).toBe(false);
		expect(counts(received(), asked)).toBe(true);
	});

	it('does not count for an approval where it belongs to another message', () => {
		const approval = { type: 'approval', labels: ['Yes', 'No'] } satisfies Partial<Question>;
		for (const pressed of [
			{ buttonReply: { id: 'yes' } },
			{ messageType: 'BUTTON_REPLY' },
			{ messageType: 'REACTION' },
			{ messageType: 'reactionMessage' },
			{ messageType: 'POLL_VOTE' },
		]) {
			expect(counts(received(pressed), approval)).toBe(false);
			expect(counts(received({ ...pressed, quotedMessageId: 'ASKED' }), approval)).toBe(true);
			expect(counts(received(pressed))).toBe(true);
		}
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

	describe('before it is told which chat the question is in', () => {
		const lid = { id: CHAT.id, type: 'CONTACT' };
		const mexican = { id: '5215512345678@c.us', type: 'CONTACT', phone: '5215512345678' };
		const argentinian = { id: '54@c.us', type: 'CONTACT', phone: '+54 9 11 2345-6789' };

		it.each<[string, object, Partial<Question>]>([
			['from a hidden number', lid, {}],
			['from a hidden number, long after', lid, { askedAt: ASKED_AT - 3_600_000 }],
			['from Mexico', mexican, { to: '525512345678' }],
			[
				'from Mexico, asked with the 1',
				{ ...mexican, phone: '525512345678' },
				{ to: '5215512345678' },
			],
			['from Argentina', argentinian, { to: '541123456789' }],
			['from Argentina, with 15', argentinian, { to: '54111523456789' }],
			['under an ID of another kind', CHAT, { to: '5511987654321@c.us' }],
			['under an ID of another kind, hidden', lid, { to: '5511987654321@c.us' }],
		])('a message %s is left undecided', (_whose, chat, change) => {
			const origin = (data: object, changed: Partial<Question>, place: Place = {}) =>
				findOrigin({ ...question, ...change, ...changed }, place, received({ chat, ...data }));
			const chatId = String((chat as { id: string }).id);
			expect(origin({}, {})).toBe('untold');
			// Once its chat is known, a message counts there alone, whoever wrote in another.
			const [sameKind, otherKind] = chatId.endsWith('@lid') ? ['@lid', '@c.us'] : ['@c.us', '@lid'];
			expect(origin({}, {}, { chatId: `other${sameKind}` })).toBe('other');
			expect(origin({}, {}, { chatId: `other${otherKind}` })).toBe('unmatched');
			expect(origin({}, {}, { chatId })).toBe('asked');
			expect(origin({ quotedMessageId: 'ASKED' }, {})).toBe('asked');
			expect(origin({ quotedMessageId: 'OTHER' }, {})).toBe('other');
			expect(origin({}, { requireQuote: true })).toBe('other');
			expect(origin({}, { askedAt: ASKED_AT + 3_600_000 })).toBe('other');
			expect(origin({ fromMe: true }, {})).toBe('other');
			expect(origin({ chat: { ...chat, type: 'STATUS' } }, {})).toBe('other');
			expect(origin({}, { messageId: undefined })).toBe('unmatched');
		});

		it.each<[string, object, Partial<Question>]>([
			['of somebody else', { ...CHAT, id: 'b@lid', phone: BRUNO.phone }, {}],
			['of somebody else in Mexico', mexican, { to: '525512345679' }],
			[
				'with the same end in another country',
				{ ...mexican, phone: '445512345678' },
				{ to: '525512345678' },
			],
			['under another ID of the same kind', lid, { to: 'other@lid' }],
			['of a group', GROUP, {}],
			['of a person, where a group is asked', lid, { to: GROUP.id }],
			['of no chat', undefined as unknown as object, {}],
		])('a message %s is none', (_whose, chat, change) => {
			expect(findOrigin({ ...question, ...change }, {}, received({ chat }))).toBe('other');
		});
	});

	// From seconds after it was handed to the gateway until seconds after the gateway had answered.
	it.each<[string, object, number | undefined, string, string]>([
		['before the question', {}, undefined, 'other', 'other'],
		['before the question', {}, 3, 'other', 'other'],
		['while it was being sent', {}, undefined, 'untold', 'untold'],
		['while it was being sent, before it left', {}, 3, 'other', 'other'],
		['while it was being sent, after it left', {}, 1, 'asked', 'asked'],
		['while it was being sent, as it left', {}, 2, 'asked', 'asked'],
		['while it was being sent', { quotedMessageId: 'ASKED' }, undefined, 'asked', 'asked'],
		['after it was taken', {}, undefined, 'asked', 'asked'],
		['after it was taken, and as it left', {}, 6, 'asked', 'asked'],
		['after it was taken, before it left', {}, 30, 'asked', 'other'],
	])('a message from %s %j, left %p: reply %s, approval %s', (when, data, left, ...origins) => {
		const second = when.startsWith('before') ? -1 : when.startsWith('after') ? 6 : 2;
		const at = (seconds: number) => ASKED_AT + seconds * 1_000;
		const event = received(data, { timestamp: new Date(at(second)).toISOString() });
		const asked = { ...question, takenBy: at(6), sentAt: Date.now() };
		const place = left === undefined ? {} : { leftAt: at(left) };
		const found = (['reply', 'approval'] as const).map((type) =>
			findOrigin({ ...asked, type }, place, event),
		);
		expect(found).toEqual(origins);
	});

	it.each([
		['whose outcome nobody knows', { messageId: undefined }],
		['of which the gateway has not told for a minute', { sentAt: Date.now() - 60_000 }],
	])('from while a message was being sent %s approves nothing', (_which, change) => {
		const asked = { ...question, takenBy: ASKED_AT + 60_000, ...change };
		expect(findOrigin(asked, {}, received())).toBe('asked');
		expect(findOrigin({ ...asked, type: 'approval' }, {}, received())).toBe('other');
	});

	it('must quote the question where only that counts', () => {
		expect(counts(received(), { requireQuote: true })).toBe(false);
		expect(counts(received({ quotedMessageId: 'OTHER' }), { requireQuote: true })).toBe(false);
		expect(counts(received({ quotedMessageId: 'ASKED' }), { requireQuote: true })).toBe(true);
	});

	it('does not count where it quotes something else', () => {
		expect(counts(received({ quotedMessageId: 'OTHER' }))).toBe(false);
		expect(counts(received({ quotedMessageId: 'ASKED' }))).toBe(true);
		expect(counts(received({ quotedMessageId: 7 }))).toBe(false);
	});

	it('does not count from another chat of the kind that is known, even if it quotes the question', () => {
		const from = (id: string) =>
			received({ quotedMessageId: 'ASKED', chat: { id, type: 'CONTACT' } });
		expect(counts(from('mallory@lid'), {}, { chatId: 'ana@lid' })).toBe(false);
		expect(counts(from('ana@lid'), {}, { chatId: 'ana@lid' })).toBe(true);
		expect(counts(from('ana@lid'), {}, { chatId: 'ana@c.us' })).toBe(true);
	});

	it('must quote nothing where nobody knows the ID of the question', () => {
		const unsure = { messageId: undefined };
		expect(counts(received(), unsure)).toBe(true);
		expect(counts(received({ quotedMessageId: 'ANY' }), unsure)).toBe(false);
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

	it('nobody can tell whether a hidden number is the person asked', () => {
		const origin = (sender: object, person = '5511987654321') =>
			findOrigin({ ...question, ...inGroup, person }, {}, received({ chat: GROUP, sender }));
		expect(origin({ id: ANA.id })).toBe('unmatched');
		expect(origin(ANA, '5511987654321@c.us')).toBe('unmatched');
		expect(origin(BRUNO)).toBe('other');
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
