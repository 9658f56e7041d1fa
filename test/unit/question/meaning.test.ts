import {
	listLabels,
	readMeaning,
	type Wanted,
} from '../../../nodes/MessagingGateway/question/meaning';

const CHOICES = ['Tomorrow morning', 'Amanhã à tarde', 'Não sei'];
const choice: Wanted = { type: 'choice', labels: CHOICES };
const approval: Wanted = { type: 'approval', labels: ['Aprovar', 'Recusar'] };

const chosen = (...said: string[]) => readMeaning(choice, said)?.choice;
const approved = (...said: string[]) => readMeaning(approval, said)?.approved;

describe('a reply', () => {
	it.each(['', 'Whatever', '1', '👍'])('may be %j', (text) => {
		expect(readMeaning({ type: 'reply', labels: [] }, [text])).toEqual({});
	});
});

describe('a choice', () => {
	it.each([
		['1', CHOICES[0]],
		[' 2. ', CHOICES[1]],
		['3)', CHOICES[2]],
		['#1', CHOICES[0]],
		['2️⃣', CHOICES[1]],
		['２', CHOICES[1]],
		['tomorrow MORNING!', CHOICES[0]],
		['amanha a tarde', CHOICES[1]],
		['AMANHÃ  À   TARDE.', CHOICES[1]],
		['amanha\u0303 a\u0300 tarde', CHOICES[1]],
		['nao sei', CHOICES[2]],
		['3. Não sei', CHOICES[2]],
		['2 👍', CHOICES[1]],
		['Não sei 😢', CHOICES[2]],
	])('is made by %j', (text, label) => {
		expect(chosen(text)).toBe(label);
	});

	it.each(['', '0', '4', '12', '1 2', 'tomorrow', 'yes', '1 Não sei', 'morning tomorrow', '!'])(
		'is not made by %j',
		(text) => {
			expect(chosen(text)).toBeUndefined();
		},
	);

	it('is made by a button, by its number as well as by its words, whatever stands on it', () => {
		expect(chosen('Press here', '2')).toBe(CHOICES[1]);
		expect(chosen('Press here', 'nao_sei')).toBe(CHOICES[2]);
		expect(chosen('Press here', 'other')).toBeUndefined();
	});

	it.each([
		[['A+', 'A-', 'O+', 'O-'], 'O-', 'O-'],
		[['A+', 'A-', 'O+', 'O-'], 'o+', 'O+'],
		[['A+', 'A-', 'O+', 'O-'], 'O−', 'O-'],
		[['A+', 'A-', 'O+', 'O-'], '*a-*', undefined],
		[['A+', 'A-', 'O+', 'O-'], 'O', undefined],
		[['A+', 'A-', 'O+', 'O-'], '4', 'O-'],
		[['A+', 'A-', 'O+', 'O-'], '-4', undefined],
		[['A+', 'B+'], 'a', 'A+'],
		[['A+', 'B+'], 'a-', undefined],
		[['Avó', 'Avô'], 'Avô', 'Avô'],
		[['Avó', 'Avô'], 'avô!', 'Avô'],
		[['Avó', 'Avô'], 'AVO\u0302', 'Avô'],
		[['Avó', 'Avô'], 'avo', undefined],
		[['Avó', 'Avô'], '2. Avô', 'Avô'],
		[['C++', 'C#'], 'C#', 'C#'],
		[['C++', 'C#'], 'c++', 'C++'],
		[['C++', 'C#'], 'c', undefined],
		[['+', '-'], '-', '-'],
		[['+', '-'], ' + ', '+'],
		[['+', '-'], '2', '-'],
		[['2 people', '3 people', '4 people'], '3', '3 people'],
		[['2 people', '3 people', '4 people'], '3.', '3 people'],
		[['2 people', '3 people', '4 people'], '3 People', '3 people'],
		[['2 people', '3 people', '4 people'], '1', undefined],
		[['2 people', '3 people', '4 people'], 'people', undefined],
		[['2.5 kg', '2 kg', '5 kg'], '2', '2 kg'],
		[['2.5 kg', '2 kg', '5 kg'], '2.5', '2.5 kg'],
		[['2.5 kg', '2 kg', '5 kg'], '5', '5 kg'],
		[['10:00', '10:30'], '10:30', '10:30'],
		[['10:00', '10:30'], '10', undefined],
		[['10h', '10h30'], '10', undefined],
		[['10h', '10h30'], '10H', '10h'],
		[['-5 °C', '+5 °C'], '-5', '-5 °C'],
		[['-5 °C', '+5 °C'], '5', undefined],
		[['1. Manhã', '2. Tarde'], 'tarde', '2. Tarde'],
		[['1️⃣ Manhã', '2️⃣ Tarde'], '2', '2️⃣ Tarde'],
		[['1️⃣ Manhã', '2️⃣ Tarde'], 'Manhã', '1️⃣ Manhã'],
		[['🍕 Pizza', '🍣 Sushi'], 'sushi', '🍣 Sushi'],
		[['👍 Pizza', '👎 Pizza'], 'pizza', undefined],
		[['👍 Pizza', '👎 Pizza'], '👎 pizza', '👎 Pizza'],
		[['Sim', 'SIM'], 'SIM', 'SIM'],
		[['Sim', 'SIM'], 'sim', undefined],
		[['Yes?', 'Yes!'], 'Yes?', 'Yes?'],
		[['Red', 'Blue'], 'Red?', undefined],
		[['Red', 'Blue'], '~red~', undefined],
		[['Red', 'Blue'], 'not red', undefined],
		[['Red', 'Blue'], '1?', undefined],
		[['Red', 'Blue'], '+1', undefined],
		[['Red', 'Blue'], '1 👎', undefined],
		[['Red', 'Blue'], 'Blue, please', 'Blue'],
		[['Red', 'Blue'], 'Oi, 2 por favor 🙏', 'Blue'],
		[['Obrigado', 'De nada'], 'obrigado', 'Obrigado'],
		[['का', 'की'], 'की', 'की'],
		[['Segunda-feira', 'Terça-feira'], 'terca feira', 'Terça-feira'],
	])('of %j is made by %j: %j', (labels, said, label) => {
		expect(readMeaning({ type: 'choice', labels }, [said])?.choice).toBe(label);
	});

	it('of numbers is made by their words alone', () => {
		const sizes: Wanted = { type: 'choice', labels: ['3', '2', '10'] };
		expect(readMeaning(sizes, ['3'])).toEqual({ choice: '3' });
		expect(readMeaning(sizes, ['1'])).toBeUndefined();
		expect(listLabels(sizes)).toBe('- 3\n- 2\n- 10');
	});

	it('of signs is made by them or by their numbers', () => {
		const signs: Wanted = { type: 'choice', labels: ['🍕', '🍣', '?'] };
		expect(readMeaning(signs, ['🍣'])).toEqual({ choice: '🍣' });
		expect(readMeaning(signs, ['3'])).toEqual({ choice: '?' });
		expect(readMeaning(signs, ['!!'])).toBeUndefined();
	});

	it('is not looked for in what is far too long for one', () => {
		const normalize = jest.spyOn(String.prototype, 'normalize');
		expect(chosen(`1${'\u0301'.repeat(5_000_000)}2`)).toBeUndefined();
		expect(chosen(`1${' '.repeat(5_000_000)}`)).toBe(CHOICES[0]);
		const read = normalize.mock.contexts.map((text) => String(text).length);
		normalize.mockRestore();
		expect(Math.max(...read)).toBeLessThanOrEqual(1_000);
	});
});

