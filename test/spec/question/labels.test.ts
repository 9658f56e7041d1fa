import { linesOf, listLabels, readCode } from '../../../nodes/MessagingGateway/question/labels';

const choice = (labels: string[]) => ({ type: 'choice' as const, labels, code: '' });
const numbersOf = (labels: string[]) =>
	linesOf(choice(labels))
		.map(({ number }) => number)
		.join('');

it('lists an approval with numbers of its own, a choice as a menu, and nothing for a reply', () => {
	expect(listLabels({ type: 'approval', labels: ['Yes', 'No'], code: '271' })).toBe(
		'2711. Yes\n2712. No',
	);
	expect(listLabels(choice(['Tomorrow', 'Friday']))).toBe('1. Tomorrow\n2. Friday');
	expect(listLabels({ type: 'reply', labels: [], code: '' })).toBe('');
});

it.each([
	{ labels: ['Table for 2', 'Table for 4'], numbers: 'ab' },
	{ labels: ['1–2', '3–4', '5 or more'], numbers: 'abc' },
	{ labels: ['Yes', 'No', '2', 'Rua 7'], numbers: 'abcd' },
	{ labels: ['2pm', '5pm'], numbers: 'ab' },
	{ labels: ['Room ２', 'Room 7'], numbers: 'ab' },
	{ labels: ['Table for 5', 'Table for 7'], numbers: '12' },
	{ labels: ['Tue 9:00', 'Tue 10:30'], numbers: '12' },
	{
		labels: ['8:00', '9:00', '10:00', '11:00', '13:00', '14:00', '15:00', '16:00'],
		numbers: '12345678',
	},
	{ labels: ['R$ 1,50', 'R$ 2.50'], numbers: '12' },
	{ labels: ['1/2 kg', '2/3 kg'], numbers: '12' },
	{ labels: ['9h30', '1h15'], numbers: '12' },
	{ labels: ['Zone B1', 'Zone B2'], numbers: '12' },
	{ labels: ['12', '21'], numbers: '12' },
	{ labels: ['1st floor', '2nd floor'], numbers: 'ab' },
])('gives $labels the numbers $numbers', ({ labels, numbers }) => {
	expect(numbersOf(labels)).toBe(numbers);
});

it.each([
	{ labels: ['1. Sales', '2. Support'] },
	{ labels: ['1) Sales', '2) Support'] },
	{ labels: ['1️⃣ Sales', '2️⃣Support'] },
	{ labels: ['1 - Sales', '2 – Support'] },
	{ labels: ['(1) Sales', '[2] Support'] },
	{ labels: ['1. 9:00', '2. 10:30'] },
	{ labels: ['1', '2', '3'] },
])('leaves the menu $labels as its author has numbered it', ({ labels }) => {
	expect(listLabels(choice(labels))).toBe(labels.join('\n'));
	expect(numbersOf(labels)).toBe('123'.slice(0, labels.length));
});

it.each([
	{ labels: ['2. Sales', '1. Support'], numbers: 'ab' },
	{ labels: ['1. Sales', 'Support'], numbers: 'ab' },
	{ labels: ['1–2', '2–4'], numbers: 'ab' },
	{ labels: ['1.5 kg', '2.5 kg'], numbers: '12' },
	{ labels: ['1 000', '2 000'], numbers: 'ab' },
])('$labels is no menu that its author has numbered', ({ labels, numbers }) => {
	expect(listLabels(choice(labels))).not.toBe(labels.join('\n'));
	expect(numbersOf(labels)).toBe(numbers);
});

it.each([
	{ text: '2711', code: '271' },
	{ text: '“2712” no', code: '271' },
	{ text: '2711 please', code: '271' },
	{ text: '٢٧١١', code: '271' },
	{ text: '2713', code: undefined },
	{ text: '0711', code: undefined },
	{ text: '27111', code: undefined },
	{ text: 'yes 2711', code: undefined },
	{ text: '', code: undefined },
])('a text $text begins with the number of the approval $code', ({ text, code }) => {
	expect(readCode(text)).toBe(code);
});
