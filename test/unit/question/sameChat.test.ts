import { findInChat } from '../../../nodes/MessagingGateway/question/sameChat';
import type { Note } from '../../../nodes/MessagingGateway/question/url';

const ANA = '5511987654321';
const BRUNO = '5521912345678';

const note = (to: string, place: Partial<Note> = {}): Note => ({ to, until: Infinity, ...place });

const messageIn = (chat: object) => ({
	id: 'evt_1',
	type: 'MESSAGE.RECEIVED',
	instanceId: 'inst_1',
	data: { chat: { type: 'CONTACT', ...chat } },
});

const WITH_PHONE = { id: 'ana@lid', phone: ANA };
const HIDDEN = { id: 'ana@lid' };
const OWN = note(ANA, { chatId: 'ana@lid' });

it.each<[string, object, Note, Note]>([
	['the same phone', WITH_PHONE, note(ANA), note(ANA)],
	['both spellings of a phone', WITH_PHONE, note(ANA), note('551187654321')],
	['the same ID', HIDDEN, OWN, note('somebody', { chatId: 'ana@lid' })],
	['a phone, where the own note tells whose a hidden chat is', HIDDEN, OWN, note(ANA)],
	['an ID, where the own one knows a phone', WITH_PHONE, note(ANA), note('ana@lid')],
	['another way of writing the ID', WITH_PHONE, note('ana@c.us'), note('ana@c.us')],
	['nothing that can be compared', HIDDEN, note('ana@lid'), note(BRUNO)],
	['an ID of another kind', WITH_PHONE, note(ANA), note('bruno@c.us')],
	[
		'a phone that the network writes otherwise, not learnt yet',
		{ id: '5215512345678@c.us', phone: '5215512345678' },
		note('5215512345678', { chatId: '5215512345678@c.us' }),
		note('525512345678'),
	],
	['a group', { id: 'g@g.us', type: 'GROUP' }, note('g@g.us'), note('g@g.us')],
	['the same number of the account', WITH_PHONE, OWN, note(ANA, { instanceId: 'inst_1' })],
	[
		'a group, by another number of the account',
		{ id: 'g@g.us', type: 'GROUP' },
		note('g@g.us', { instanceId: 'inst_1' }),
		note('g@g.us', { instanceId: 'inst_2' }),
	],
])('a question of %s is in the chat', (_what, chat, own, other) => {
	const rival = { id: 'wh_2', note: other };
	expect(findInChat(messageIn(chat), own, [rival])).toEqual([rival]);
});

it.each<[string, object, Note, Note]>([
	['another phone', WITH_PHONE, note(ANA), note(BRUNO)],
	['another phone, not learnt yet, of a hidden chat', HIDDEN, OWN, note(BRUNO)],
	['another ID', HIDDEN, OWN, note('bruno@lid')],
	[
		'another person whose ID was learnt',
		HIDDEN,
		note('ana@lid'),
		note(BRUNO, { chatId: 'bruno@lid' }),
	],
	['a group', WITH_PHONE, note(ANA), note('g@g.us')],
	['a person', { id: 'g@g.us', type: 'GROUP' }, note('g@g.us'), note(ANA)],
	['the same person at another number', WITH_PHONE, OWN, note(ANA, { instanceId: 'inst_2' })],
])('a question of %s is not', (_what, chat, own, other) => {
	expect(findInChat(messageIn(chat), own, [{ id: 'wh_2', note: other }])).toEqual([]);
});

it('knows one by what it shares with another one', () => {
	const link = { id: 'wh_2', note: note(ANA, { chatId: 'ana@c.us' }) };
	const far = { id: 'wh_3', note: note('ana@c.us') };
	expect(findInChat(messageIn(WITH_PHONE), note(ANA), [far, link])).toEqual([far, link]);
});
