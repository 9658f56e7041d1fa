import type { IDataObject } from 'n8n-workflow';
import { readEvent } from '../../../nodes/MessagingGateway/incoming/event';
import { findMeant, isListable, readMeant } from '../../../nodes/MessagingGateway/question/isMeant';
import type { Known } from '../../../nodes/MessagingGateway/question/known';
import type { Listing } from '../../../nodes/MessagingGateway/question/listing';
import { keyOf, type Question } from '../../../nodes/MessagingGateway/question/question';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const ANA = { id: '1@lid', phone: '5511900000001' };
const BRUNO = { id: '2@lid', phone: '5511900000002' };
const GROUP = { id: '9@g.us', type: 'GROUP' };

/** A question to Ana, asked at noon, whose message is Q. */
function know(question: Partial<Question>, listing: Partial<Listing> = {}): Known {
	const type = question.type ?? 'reply';
	const to = question.to ?? ANA.phone;
	return {
		question: {
			type,
			labels: type === 'reply' ? [] : ['Yes', 'No'],
			to,
			webhookId: 'wh_1',
			secret: '',
			account: '',
			messageId: 'Q',
			askedAt: NOW,
			requireQuotedReply: false,
			requireText: false,
			isReview: false,
			ended: [],
			leftovers: [],
			...question,
		},
		listing: {
			kind: type === 'approval' ? 'approval' : 'other',
			code: type === 'approval' ? '271' : '',
			needsQuote: question.requireQuotedReply ?? false,
			until: NOW + 60_000,
			openedAt: NOW,
			workflow: 'w',
			to: keyOf(to),
			...listing,
		},
		url: '',
		state: { is: 'open' },
		lists: [],
		isTimeTold: false,
		isTidy: false,
	};
}

/** A message of Ana, a second after noon. */
function message(text: string | undefined, data: IDataObject = {}, changes: IDataObject = {}) {
	return readEvent({
		id: 'evt_1',
		type: 'MESSAGE.RECEIVED',
		instanceId: 'I1',
		timestamp: new Date(NOW + 1_000).toISOString(),
		data: { messageId: 'M', fromMe: false, chat: ANA, sender: ANA, text, ...data },
		...changes,
	});
}

const REPLY = know({});
const CHOICE = know({ type: 'choice', webhookId: 'wh_2' });
const APPROVAL = know({ type: 'approval', webhookId: 'wh_3', messageId: 'A' });
const OTHER_APPROVAL = know(
	{ type: 'approval', webhookId: 'wh_4', messageId: 'B' },
	{ code: '385', openedAt: NOW + 1 },
);
const ALL = [APPROVAL, REPLY, OTHER_APPROVAL];
const NAMES = new Map<Known | undefined, string>([
	[REPLY, 'the reply'],
	[CHOICE, 'the choice'],
	[APPROVAL, 'the approval 271'],
	[OTHER_APPROVAL, 'the approval 385'],
	[undefined, 'none'],
]);

const quoting = (quotedMessageId: string) => ({ quotedMessageId });

describe('of an open reply and two approvals, a message is for', () => {
	it.each([
		// Rule 1
		{ meant: 'the reply', text: 'red', data: quoting('Q'), why: 'quotes it' },
		{ meant: 'the reply', text: '2711', data: quoting('Q'), why: 'quotes it, with another number' },
		{
			meant: 'the approval 271',
			text: '3851',
			data: quoting('A'),
			why: 'quotes it, with the number of 385',
		},
		{ meant: 'none', text: '2711', data: quoting('X'), why: 'quotes anything else' },
		{
			meant: 'none',
			text: 'red',
			data: quoting('X'),
			why: 'quotes anything else, without a number',
		},
		// Rule 2
		{ meant: 'the approval 271', text: '2711', data: {}, why: 'is its number' },
		{ meant: 'the approval 385', text: '“3852” please', data: {}, why: 'begins with its number' },
		{ meant: 'the reply', text: 'yes 2711', data: {}, why: 'does not begin with a number' },
		{ meant: 'the reply', text: '9991', data: {}, why: 'begins with the number of no approval' },
		// Rule 3
		{ meant: 'the reply', text: 'yes', data: {}, why: 'quotes nothing' },
		{
			meant: 'the reply',
			text: undefined,
			data: { messageType: 'LOCATION' },
			why: 'is a location',
		},
	])('$meant if it $why', ({ meant, text, data }) => {
		expect(NAMES.get(findMeant(message(text, data), ALL))).toBe(meant);
	});
});

