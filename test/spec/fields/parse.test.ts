import { numberField } from '../../../nodes/MessagingGateway/fields/field';
import {
	parseEvents,
	parseFlag,
	parseGroup,
	splitCommas,
} from '../../../nodes/MessagingGateway/fields/parse';

it.each<[unknown, boolean]>([
	[true, true],
	[false, false],
	[' TRUE\n', true],
	['False ', false],
])('reads the switch %j', (value, flag) => {
	expect(parseFlag(value)).toBe(flag);
});

it.each(['', 'yes', 'truely', 1, 0, null, undefined, []])('refuses the switch %j', (value) => {
	expect(() => parseFlag(value)).toThrow('neither true nor false');
});

it.each<[string, unknown, string[]]>([
	['the array of the editor', ['a', 'b'], ['a', 'b']],
	['a text', ' a,b , c ', ['a', 'b', 'c']],
	['both', ['a, b', 'c'], ['a', 'b', 'c']],
	['a number of a spreadsheet', 7, ['7']],
	['commas only', ' , ,', []],
	['an expression that gives nothing', undefined, []],
	['other values', [null, undefined, {}, true, 'a'], ['a']],
])('splits %s at its commas', (_what, given, values) => {
	expect(splitCommas(given)).toEqual(values);
});

it('joins chosen and custom events, each once', () => {
	expect(parseEvents(['A.B', 'C.D'], 'C.D, E.F')).toEqual(['A.B', 'C.D', 'E.F']);
	expect(parseEvents('A.B, C.D', undefined)).toEqual(['A.B', 'C.D']);
});

it('reads a group', () => {
	expect(parseGroup({ values: { seconds: 3 } }, 'Group')).toEqual({ seconds: 3 });
});

it.each([{}, { values: null }, null, false, 'x', 4, [], { values: 'x' }, { values: [] }])(
	'refuses %j as a group by its name',
	(value) => expect(() => parseGroup(value, 'Group')).toThrow("'Group' holds no values. Remove it"),
);

const WHOLE = numberField({
	displayName: 'Pieces',
	name: 'pieces',
	default: 1,
	range: [1, 50],
	isWhole: true,
});
const ANY = numberField({ displayName: 'Seconds', name: 'seconds', default: 0, range: [0, 60] });

it('gives the editor the same bounds', () => {
	expect(WHOLE.typeOptions).toEqual({ minValue: 1, maxValue: 50 });
});

it('takes a number within its bounds', () => {
	expect([1, ' 50 ', 50].map(WHOLE.parse)).toEqual([1, 50, 50]);
	expect([0, '0.5', 60].map(ANY.parse)).toEqual([0, 0.5, 60]);
});

it.each([0, 51, 1.5, '', ' ', 'many', null, undefined, true, [5], NaN])(
	'refuses %j as a whole number from 1 to 50',
	(value) =>
		expect(() => WHOLE.parse(value)).toThrow(
			/ cannot be 'Pieces'\. Enter a whole number from 1 to 50\.$/,
		),
);

it.each([-0.1, 60.1, '', Infinity])('refuses %j as a number from 0 to 60', (value) => {
	expect(() => ANY.parse(value)).toThrow(/ cannot be 'Seconds'\. Enter a number from 0 to 60\.$/);
});
