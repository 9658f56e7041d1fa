import fc from 'fast-check';
import { linesOf } from '../../../nodes/MessagingGateway/question/labels';
import { readAnswer, type Asked } from '../../../nodes/MessagingGateway/question/readAnswer';

const APPROVAL: Asked = {
	type: 'approval',
	labels: ['Yes', 'No'],
	code: '271',
	requireText: false,
	isReview: false,
};
const CHOICE: Asked = {
	...APPROVAL,
	type: 'choice',
	code: '',
	labels: ['Tomorrow', 'On Friday!', 'C', 'C++'],
};
const REPLY: Asked = { ...CHOICE, type: 'reply', labels: [] };

/** What a text means: the choice, yes, no, the text of a reply, `unclear` or `nothing`. */
function read(asked: Asked, text: string, isQuote = false): string {
	const reading = readAnswer(asked, text, isQuote);
	if (reading === undefined) return 'nothing';
	if (reading === 'unclear') return 'unclear';
	if (reading.chatInput !== undefined) return 'instruction';
	if (reading.approved !== undefined) return reading.approved ? 'yes' : 'no';
	return reading.choice ?? reading.text ?? '';
}

const quote = (asked: Asked, text: string): string => read(asked, text, true);

/** The texts of a table cell, separated by points in the middle of the line. */
const split = (texts: string) => texts.split(/[·\n]/u).map((text) => text.trim());

/** What each text means, for a comparison that names the texts. */
const readAll = (asked: Asked, texts: string[], isQuote = false) =>
	Object.fromEntries(texts.map((text) => [text, read(asked, text, isQuote)]));

const all = (texts: string[], meaning: string) =>
	Object.fromEntries(texts.map((text) => [text, meaning]));

