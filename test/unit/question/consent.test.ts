import { readMeaning, type Wanted } from '../../../nodes/MessagingGateway/question/meaning';
import { PEOPLE_SAY } from './peopleSay';

// Others read what stands here as an approval of a refund or a deletion: no word is added without a look at the whole.

const wanted = (yes: string, no: string): Wanted => ({ type: 'approval', labels: [yes, no] });
const plain = wanted('Yes', 'No');
const read = (said: string | string[], asked = plain) =>
	readMeaning(asked, [said].flat())?.approved;

describe('what people say', () => {
	it.each(PEOPLE_SAY.yes)('approves: %j', (said) => {
		expect(read(said)).toBe(true);
	});

	it.each(PEOPLE_SAY.no)('declines: %j', (said) => {
		expect(read(said)).toBe(false);
	});

	it.each(PEOPLE_SAY.unclear)('is unclear: %j', (said) => {
		expect(read(said)).toBeUndefined();
	});

	it.each(PEOPLE_SAY.yes)('approves whatever the labels are: %j', (said) => {
		expect(read(said, wanted('Reembolsar', 'Não reembolsar'))).toBe(true);
	});
});

describe('an approval', () => {
	it.each([
		'1',
		'1.',
		'1)',
		'(1)',
		'#1',
		'1️⃣',
		'１',
		'1 👍',
		'1, sim',
		'1 - Yes',
		'1. Yes',
		'ＹＥＳ',
		'  yes\n',
		'Yes\nplease',
		'yes :)',
		'sim =)',
		'*Sim*',
		'_yes_',
		'ok...',
		'Sim…',
		'¡yes!',
		'Oi, sim',
		'Oi, tudo bem, pode sim',
		'Bom dia, ok',
		'tudo bem, obrigado',
		'Bom dia! Pode sim, obrigado 🙏',
		'sim!!🙏❤️',
		'Sim 😊',
		'yes sir',
		'sim, chefe',
		'confirmo sim',
		'sim sim sim',
		'siiiiiim',
		'okkk',
		'👍🏻👍🏿',
		'👍\ufe0e',
		'✅✅',
		'👍✅',
		'Sim — pode',
		'that´s fine',
	])('is given by %j', (said) => {
		expect(read(said)).toBe(true);
	});

	it.each([
		'2',
		'2.',
		'#2',
		'2️⃣',
		'2. No',
		'2, não',
		'2 😢',
		'não 😢',
		'Não, infelizmente',
		'desculpe, não',
		'não não pode',
		'no, don’t',
		'No. I do not approve.',
		'não senhor',
		'*NÃO*',
		'no...',
		'👎👎',
		'🙅🏽',
		'🙅🏻‍♂️',
		'❌❌',
		'no way!!',
	])('is refused by %j', (said) => {
		expect(read(said)).toBe(false);
	});

	describe('is neither given nor refused', () => {
		it.each(
			[
				[
					'ok?',
					'Ok ?',
					'Pode?',
					'Confirmado?',
					'yes?',
					'no?',
					'Não?',
					'1?',
					'2?',
					'1 ?',
					'👍?',
					'👍❓',
				],
				[
					'¿yes',
					'¿Sí?',
					'yes？',
					'sim؟',
					'ok⁇',
					'ok⁈',
					'ok⁉',
					'ok⁉️',
					'yes‽',
					'yes⸮',
					'yes՞',
					'yes፧',
					'yes❔',
				],
				[
					'yes\u037e',
					'yes;',
					'ok︖',
					'ok﹖',
					'pode\n?',
					'?yes',
					'yes?!',
					'sim!?',
					'ok, pode?',
					'yes?👍',
				],
			].flat(),
		)('by a question: %j', (said) => {
			expect(read(said)).toBeUndefined();
		});

		it.each(
			[
				['~yes~', '~~yes~~', '~yes', '~sim~ ', '~1~', '~não~', '-yes-', '—yes'],
				[
					'y\u0336e\u0336s\u0336',
					's\u0336i\u0336m\u0336',
					'1\u0336',
					'y\u0335e\u0335s',
					'y\u0338es',
					'yes\u20e0',
					'n\u0336o\u0336',
				],
			].flat(),
		)('by what is struck out: %j', (said) => {
			expect(read(said)).toBeUndefined();
		});

		it.each(
			[
				[
					'-1',
					'−1',
					'–1',
					'- 1',
					'+1',
					'-2',
					'--1',
					'1-',
					'1 2',
					'1,2',
					'1/2',
					'1+',
					'12',
					'11',
					'0',
					'3',
					'01',
					'1.5',
					'1,0',
					'²',
					'1st',
					'1x',
					'1%',
					'1\u20ac',
				],
				['1 no', '2 sim', '1 👎', '1. No', '2 👍', '1 ou 2', '1 or 2'],
			].flat(),
		)('by digits that are no label: %j', (said) => {
			expect(read(said)).toBeUndefined();
		});

		it.each(
			[
				[
					'yes but',
					'yes, but only half of it',
					'yes if you must',
					'yes when I am back',
					'yes unless',
					'yes except Ana',
					'sim, mas',
					'sim mas só metade',
					'sim se der',
					'sim, quando eu voltar',
					'sim, menos a Ana',
					'ok mas',
					'ok depois',
				],
				[
					'yes 🛑',
					'sim 🚫',
					'ok ❌',
					'yes 👎',
					'👍👎',
					'✅❌',
					'yes 🤔',
					'sim 🙄',
					'ok 😒',
					'yes 😂',
					'sim kkk',
					'kkkk',
					'haha yes',
					'yes 🖕',
					'sim 😡',
					'yes 😢',
					'👍🏽🛑',
					'⛔ yes',
					'👌🤷',
				],
				[
					'yes no',
					'no yes',
					'sim não',
					'não sim',
					'nah yeah',
					'yeah nah',
					'yeah no',
					'ok não',
					'pode não',
					'sim, não, talvez',
					'yes. No.',
					'yes\nno',
					'yes → no',
					'yes/no',
					'sim/não',
					'yes or no',
					'yes!no',
					'claro. que não',
				],
				[
					'no problem',
					'no problem!',
					'no doubt',
					'no worries',
					'not bad',
					'no idea',
					'no clue',
					'no rush',
					'not sure',
					'why not',
					'no one',
					'no 1',
					'No. 1',
					'№',
					'n°',
					'no question',
					'no comment',
					'no objection',
					'no need',
				],
				[
					'sem problema',
					'não tem problema',
					'não tem de quê',
					'não sei',
					'nao entendi',
					'não vejo problema',
					'por que não',
					'não por isso',
					'não há de quê',
					'não se preocupe',
					'não é não',
					'não só pode como deve',
					'nada contra',
				],
				[
					'não cancela',
					'não recuso',
					'não nego',
					'não discordo',
					'do not reject',
					"don't decline",
					"don't stop",
					'never say never',
					'not no',
					'não digo não',
					'I do not disagree',
					"I don't disagree",
					'don’t deny',
					'nunca recuso',
					'no decline',
					'não rejeito',
				],
				[
					'maybe',
					'talvez',
					'perhaps',
					'I think so',
					'acho que sim',
					'acho que não',
					'depende',
					'it depends',
					'yes maybe',
					'sim talvez',
					'quase sim',
					'almost yes',
					'later',
					'depois',
					'wait',
					'espera',
					'let me check',
					'vou ver',
					'hmm',
					'sei lá',
					'tanto faz',
					'whatever',
					'yeah right',
					'yes and no',
					'as if',
				],
				[
					'yes to the first',
					'yes, Ana said',
					'did she say yes',
					'if yes',
					'say yes',
					'he approved',
					'sim disse ela',
					'não aprovou',
					'approved by Ana',
					'if approved',
					'disapproved by none',
					'you approved',
					'unapproved',
					'não foi aprovado',
					'who approved',
					'not yes',
					'hardly ok',
					'okay not',
					'sim só que não',
					'sim sqn',
					'claro que',
					'of course the other',
					'pode deixar',
					'pode parar',
					'pode esquecer',
					'can do it',
					'do it later',
					'do it not',
					'go ahead and stop',
					'fine print',
					'sure as hell not',
					'ok no problem',
					'so yes',
					'simples',
					'known',
					'yesterday',
					'nope you',
					'siminho',
					'okr',
					'nonono',
					'yn',
					'sn',
					'ys',
				],
				[
					'"yes"',
					'“sim”',
					'«ok»',
					'> yes',
					'> 1. Yes',
					'You wrote: yes',
					'Ana: yes',
					'[yes]',
					'{yes}',
					'<yes>',
					'`yes`',
					'yes*',
					'*yes',
					'yes :(',
					'sim :/',
					'ok ;)',
					'yes (not)',
					'yes (kidding)',
					'(yes',
					'not',
					'yes_no',
					'yes=no',
					'!yes=',
					'¬yes',
					'yes ≠ no',
					'#yes',
					'@yes',
					'$1',
					'/yes',
					'yes^',
					'=yes',
					'&yes',
					'yes|no',
				],
				[
					'y\u200bes',
					'\u200byes',
					'yes\u200d',
					'n\u00ado',
					'\u202eyes',
					'\u202eon',
					'\u2066yes\u2069',
					'yes\u{e0001}',
					'уes',
					'yеs',
					'οk',
					'ѕim',
					'sіm',
					'nо',
					'🇳🇴',
					'ℕ𝕠',
					'yes\u0000',
					'\u206ayes',
					'y es',
					'o k',
					'n o',
					's i m',
				],
				[
					'',
					' ',
					'.',
					'!',
					'…',
					'🙏',
					'😊',
					'❤️',
					'🏽',
					'\ufe0f',
					'Oi, tudo bem',
					'Bom dia, tudo bem!',
					'Opa, beleza',
					'oi blz',
					'Olá! Tudo certo.',
					'hi, fine thanks',
					'Hey, alright',
					'thanks',
					'obrigado',
					'por favor',
					'please',
					'bom dia',
					'oi',
					'Ok thanks but no',
					'obrigado, não precisa',
					'chefe',
					'desculpe',
					'sorry',
					'yes, sorry',
					'sim, infelizmente',
				],
				[
					'Olá! Recebemos a sua mensagem e responderemos em breve.',
					'Ok! Your message was received. Reply YES to opt in or NO to opt out.',
					'Thank you for contacting us! Yes, we are open.',
					'https://example.com/yes',
					'yes@example.com',
					'sim.com.br',
					'ok.pdf',
					'yes.exe',
				],
			].flat(),
		)('by what says more, or nothing: %j', (said) => {
			expect(read(said)).toBeUndefined();
		});
	});
});

