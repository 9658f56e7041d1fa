import { bounded, readFlag } from '../../../nodes/MessagingGateway/fields/typed';

it.each<[unknown, boolean | undefined]>([
	[true, true],
	[false, false],
	[' TRUE\n', true],
	['False ', false],
	['', undefined],
	['yes', undefined],
	['truely', undefined],
	[1, undefined],
	[0, undefined],
	[null, undefined],
	[undefined, undefined],
	[[], undefined],
])('%j is, as a switch, %s', (value, flag) => {
	if (flag === undefined) expect(() => readFlag(value)).toThrow('neither true nor false');
	else expect(readFlag(value)).toBe(flag);
});

const WHOLE = bounded('Pieces', { from: 1, to: 50, isWhole: true });
const ANY = bounded('Seconds', { from: 0, to: 60 });

it('bounds are those of the editor too', () => {
	expect(WHOLE.typeOptions).toEqual({ minValue: 1, maxValue: 50 });
	expect(ANY.typeOptions).toEqual({ minValue: 0, maxValue: 60 });
});

it.each<[typeof ANY, unknown, number]>([
	[WHOLE, 1, 1],
	[WHOLE, ' 50 ', 50],
	[ANY, 0, 0],
	[ANY, '0.5', 0.5],
	[ANY, 60, 60],
])('%#: a number within its bounds is taken: %j', (field, value, number) => {
	expect(field.clean(value)).toBe(number);
});

it.each<[typeof ANY, unknown]>([
	...[0, 51, 1.5, '', ' ', 'many', null, undefined, true, [5], NaN].map(
		(value): [typeof ANY, unknown] => [WHOLE, value],
	),
	...[-0.1, 60.1, '', ' \n', Infinity].map((value): [typeof ANY, unknown] => [ANY, value]),
])('%#: what is no such number is refused, by the name of the field: %j', (field, value) => {
	expect(() => field.clean(value)).toThrow(
		field === WHOLE
			? / cannot be Pieces\. Enter a whole number from 1 to 50, or remove the option\.$/
			: / cannot be Seconds\. Enter a number from 0 to 60, or remove the option\.$/,
	);
});