describe('an approval', () => {
	it.each([
		{ text: '2711', plain: 'yes', quoting: 'yes' },
		{ text: '“2711” yes 👍', plain: 'yes', quoting: 'yes' },
		{ text: '2712. no', plain: 'no', quoting: 'no' },
		{ text: '2711. No', plain: 'unclear', quoting: 'unclear' },
		{ text: '1', plain: 'unclear', quoting: 'unclear' },
		{ text: 'YES', plain: 'unclear', quoting: 'yes' },
		{ text: 'no.', plain: 'unclear', quoting: 'no' },
		{ text: 'yes, but not today', plain: 'unclear', quoting: 'unclear' },
		{ text: '2811', plain: 'unclear', quoting: 'unclear' },
	])('reads $text as $plain, and in a quote of the question as $quoting', (row) => {
		expect(read(APPROVAL, row.text)).toBe(row.plain);
		expect(quote(APPROVAL, row.text)).toBe(row.quoting);
	});

	it('is decided by none of these texts', () => {
		const texts =
			split(`yes · no · Yes. · YES! · y · ok · sure · 👍 · ✅ · 1 · 2 · ١ · 1️⃣ · 0 · yés · not 2711 · not 2
			no 2711 · yes 2711 · yes, 2711 · no, 2712 · I take 2711 · option 2711 · 2711 or 2712 · 2711, 2712 · 2711 2712
			2711/2712 · 2711. No · 2711 no · 2712 yes · 2712. Yes · 2711 yes please · 2711 not · 2711 yes no · 27111
			271 · 711 · 271 1 · 2 711 · 2.711 · 271 .1 · 2811 · 2812 · 2811. Yes · ٢٨١١ · २८१२ · ２８１１ · 2️⃣8️⃣1️⃣1️⃣ · ٢٧١١ ٢٧١٢
			٢٧١١ no · ¹ · 2711² · 2711 не сейчас · २७११ नहीं · 2711 不行 · 2711 👎 · 2711 ❌ · 2711 ✖️ · 2711? · 2711？ · ~2711~
			～2711～ · ≠2711 · ¬2711 · 2711 🚫 · 2711 ⛔ · 2711 🤔 · 2711 🙅🏽 · -2711 · −2711 · – 2711 · +2711 · ²⁷¹¹ · 2711\u20e0
			2\u03367\u03361\u03361\u0336 · 2711\u0338 · =\u0338 2711 · ❌\u20e3 2711 · ˜2711 · 2711 :( · 2711 ☹ · 2711 💔 · 2711 ❤️‍🔥 · 2711 ¿
			\u202e1172 · \u202e2711 · 2\u200b711 · 2711 ✅❌ · 2711 👍👎 · 2711. Yes? · ~2711. Yes~ · 2711 Y\u0336e\u0336s\u0336 · 2711 %`);
		expect(readAll(APPROVAL, texts)).toEqual(all(texts, 'unclear'));
	});

	it('is decided by none of these texts in a quote of the question', () => {
		const texts =
			split(`sure · yes no · yes or no · not yes · no yes · 1 · 2 · 2711 no · 2712 yes · 2711 2712 · 1 yes · 2811
			yes, but later · Yes ❌ · ~Yes~ · Yes? · Yes 👎 · Y\u0336e\u0336s\u0336 · ≠ Yes · ¿Yes? · Yes 🤔 · 2711 ❌ · \u202eYes`);
		expect(readAll(APPROVAL, texts, true)).toEqual(all(texts, 'unclear'));
	});

	it('is approved by its number in any script, with signs that agree', () => {
		const texts =
			split(`2️⃣7️⃣1️⃣1️⃣ · 2711 ✔️ · 2711 ❤️ · 2711 ✅ · ٢٧١١. Yes · *2711* · _2711_ · (2711) · “2711” · 2711…
			2711！ · 2711 👍🏿 · 👍 2711 · 2711 🙏🏽👌 · ☑️ 2711 · 2711 - Yes · 2711 (yes) · #2711 · [2711] yes! · 2711 :)
			\u200f2711 · ¡2711! · 2711。 · 2711 ! · *2711.* · *_2711_* · 2711. *Yes* · 2711) Yes · 2711: yes · “2711. Yes” · 2711yes`);
		expect(readAll(APPROVAL, texts)).toEqual(all(texts, 'yes'));
	});

	it('is approved by digits of every script that has ten in a row', () => {
		const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code));
		for (let zero = 48; zero < 0x20000; zero++) {
			if (!isDigit(zero) || isDigit(zero - 1)) continue;
			const text = String.fromCodePoint(zero + 2, zero + 7, zero + 1, zero + 1);
			expect([text, read(APPROVAL, text)]).toEqual([text, 'yes']);
		}
	});

	it('is decided by no face and no price', () => {
		const texts =
			split(`2711 ): · :( 2711 · 2711 :/ · 2711 -_- · 2711 ._. · 2711 ;_; · 2711 ... · 2711 >:( · 2711 :D · 2711 ^^
			2711 (: · 2711 o_O · 2711 *_* · 2711 (-_-) · 2711 ¯_ · 2711,- · 2711.- · 2711€ · 2711- · 2711 " · 2711) · (2711 · 2711 *
			“2711 · 2711 _ · -2711- · ~2711 · 2711: ? · 2711 ?! · 2711!? · 2711 …`);
		expect(readAll(APPROVAL, texts)).toEqual(all(texts, 'unclear'));
	});

	it('is decided by no head of a label', () => {
		const asked = { ...APPROVAL, labels: ['Yes: 2 kg of gum', 'No, buy nothing'] };
		const texts = ['2711 YES', '2712. no', '2712 n', '2711 no', 'yes', 'no!', 'buy', 'n'];
		expect(readAll(asked, texts, true)).toEqual(all(texts, 'unclear'));
		expect(readAll(asked, ['2711. yes: 2 kg of gum', 'no buy nothing'], true)).toEqual({
			'2711. yes: 2 kg of gum': 'yes',
			'no buy nothing': 'no',
		});
		const opposite = { ...APPROVAL, labels: ['No objection', 'I object: it is late'] };
		for (const text of ['2711 no', 'no', 'I', '2712 I', 'i object'])
			expect([text, quote(opposite, text)]).toEqual([text, 'unclear']);
	});

	it('doubts a sign of doubt also if its label has it', () => {
		const asked = { ...APPROVAL, labels: ['Refund?', 'Pay ~10'] };
		expect(
			readAll(asked, ['2711?', '~2712~', '2711. Refund?', '2711 refund', '2712 pay ~10']),
		).toEqual({
			'2711?': 'unclear',
			'~2712~': 'unclear',
			'2711. Refund?': 'yes',
			'2711 refund': 'yes',
			'2712 pay ~10': 'no',
		});
		const minus = { ...APPROVAL, labels: ['Approve (-10 %)', 'No'] };
		expect(read(minus, '-2711')).toBe('unclear');
	});

	it('tells the labels of its two lines apart', () => {
		expect(read({ ...APPROVAL, labels: ['👍', '👎'] }, '2711 👎')).toBe('unclear');
		expect(read({ ...APPROVAL, labels: ['👍', '👎'] }, '2712 👎')).toBe('no');
		expect(quote({ ...APPROVAL, labels: ['✔️ Approve', 'Não'] }, 'nao')).toBe('no');
		expect(quote({ ...APPROVAL, labels: ['10:30', '1,5 kg'] }, '1')).toBe('unclear');
	});

	it('needs its number or the quote, for any text', () => {
		const signs = fc.string({ unit: 'grapheme', maxLength: 6 });
		const words = fc.oneof(
			fc.constantFrom('Yes', 'yes', 'ＹＥＳ', 'ye\u0301s', '✅', 'Sim', 'نعم', 'Ja!'),
			fc.string({ unit: 'grapheme' }),
		);
		const approves = (before: string, word: string, after: string) => {
			const text = before + word + after;
			fc.pre(!/\p{N}/u.test(text.normalize('NFKC')));
			expect(read(APPROVAL, text)).not.toBe('yes');
		};
		fc.assert(fc.property(signs, words, signs, approves), { numRuns: 1_000, seed: 1 });
	});
});