describe('an approval', () => {
	it.each([
		'1',
		'aprovar',
		'Yes',
		'YES!!',
		'yes, please',
		'Ok.',
		'okay',
		'sure',
		'go ahead',
		'approved',
		'👍',
		'👍🏽',
		'👍👍',
		'Sim 👍🏽',
		'sim!!🙏❤️',
		'Ok, obrigada 😊',
		'Sim 👍 obrigado',
		'1 👍',
		'aprovar ✅🙏',
		'✅',
		'sim',
		'SIM',
		'Sim, por favor',
		'sim sim',
		'pode',
		'Pode, obrigada!',
		'claro',
		'tá bom',
		'Aprovado',
		'autorizo',
		's',
		'y',
	])('is given by %j', (text) => {
		expect(approved(text)).toBe(true);
	});

	it.each([
		'2',
		'recusar',
		'no',
		'No, thanks',
		'nope',
		'decline',
		'rejected',
		'don’t',
		'do not',
		'👎',
		'não 😢',
		'No ❌',
		'2 😢',
		'❌',
		'não',
		'nao',
		'NÃO!',
		'não, obrigado',
		'não autorizo',
		'negativo',
		'n',
		'de jeito nenhum',
	])('is refused by %j', (text) => {
		expect(approved(text)).toBe(false);
	});

	it.each([
		'',
		'yes but only half of it',
		'sim, mas só metade',
		'no idea',
		'maybe',
		'talvez',
		'not sure',
		'ok?  why',
		'yes no',
		'yes 👎',
		'👍👎',
		'🙏',
		'simples 👍',
		'1 👎',
		'recusar 👍',
		'3',
		'known',
		'simples',
		'não sei',
		'use another way',
	])('is neither with %j', (text) => {
		expect(approved(text)).toBeUndefined();
	});

	it('lists its labels with numbers', () => {
		expect(listLabels(approval)).toBe('1. Aprovar\n2. Recusar');
	});
});
