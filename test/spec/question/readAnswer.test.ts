import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { readEvent, type GatewayEvent } from '../../../nodes/MessagingGateway/incoming/event';
import {
	fingerprint,
	keyOf,
	type Listing,
	type Question,
} from '../../../nodes/MessagingGateway/question/question';
import {
	findRivals,
	listLabels,
	readAnswer,
} from '../../../nodes/MessagingGateway/question/readAnswer';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const ANA = { id: '1@lid', phone: '5511900000001' };
const GROUP = { id: '9@g.us', type: 'GROUP' };

interface Asked extends Question, Pick<Listing, 'instanceId'> {
	person?: string;
}

const APPROVAL: Asked = {
	type: 'approval',
	labels: ['Yes', 'No'],
	webhookId: 'wh_1',
	secret: '',
	account: '',
	to: ANA.phone,
	messageId: 'Q',
	askedAt: NOW,
	requireQuotedReply: false,
	requireText: false,
	isReview: false,
};
const CHOICE: Asked = {
	...APPROVAL,
	type: 'choice',
	labels: ['Tomorrow', 'On Friday!', 'C', 'C++'],
};
const REPLY: Asked = { ...APPROVAL, type: 'reply', labels: [] };

const message = (
	text: string | undefined,
	{ type = 'MESSAGE.RECEIVED', ...data }: IDataObject = {},
	seconds = 1,
) =>
	readEvent({
		id: 'evt_1',
		type: type as string,
		instanceId: 'I1',
		timestamp: new Date(NOW + seconds * 1000).toISOString(),
		data: { messageId: 'M', fromMe: false, chat: ANA, sender: ANA, text, ...data },
	});
const QUOTE = { quotedMessageId: 'Q' };
const OTHER_QUOTE = { quotedMessageId: 'ANOTHER' };

const know = ({ person, instanceId, ...question }: Asked, location: Partial<Listing> = {}) => {
	const kind = question.type === 'approval' ? ('approval' as const) : ('plain' as const);
	const to = keyOf(question.to);
	const times = { until: NOW + 60_000, openedAt: NOW };
	const listing = { kind, code: '27', to, ...times, person: person && keyOf(person), instanceId };
	return { question, listing: { ...listing, ...location }, url: '' };
};

const answer = (question: Asked, location: Partial<Listing>, event: GatewayEvent) =>
	readAnswer(know(question, location), event);

/** What a message means: the choice, yes, no, the text of a reply, `unclear` or nothing. */
function read(question: Asked, ...[text, data, seconds]: Parameters<typeof message>) {
	const found = answer(question, {}, message(text, data, seconds));
	if (found === undefined || found === 'unclear') return found ?? 'nothing';
	const { approved, choice } = found;
	return choice ?? (approved === undefined ? (found.text ?? '') : approved ? 'yes' : 'no');
}

it('lists an approval with numbers of its own, and a choice as a menu', () => {
	expect(listLabels(know(APPROVAL))).toBe('271. Yes\n272. No');
	expect(listLabels(know(CHOICE))).toBe('1. Tomorrow\n2. On Friday!\n3. C\n4. C++');
	expect(listLabels(know(REPLY))).toBe('');
});

it.each([
	['271', 'yes', 'yes', 'yes'],
	['“271” yes 👍', 'yes', 'yes', 'yes'],
	['272. no', 'no', 'no', 'no'],
	['271. No', 'unclear', 'unclear', 'nothing'],
	['1', 'unclear', 'unclear', 'nothing'],
	['YES', 'unclear', 'yes', 'nothing'],
	['no.', 'unclear', 'no', 'nothing'],
	['yes, but not today', 'unclear', 'unclear', 'nothing'],
	['281', 'nothing', 'nothing', 'nothing'],
])(
	'reads %j for an approval as %s, in a quote as %s, in another quote as %s',
	(text, ...meanings) => {
		const readWith = (quote: IDataObject) => read(APPROVAL, text, quote);
		expect([{}, QUOTE, OTHER_QUOTE].map(readWith)).toEqual(meanings);
	},
);