describe('a choice', () => {
	it.each([
		{ text: '1', meaning: 'Tomorrow' },
		{ text: '2.', meaning: 'On Friday!' },
		{ text: '2. on friday', meaning: 'On Friday!' },
		{ text: 'TOMORROW 👍', meaning: 'Tomorrow' },
		{ text: 'on friday', meaning: 'On Friday!' },
		{ text: 'c', meaning: 'C' },
		{ text: 'c++', meaning: 'C++' },
		{ text: 'c++ \n', meaning: 'C++' },
		{ text: 'c#', meaning: 'unclear' },
		{ text: '5', meaning: 'unclear' },
		{ text: ':3', meaning: 'unclear' },
		{ text: '<3', meaning: 'unclear' },
		{ text: '3:)', meaning: 'C' },
	])('reads $text as $meaning, also in a quote of the question', ({ text, meaning }) => {
		expect(read(CHOICE, text)).toBe(meaning);
		expect(quote(CHOICE, text)).toBe(meaning);
	});

	it('is answered by none of these texts', () => {
		const asked = { ...CHOICE, labels: ['Yes', 'No', '2', 'Rua 7'] };
		const texts =
			split(`1 or 2 · 1, 2 · 12 · not 2 · no 2 · yes no · 1 no · 2 yes · 9 · ½ · 7 · 3 7 · Rua · a? · a ❌ · ~a~ · Yes ❌
			Rua 8 · option 2 · number 1 · - · ? · 1 минуту · 1:30 · 1 分`);
		expect(readAll(asked, texts)).toEqual(all(texts, 'unclear'));
	});

	it('has letters if a label holds the number of a line, which then counts as a word alone', () => {
		const sizes = { ...CHOICE, labels: ['1–2', '3–4', '5 or more', 'b'] };
		const meanings = {
			a: '1–2',
			'C.': '5 or more',
			'c) 5 or more': '5 or more',
			'3-4': '3–4',
			'ａ 👍': '1–2',
			d: 'b',
			b: 'unclear',
			2: 'unclear',
			'5': 'unclear',
			'a 3–4': 'unclear',
			'a?': 'unclear',
			'a table': 'unclear',
			á: 'unclear',
			ab: 'unclear',
			'ⓐ': '1–2',
			'-a': 'unclear',
			':a': 'unclear',
			':D': 'unclear',
			':c': 'unclear',
			'b)': 'unclear',
		};
		expect(readAll(sizes, Object.keys(meanings))).toEqual(meanings);
	});

	it('of times is answered by the number of a line, and by a time', () => {
		const asked = { ...CHOICE, labels: ['Tue 9:00', 'Tue 10:30', 'Wed 14h30', 'Wed 15.45'] };
		const meanings = {
			2: 'Tue 10:30',
			'2. Tue 10:30': 'Tue 10:30',
			'tue 10:30': 'Tue 10:30',
			'3 👍': 'Wed 14h30',
			'10:30': 'unclear',
			9: 'unclear',
			':D': 'unclear',
		};
		expect(readAll(asked, Object.keys(meanings))).toEqual(meanings);
	});

	it.each([
		{ style: '1. Sales', labels: ['1. Sales', '2. Support', '3. Else'] },
		{ style: '1) Sales', labels: ['1) Sales', '2) Support', '3) Else'] },
		{ style: '1️⃣ Sales', labels: ['1️⃣ Sales', '2️⃣ Support', '3️⃣ Else'] },
		{ style: '1 - Sales', labels: ['1 - Sales', '2 – Support', '3 — Else'] },
		{ style: '(1) Sales', labels: ['(1) Sales', '(2) Support', '(3) Else'] },
		{ style: '*1.* Sales', labels: ['*1.* Sales', '*2.* Support', '*3.* Else'] },
		{ style: '① Sales', labels: ['① Sales', '② Support', '③ Else'] },
		{ style: '1 Sales', labels: ['1 Sales', '2 Support', '3 Else'] },
	])('that its author has numbered like $style is read without the numbers', ({ labels }) => {
		const asked = { ...CHOICE, labels };
		const texts = [
			'2',
			'2.',
			'2)',
			'support',
			'Support!',
			'2. support',
			'2 Support',
			labels[1],
			'2️⃣',
		];
		const own = texts.filter((text) => text !== '2)');
		expect(readAll(asked, own)).toEqual(all(own, labels[1]));
		expect(readAll(asked, ['1 support', '4', 'b'])).toEqual(
			all(['1 support', '4', 'b'], 'unclear'),
		);
	});
});