describe('of two approvals alone, a message is for', () => {
	it.each([
		{ meant: 'the approval 385', text: 'yes', data: {}, why: 'has no number: the newest lists' },
		{ meant: 'the approval 271', text: '2711', data: {}, why: 'has its number' },
		{ meant: 'none', text: '9991', data: {}, why: 'has the number of one that is over' },
		{ meant: 'none', text: 'yes', data: { chat: GROUP }, why: 'is written in a group' },
	])('$meant if it $why', ({ meant, text, data }) => {
		expect(NAMES.get(findMeant(message(text, data), [APPROVAL, OTHER_APPROVAL]))).toBe(meant);
	});
});

it('a question that must be quoted is meant by no other message', () => {
	const strict = know({ requireQuotedReply: true });
	expect(findMeant(message('red'), [strict])).toBeUndefined();
	expect(findMeant(message('red', quoting('Q')), [strict])).toBe(strict);
	const approval = know({ type: 'approval', requireQuotedReply: true });
	expect(findMeant(message('2711'), [approval])).toBeUndefined();
	expect(findMeant(message('2711', quoting('Q')), [approval])).toBe(approval);
});

it('a quote of lines that were listed again counts as one of the question', () => {
	const listed = know({ type: 'approval' });
	listed.lists.push({ by: 'evt_0', isSent: true, messageId: 'L1' });
	listed.lists.push({ by: 'evt_00', isSent: true, messageId: 'L2' });
	for (const id of ['L1', 'L2', 'Q']) {
		const event = message('yes', quoting(id));
		expect(findMeant(event, [listed])).toBe(listed);
		expect(readMeant(listed, event)).toMatchObject({ approved: true });
	}
});

describe('no question is meant by', () => {
	const hidden = { chat: { id: '1@lid' }, sender: { id: '1@lid' } };
	it.each([
		{ what: 'a stranger', data: { chat: BRUNO, sender: BRUNO } },
		{ what: 'a stranger who quotes it', data: { chat: BRUNO, ...quoting('Q') } },
		{ what: 'a message in a group', data: { chat: GROUP } },
		{ what: 'a quote in a group', data: { chat: GROUP, ...quoting('Q') } },
		{ what: 'a status', data: { chat: { ...ANA, type: 'STATUS' } } },
		{ what: 'a status that only its ID names', data: { chat: { ...ANA, id: 'status@broadcast' } } },
		{ what: 'a message of the number itself', data: { fromMe: true } },
		{ what: 'a message without a chat', data: { chat: undefined } },
		{ what: 'a chat whose phone is hidden', data: hidden },
		{ what: 'a reaction', data: { messageType: 'REACTION' } },
		{ what: 'a reaction with a quote', data: { messageType: 'Reaction', ...quoting('Q') } },
		{ what: 'a sticker', data: { messageType: 'STICKER' } },
		{ what: 'a blank text', data: { text: ' \n' } },
		{ what: 'a revoked message', data: { text: undefined, messageType: 'REVOKED' } },
		{ what: 'an edit without text', data: { text: undefined, messageType: 'TEXT' } },
		{ what: 'a button without text', data: { text: '', messageType: 'BUTTON_REPLY' } },
	])('$what', ({ data }) => {
		for (const question of [REPLY, CHOICE, know({ type: 'approval' })]) {
			const text = question.listing.kind === 'approval' ? '2711' : '1';
			expect(findMeant(message(text, data), [question])).toBeUndefined();
		}
	});

	it('an event of another type', () => {
		expect(findMeant(message('red', {}, { type: 'MESSAGE.EDITED' }), [REPLY])).toBeUndefined();
	});
});

it.each(
	'image PICTURE photo VIDEO PTV GIF audio VOICE PTT DOCUMENT FILE MEDIA LOCATION liveLocationMessage LIVE_LOCATION contactMessage CONTACTS vcard ORDER productMessage VIEW_ONCE viewOnceMessageV2'.split(
		' ',
	),
)('content of the type %s answers a reply, and is unclear for a choice', (messageType) => {
	const event = message(undefined, { messageType });
	expect(readMeant(REPLY, event)).toEqual({});
	expect(findMeant(event, [REPLY])).toBe(REPLY);
	expect(findMeant(event, [CHOICE])).toBe(CHOICE);
	expect(readMeant(CHOICE, event)).toBe('unclear');
	expect(readMeant(know({ requireText: true }), event)).toBeUndefined();
});