describe('labels of an approval', () => {
	it.each([
		['Reembolsar', true],
		['reembolsar, por favor', true],
		['sim, reembolsar', true],
		['Reembolsar 👍', true],
		['Reembolsar?', undefined],
		['Reembolsar 👎', undefined],
		['não reembolsar', false],
		['Não, não reembolsar', false],
		['não, reembolsar', false],
		['reembolsar não', undefined],
		['1. Reembolsar', true],
		['1. Não reembolsar', undefined],
		['2 - não reembolsar', false],
	])('count beside plain words: %j', (said, approved) => {
		expect(read(said, wanted('Reembolsar', 'Não reembolsar'))).toBe(approved);
	});

	it.each([
		['recusar', false],
		['não, recusar', false],
		['não recusar', undefined],
		['sim, recusar', undefined],
		['recusar 👍', undefined],
	])('are not turned round by a word before them: %j', (said, approved) => {
		expect(read(said, wanted('Aprovar', 'Recusar'))).toBe(approved);
	});

	it.each([
		['Yes!', 'Yes?', 'yes!', true],
		['Yes!', 'Yes?', 'Yes?', false],
		['Yes!', 'Yes?', 'yes', true],
		['Yes (all)', 'Yes [all]', 'yes all', undefined],
		['Refund?', 'Keep', 'Refund?', true],
		['Refund?', 'Keep', 'refund', true],
		['A+', 'A-', 'a-', false],
		['A+', 'A-', 'a', undefined],
		['👍 Refund', '👎 Keep', 'refund', true],
		['👍 Refund', '👎 Keep', '👎 keep', false],
		['+', '-', '-', false],
		['+', '-', '+', true],
		['1 year', '2 years', '2', false],
		['2 years', '1 year', '1', false],
		['2 years', '1 year', '2', true],
		['1. Sim', '2. Não', '2', false],
		['2. Sim', '1. Não', '1. não', false],
		['2. Sim', '1. Não', '1', false],
		['2. Sim', '1. Não', '1 sim', undefined],
		['100', '200', '1', undefined],
		['100', '200', '200', false],
		['Sim, com nota', 'Sim, sem nota', 'sim com nota', true],
		['Sim, com nota', 'Sim, sem nota', 'sim', undefined],
	])('are told apart: of %j and %j, %j', (yes, no, said, approved) => {
		expect(read(said, wanted(yes, no))).toBe(approved);
	});

	it('leave nothing to plain words where they turn these round', () => {
		const turned = wanted('No refund', 'OK');
		expect(read('ok', turned)).toBe(false);
		expect(read('OK, thanks', turned)).toBe(false);
		expect(read('no refund', turned)).toBe(true);
		for (const said of ['yes', 'no', 'sim', '👍', 'okay', 'ok 👍'])
			expect(read(said, turned)).toBeUndefined();
		expect(read('nope', wanted('No', 'Yes'))).toBeUndefined();
		expect(read('no', wanted('No', 'Yes'))).toBe(true);
		expect(read('1', wanted('No', 'Yes'))).toBe(true);
	});

	it.each([
		['Yes, reject it', 'No, approve it'],
		['Please reject', 'Please approve'],
		['Sim, recuso', 'Não, aprovo'],
	])('leave "approve" and "reject" without a meaning beside a yes that rejects: %j', (yes, no) => {
		const mixed = wanted(yes, no);
		for (const said of ['approve', 'approved', 'reject', 'I reject', 'aprovado', 'recuso'])
			expect(read(said, mixed)).toBeUndefined();
		for (const said of ['yes', 'Sim, por favor', yes, '1']) expect(read(said, mixed)).toBe(true);
		for (const said of ['no', 'não, obrigado', no, '2']) expect(read(said, mixed)).toBe(false);
	});

	it('and a button that says something else than its words decide nothing', () => {
		expect(read(['Press here', 'yes'])).toBe(true);
		expect(read(['Yes', '1'])).toBe(true);
		expect(read(['Yes', '2'])).toBeUndefined();
		expect(read(['No', 'yes'])).toBeUndefined();
	});
});