describe('a label', () => {
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
		const asked = { ...CHOICE, labels: ['Other', label] };
		for (const text of [...texts, '2', '２', '٢', '۲', '२', '2️⃣', '2 ✔️', `2. ${texts[0]}`])
			expect([text, read(asked, text)]).toEqual([text, label]);
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
		const asked = { ...CHOICE, labels };
		for (const [text, meaning] of Object.entries(meanings))
			expect([text, read(asked, text)]).toEqual([text, meaning]);
	});
});

describe('a reply', () => {
	it('is any text, as it was written', () => {
		expect(readAnswer(REPLY, ' 2711? ', false)).toEqual({ text: ' 2711? ' });
	});

	it('has no text if the message has other content alone, unless it requires text', () => {
		expect(readAnswer(REPLY, '', false)).toEqual({});
		expect(readAnswer({ ...REPLY, requireText: true }, '', false)).toBeUndefined();
	});
});

it('a choice and an approval are unclear about content without text', () => {
	expect([read(APPROVAL, ''), read(CHOICE, ''), quote(APPROVAL, '')]).toEqual(
		Array(3).fill('unclear'),
	);
});

it('a reviewer gives an instruction by words in a quote of the question', () => {
	const review = { ...APPROVAL, isReview: true };
	expect(readAnswer(review, 'a voucher instead', true)).toEqual({
		text: 'a voucher instead',
		approved: false,
		chatInput: 'a voucher instead',
	});
	expect(readAll(review, ['2711', '2712. no', 'Yes', 'no 👍', ''], true)).toEqual({
		'2711': 'yes',
		'2712. no': 'no',
		Yes: 'yes',
		'no 👍': 'no',
		'': 'unclear',
	});
	expect(read(review, 'a voucher instead')).toBe('unclear');
});

it('every line is answered by what it shows', () => {
	const label = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
	const labels = fc.uniqueArray(
		label.map((each) => each.trim()).filter((each) => each !== '' && !each.includes('\n')),
		{ minLength: 2, maxLength: 9, selector: (each) => each.toLowerCase() },
	);
	const isRead = (given: string[]) => {
		const asked = { ...CHOICE, labels: given };
		for (const [index, line] of linesOf(asked).entries())
			expect([given[index], 'unclear']).toContain(read(asked, line.shown));
	};
	fc.assert(fc.property(labels, isRead), { numRuns: 2_000, seed: 1 });
});