it('an approval counts by a button with its number', () => {
	const press = (id: string) => read(APPROVAL, 'Press here', { buttonReply: { id } });
	expect(['271', '272', 'yes'].map(press)).toEqual(['yes', 'no', 'unclear']);
	const say = (text: string) => read(APPROVAL, text, { buttonReply: { id: '271' } });
	expect(['No, stop', 'say no', '272'].map(say)).toEqual(Array(3).fill('unclear'));
	expect(['Yes', 'Confirm now', 'nO1', '2721'].map(say)).toEqual(Array(4).fill('yes'));
});

describe('a choice', () => {
	it.each([
		['1', 'Tomorrow'],
		['2.', 'On Friday!'],
		['2. on friday', 'On Friday!'],
		['TOMORROW 👍', 'Tomorrow'],
		['on friday', 'On Friday!'],
		['c', 'C'],
		['c++', 'C++'],
		['c++ \n', 'C++'],
		['c#', 'unclear'],
		['5', 'unclear'],
	])('reads %j as %s, also with a quote of the question', (text, meaning) => {
		expect(read(CHOICE, text)).toBe(meaning);
		expect(read(CHOICE, text, QUOTE)).toBe(meaning);
	});

	it.each(['2', 'on friday'])('counts by a button with the ID %j', (id) => {
		for (const text of ['Press here', 'CC', 'Not tomorrows'])
			expect(read(CHOICE, text, { buttonReply: { id } })).toBe('On Friday!');
		for (const text of ['Tomorrow', 'C', 'not c'])
			expect(read(CHOICE, text, { buttonReply: { id } })).toBe('unclear');
	});

	it('has letters if its labels have digits, which then count as words alone', () => {
		const sizes = { ...CHOICE, labels: ['1–2', '3–4', '5 or more', 'b'] };
		expect(listLabels(know(sizes))).toBe('a. 1–2\nb. 3–4\nc. 5 or more\nd. b');
		const meanings = {
			...{ a: '1–2', 'C.': '5 or more', 'c) 5 or more': '5 or more', '3-4': '3–4', 'ａ 👍': '1–2' },
			...{
				d: 'b',
				b: 'unclear',
				2: 'unclear',
				'5': 'unclear',
				'a 3–4': 'unclear',
				'a?': 'unclear',
			},
			...{ 'a table': 'unclear', á: 'unclear', ab: 'unclear', 'ⓐ': '1–2', '-a': '1–2' },
		};
		for (const [text, meaning] of Object.entries(meanings))
			expect([text, read(sizes, text)]).toEqual([text, meaning]);
	});
});

it('a reply has the ID of a button if there is no text', () => {
	expect(read(REPLY, undefined, { buttonReply: { id: 'b1' } })).toBe('b1');
});