it('a button is a text like any other', () => {
	const press = (text: string, id: string) =>
		message(text, { messageType: 'BUTTON_REPLY', buttonReply: { id } });
	expect(readMeant(CHOICE, press('Yes', 'b2'))).toMatchObject({ choice: 'Yes' });
	expect(readMeant(CHOICE, press('Press here', '1'))).toBe('unclear');
	expect(readMeant(REPLY, press('Press here', '1'))).toEqual({ text: 'Press here' });
});

describe('the chat of a question', () => {
	const hidden = { chat: { id: '1@lid' }, sender: { id: '1@lid' } };

	it('is told by a quote if its phone is hidden, until the chat is known', () => {
		const quote = message('2711', { ...hidden, ...quoting('A') });
		expect(findMeant(quote, [APPROVAL])).toBe(APPROVAL);
		const elsewhere = know({ type: 'approval', messageId: 'A' }, { chatId: '2@lid' });
		expect(findMeant(quote, [elsewhere])).toBeUndefined();
		const known = know({ type: 'approval' }, { chatId: '1@lid' });
		expect(findMeant(message('2711', hidden), [known])).toBe(known);
		const inGroup = know({ type: 'approval', to: GROUP.id, messageId: 'A' });
		expect(findMeant(quote, [inGroup])).toBeUndefined();
	});

	it('is that of the number that asks, if it is known', () => {
		expect(findMeant(message('red'), [know({}, { instanceId: 'I2' })])).toBeUndefined();
		const here = know({}, { instanceId: 'I1' });
		expect(findMeant(message('red'), [here])).toBe(here);
	});
});

it.each([
	{ seconds: -1, data: {}, isMeant: false, when: 'a second before the question' },
	{ seconds: -1, data: quoting('Q'), isMeant: true, when: 'before it by the clock, but quotes it' },
	{ seconds: 0, data: {}, isMeant: true, when: 'at the moment of the question' },
	{ seconds: 60, data: {}, isMeant: true, when: 'at the end of its time' },
	{ seconds: 61, data: {}, isMeant: false, when: 'after its time' },
	{ seconds: 61, data: quoting('Q'), isMeant: false, when: 'after its time, and quotes it' },
])(
	'a message is meant for a question or not if it is written $when',
	({ seconds, data, isMeant }) => {
		const timestamp = new Date(NOW + seconds * 1_000).toISOString();
		const event = message('red', data, { timestamp });
		expect(findMeant(event, [REPLY]) !== undefined).toBe(isMeant);
		expect(findMeant(event, [REPLY], 'at any time')).toBe(REPLY);
	},
);

describe('in a group', () => {
	const bruno = { chat: GROUP, sender: BRUNO };
	const ana = { chat: GROUP, sender: ANA };

	it('anybody can answer', () => {
		const asked = know({ to: GROUP.id });
		expect(findMeant(message('red', bruno), [asked])).toBe(asked);
	});

	it.each([
		{ person: ANA.phone, how: 'phone' },
		{ person: ANA.id, how: 'ID' },
	])('the person asked alone can answer, named by $how', ({ person }) => {
		const asked = know({ to: GROUP.id }, { person: keyOf(person) });
		expect(findMeant(message('red', bruno), [asked])).toBeUndefined();
		expect(findMeant(message('red', ana), [asked])).toBe(asked);
	});

	it('the person asked may be spelled in the old way of Brazil', () => {
		const asked = know({ to: GROUP.id }, { person: keyOf('5511987654321') });
		const sender = { id: '3@lid', phone: '551187654321' };
		expect(findMeant(message('red', { chat: GROUP, sender }), [asked])).toBe(asked);
	});

	it.each([
		{ text: '2711 please', isListed: true },
		{ text: 'please 2711', isListed: false },
		{ text: 'sure', isListed: false },
		{ text: '3851 please', isListed: false },
	])('the lines of an approval are listed again for $text: $isListed', ({ text, isListed }) => {
		const asked = know({ type: 'approval', to: GROUP.id });
		expect(isListable(asked, message(text, bruno))).toBe(isListed);
	});

	it('the lines of a choice are never listed again', () => {
		const asked = know({ type: 'choice', to: GROUP.id });
		for (const text of ['1 please', '2711', 'sure'])
			expect(isListable(asked, message(text, bruno))).toBe(false);
	});
});