describe('who and where', () => {
	const strange = { chat: { id: '2@lid', phone: '5511900000002' } };
	const hidden = { chat: { id: '1@lid' }, sender: { id: '1@lid' } };

	it.each<[string, IDataObject]>([
		['a stranger', strange],
		['a stranger who quotes the question', { ...strange, ...QUOTE }],
		['a group', { chat: GROUP }],
		['a group in which the question is quoted', { chat: GROUP, ...QUOTE }],
		['an event of another type', { type: 'MESSAGE.EDITED' }],
		['a status', { chat: { ...ANA, type: 'STATUS' } }],
		['a status that only its ID names', { chat: { ...ANA, id: 'status@broadcast' } }],
		['a message of the number itself', { fromMe: true }],
		['no chat', { chat: undefined }],
		['a chat whose phone is hidden', hidden],
	])('counts nothing from %s', (_who, data) => {
		for (const question of [APPROVAL, CHOICE, REPLY])
			expect(read(question, question === APPROVAL ? '271' : '1', data)).toBe('nothing');
	});

	it('counts no quote from a chat with a hidden phone if a group was asked', () => {
		const inGroup = { ...APPROVAL, to: GROUP.id };
		expect(read(inGroup, '271', { ...hidden, ...QUOTE })).toBe('nothing');
	});

	it('counts a quote from a chat whose phone is hidden until the chat is known', () => {
		const event = message('271', { ...hidden, ...QUOTE });
		expect(answer(APPROVAL, {}, event)).toMatchObject({ approved: true });
		expect(answer(APPROVAL, { chatId: '2@lid' }, event)).toBeUndefined();
		expect(answer(APPROVAL, { chatId: '1@lid' }, message('271', hidden))).toMatchObject({
			approved: true,
		});
	});

	it('counts at the number of the question alone', () => {
		const event = message('271');
		expect(answer(APPROVAL, { instanceId: 'I2' }, event)).toBeUndefined();
		expect(answer({ ...APPROVAL, instanceId: 'I2' }, {}, event)).toBeUndefined();
		expect(answer(APPROVAL, { instanceId: 'I1' }, event)).toMatchObject({ approved: true });
	});

	it('counts nothing from before the question, unless it quotes the question, nor from after its time', () => {
		expect(read(APPROVAL, '271', QUOTE, 61)).toBe('nothing');
		for (const question of [APPROVAL, CHOICE, REPLY]) {
			const text = question === APPROVAL ? '271' : '1';
			expect(read(question, text, {}, -1)).toBe('nothing');
			expect(read(question, text, QUOTE, -1)).not.toBe('nothing');
		}
	});

	it('counts a quote alone if that is required', () => {
		for (const question of [APPROVAL, CHOICE, REPLY]) {
			const strict = { ...question, requireQuotedReply: true };
			const text = question === APPROVAL ? '271' : '1';
			expect(read(strict, text)).toBe('nothing');
			expect(read(strict, text, OTHER_QUOTE)).toBe('nothing');
			expect(read(strict, text, QUOTE)).not.toBe('nothing');
		}
	});

	it('counts the first member of a group, or the person asked alone', () => {
		const inGroup = { ...APPROVAL, to: GROUP.id };
		const bruno = { chat: GROUP, sender: { id: '2@lid', phone: '5511900000002' } };
		expect(read(inGroup, '271', bruno)).toBe('yes');
		expect(read(inGroup, 'sure', bruno)).toBe('nothing');
		expect(read(inGroup, 'yes', { ...bruno, ...QUOTE })).toBe('yes');
		for (const person of [ANA.phone, ANA.id]) {
			expect(read({ ...inGroup, person }, '271', bruno)).toBe('nothing');
			expect(read({ ...inGroup, person }, '271', { chat: GROUP })).toBe('yes');
			expect(read({ ...APPROVAL, person }, '271', { sender: bruno.sender })).toBe('yes');
			const channel = { id: '9@newsletter' };
			const inChannel = { ...APPROVAL, to: channel.id, person };
			expect(read(inChannel, '271', { ...bruno, chat: channel })).toBe('nothing');
		}
		const spelled = { chat: GROUP, sender: { id: '3@lid', phone: '551187654321' } };
		expect(read({ ...inGroup, person: '5511987654321' }, '271', spelled)).toBe('yes');
	});
});

describe('another question of the account', () => {
	const [newer, older] = [{ openedAt: NOW + 1 }, { openedAt: NOW - 1 }];
	const number = { kind: 'approval', code: '31' } as const;
	const group = { ...newer, to: keyOf(GROUP.id), person: keyOf('2@lid') };
	const bruno = { chat: GROUP, sender: { id: '2@lid' } };

	it.each<[string, Asked, Partial<Listing>, string, IDataObject, boolean]>([
		['newer', REPLY, newer, 'red', {}, true],
		['newer, for a message that quotes', REPLY, newer, 'red', QUOTE, false],
		['newer, until its time is over', REPLY, { ...newer, until: NOW + 1_000 }, 'red', {}, true],
		['as old', REPLY, { openedAt: NOW }, 'red', {}, false],
		['newer, but over', REPLY, { ...newer, until: NOW + 999 }, 'red', {}, false],
		['newer, to be quoted', REPLY, { ...newer, kind: 'quoted' }, 'red', {}, false],
		['newer, in another chat', REPLY, { ...newer, to: '2' }, 'red', {}, false],
		['newer, for this person', REPLY, group, 'red', bruno, true],
		['newer, for another one', REPLY, { ...group, person: '3' }, 'red', bruno, false],
		['older', REPLY, older, 'red', {}, false],
		['older, for what is no approval', APPROVAL, older, 'red', {}, true],
		['older, for an approval', APPROVAL, older, '271', {}, false],
		['named by its number', REPLY, number, '312', {}, true],
		['named by its number in a quote of this one', REPLY, number, '312', QUOTE, true],
		['named in an instruction', { ...APPROVAL, isReview: true }, number, '312', QUOTE, true],
		['named by a button', APPROVAL, number, 'x', { buttonReply: { id: '312' } }, true],
		['named, but over', REPLY, { ...number, until: NOW + 999 }, '312', {}, false],
		['not named', REPLY, number, '272', {}, false],
		['answered by this', APPROVAL, { answeredBy: fingerprint('evt_1') }, '271', {}, true],
		['answered by another one', REPLY, { ...newer, answeredBy: 'x' }, 'red', {}, false],
	])('that is %s', (_what, asked, other, text, data, isMeant) => {
		const [known, event] = [know(asked), message(text, data)];
		const [reading, { listing }] = [readAnswer(known, event) ?? 'unclear', know(REPLY, other)];
		expect(findRivals(known, event, reading, [listing]).length).toBe(isMeant ? 1 : 0);
	});
});

describe('a reviewer of an agent', () => {
	const review = { ...APPROVAL, isReview: true };

	it('gives an instruction by a quote of the question', () => {
		const event = message('a voucher instead', QUOTE);
		expect(answer(review, {}, event)).toEqual({
			text: 'a voucher instead',
			approved: false,
			chatInput: 'a voucher instead',
		});
		const [texts, meanings] = [
			['271', '272. no', 'Yes', 'no 👍'],
			['yes', 'no', 'yes', 'no'],
		];
		expect(texts.map((text) => read(review, text, QUOTE))).toEqual(meanings);
		expect(read(review, 'a voucher instead')).toBe('unclear');
		expect(read(review, 'a voucher instead', OTHER_QUOTE)).toBe('nothing');
		expect(read(review, undefined, { ...QUOTE, messageType: 'IMAGE' })).toBe('unclear');
	});
});

/** The texts of a table cell, separated by points in the middle of the line. */
const split = (texts: string) => texts.split(/[·\n]/u).map((text) => text.trim());

describe('a text that decides nothing', () => {
	const choice = { ...CHOICE, labels: ['Yes', 'No', '2', 'Rua 7'] };
	it.each<[string, Asked, IDataObject, string]>([
		[
			'an approval',
			APPROVAL,
			{},
			`yes · no · Yes. · YES! · y · ok · sure · 👍 · ✅ · 1 · 2 · ١ · 1️⃣ · 0 · yés · not 271 · not 2
			no 271 · yes 271 · yes, 271 · no, 272 · I take 271 · option 271 · 271 or 272 · 271, 272 · 271 272
			271/272 · 271. No · 271 no · 272 yes · 272. Yes · 271 yes please · 271 not · 271 yes no · 2711
			27 · 71 · 27 1 · 2 71 · 2.71 · 27 .1 · 281 · 282 · 281. Yes · ٢٨١ · २८२ · ２８１ · 2️⃣8️⃣1️⃣ · ٢٧١ ٢٧٢
			٢٧١ no · ¹ · 271² · 271 не сейчас · २७१ नहीं · 271 不行 · 271 👎 · 271 ❌ · 271 ✖️ · 271? · 271？ · ~271~
			～271～ · ≠271 · ¬271 · 271 🚫 · 271 ⛔ · 271 🤔 · 271 🙅🏽 · -271 · −271 · – 271 · +271 · ²⁷¹ · 271\u20e0
			2\u03367\u03361\u0336 · 271\u0338 · =\u0338 271 · ❌\u20e3 271 · ˜271 · 271 :( · 271 ☹ · 271 💔 · 271 ❤️‍🔥 · 271 ¿
			\u202e172 · \u202e271 · 2\u200b71 · 271 ✅❌ · 271 👍👎 · 271. Yes? · ~271. Yes~ · 271 Y\u0336e\u0336s\u0336 · 271 %`,
		],
		[
			'an approval in a quote',
			APPROVAL,
			QUOTE,
			`sure · yes no · yes or no · not yes · no yes · 1 · 2 · 271 no · 272 yes · 271 272 · 1 yes · 281
			yes, but later · Yes ❌ · ~Yes~ · Yes? · Yes 👎 · Y\u0336e\u0336s\u0336 · ≠ Yes · ¿Yes? · Yes 🤔 · 271 ❌ · \u202eYes`,
		],
		['an approval in another quote', APPROVAL, OTHER_QUOTE, 'yes · no · sure · 👍 · 281 · 271 no'],
		[
			'a choice',
			choice,
			{},
			`1 or 2 · 1, 2 · 12 · not 2 · no 2 · yes no · 1 no · 2 yes · 9 · ½ · 7 · 3 7 · Rua · a? · a ❌ · ~a~ · Yes ❌
			Rua 8 · option 2 · number 1 · - · ? · 1 минуту · 1:30 · 1 分`,
		],
	])('is for %s none of its numbers and labels', (_kind, question, data, texts) => {
		const meaningOf = (text: string) => read(question, text, data);
		const counted = split(texts).filter((text) => !/^(unclear|nothing)$/u.test(meaningOf(text)));
		expect(counted).toEqual([]);
	});
});

describe('an answer as people write', () => {
	it.each([
		['Não', ['nao', 'NÃO', 'Nao!', 'ｎａｏ']],
		['Sí', ['si', 'SI', 'Sí 👍']],
		['Später', ['spater', 'SPÄTER', 'Spa\u0308ter']],
		['Không', ['khong', 'KHÔNG', 'không']],
		['Đồng ý', ['dong y', 'ĐỒNG Ý', 'Dong y.']],
		['Größe', ['GRÖSSE', 'große', 'GROẞE', 'grosse']],
		['Łøħ Æœ', ['loh aeoe', 'LOH AEOE']],
		['İptal', ['iptal', 'IPTAL', 'İPTAL']],
		['Hayır', ['hayir', 'HAYIR', 'hayır']],
		['Coração', ['coracao', 'coração ❤️']],
		['👍', ['👍', '👍🏽', '👍🏿']],
		['❤️', ['❤', '❤️']],
		['✔️ Approve', ['Approve', 'approve ✔', '✔️ APPROVE']],
		['نمی\u200cدانم', ['نمیدانم', 'نمی\u200dدانم']],
		['نعم', ['نعم', 'نعم!', '\u200fنعم']],
		['かぎ', ['かぎ', 'かき\u3099']],
	])('names the label %j', (label, texts) => {
		const question = { ...CHOICE, labels: ['Other', label] };
		for (const text of [...texts, '2', '２', '٢', '۲', '२', '2️⃣', '2 ✔️', `2. ${texts[0]}`])
			expect([text, read(question, text)]).toEqual([text, label]);
	});

	it.each([
		[
			['avó', 'avô'],
			{ avó: 'avó', 'AVÔ!': 'avô', avo: 'unclear', '2. avo': 'unclear', '2': 'avô' },
		],
		[['A B', 'AB'], { 'a-b': 'A B', ab: 'AB' }],
		[['Pais', 'País'], { pais: 'Pais', PAÍS: 'País', '2. pais': 'unclear' }],
		[['काला', 'мой'], { कल: 'unclear', мои: 'unclear' }],
		[['कल', 'काल'], { कल: 'कल', काल: 'काल', 'काल।': 'काल' }],
		[['かき', 'かぎ'], { かき: 'かき', かぎ: 'かぎ', がき: 'unclear' }],
		[['C', 'C++', '👍', '👎'], { '👎🏻': '👎', '3 👎': 'unclear', '3 👍': '👍', '✅': 'unclear' }],
	])('tells %j apart', (labels, meanings) => {
		const question = { ...CHOICE, labels };
		for (const [text, meaning] of Object.entries(meanings))
			expect([text, read(question, text)]).toEqual([text, meaning]);
	});

	it('is the number of an approval in any script, with signs', () => {
		for (const text of split(
			`2️⃣7️⃣1️⃣ · 271 ✔️ · 271 ❤️ · 271 ✅ · ٢٧١. Yes · *271* · _271_ · (271) · “271” · 271… · 271！
			271 👍🏿 · 👍 271 · 271 🙏🏽👌 · ☑️ 271 · 271 - Yes · 271 (yes) · #271 · [271] yes! · 271 :) · \u200f271 · ¡271! · 271。`,
		))
			expect([text, read(APPROVAL, text)]).toEqual([text, 'yes']);
		const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code));
		for (let zero = 48; zero < 0x20000; zero++) {
			if (!isDigit(zero) || isDigit(zero - 1)) continue;
			const text = String.fromCodePoint(zero + 2, zero + 7, zero + 1);
			expect([text, read(APPROVAL, text)]).toEqual([text, 'yes']);
		}
		expect(read({ ...APPROVAL, labels: ['👍', '👎'] }, '271 👎')).toBe('unclear');
		const long = { ...APPROVAL, labels: ['Yes: 2 kg of gum', 'No, buy nothing'] };
		const meanings = { '271 YES': 'yes', '272. no': 'no', '272 n': 'unclear', '271 no': 'unclear' };
		for (const [text, meaning] of Object.entries(meanings)) expect(read(long, text)).toBe(meaning);
		const quoted = { Yes: 'yes', 'no!': 'no', 'yes?': 'unclear', buy: 'unclear', n: 'unclear' };
		for (const [text, meaning] of Object.entries(quoted))
			expect([text, read(long, text), read(long, text, QUOTE)]).toEqual([text, 'unclear', meaning]);
		expect(read({ ...APPROVAL, labels: ['✔️ Approve', 'Não'] }, 'nao', QUOTE)).toBe('no');
		const opposite = { ...APPROVAL, labels: ['No objection', 'I object: it is late'] };
		for (const [text, quote] of [['271 no'], ['no', QUOTE], ['I', QUOTE], ['272 I']] as const)
			expect([text, read(opposite, text, quote)]).toEqual([text, 'unclear']);
		expect(read({ ...APPROVAL, labels: ['10:30', '1,5 kg'] }, '1', QUOTE)).toBe('unclear');
		expect(read(opposite, 'i object', QUOTE)).toBe('no');
	});

	it.each([
		['a reaction', { messageType: 'REACTION', text: '👍' }],
		['a reaction with a number', { messageType: 'Reaction', text: '1' }],
		['a revoked message', { messageType: 'REVOKED' }],
		['a place', { messageType: 'LOCATION', text: '' }],
		['a sticker', { messageType: 'STICKER', text: null }],
		['an edit without text', { messageType: 'TEXT' }],
		['a blank text', { text: ' \n' }],
		['nothing', {}],
	])('is not %s', (_what, data) => {
		for (const question of [APPROVAL, CHOICE, REPLY])
			expect(read(question, undefined, data)).toBe('nothing');
	});

	const media = 'image PICTURE photo VIDEO GIF audio VOICE PTT DOCUMENT FILE MEDIA documentMessage';
	it.each(media.split(' '))(
		'is of the type %s for a reply alone, unless it needs text',
		(messageType) => {
			const image = { messageType };
			const strict = { ...REPLY, requireText: true };
			expect(read(strict, undefined, image)).toBe('nothing');
			expect(read(strict, 'Look', image)).toBe('Look');
			expect(answer(REPLY, {}, message(undefined, image))).toEqual({});
			expect(answer(REPLY, {}, message('Look', image))).toEqual({ text: 'Look' });
			expect(read(CHOICE, undefined, image)).toBe('unclear');
			expect(read(CHOICE, '1', image)).toBe('Tomorrow');
		},
	);
});

describe('for any text', () => {
	const signs = fc.string({ unit: 'grapheme', maxLength: 6 });
	const words = fc.oneof(
		fc.constantFrom('Yes', 'yes', 'ＹＥＳ', 'ye\u0301s', '✅', 'Sim', 'نعم', 'Ja!'),
		fc.string({ unit: 'grapheme' }),
	);

	it('an approval needs its number or the quote', () => {
		const approves = (before: string, word: string, after: string) => {
			const text = before + word + after;
			fc.pre(!/\p{N}/u.test(text.normalize('NFKC')));
			expect(read(APPROVAL, text)).not.toBe('yes');
		};
		fc.assert(fc.property(signs, words, signs, approves), { numRuns: 1_000, seed: 1 });
	});
});
