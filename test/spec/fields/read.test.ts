import {
	flagField,
	groupField,
	numberField,
	textField,
	type Field,
} from '../../../nodes/MessagingGateway/fields/field';
import { readField, readFlag, splitCommas } from '../../../nodes/MessagingGateway/fields/read';

it.each<[unknown, boolean]>([
	[true, true],
	[false, false],
	[' TRUE\n', true],
	['False ', false],
])('reads the switch %j', (value, flag) => {
	expect(readFlag(value)).toBe(flag);
});

it.each(['', 'yes', 'truely', 1, 0, null, undefined, []])('refuses the switch %j', (value) => {
	expect(() => readFlag(value)).toThrow('neither true nor false');
});

it.each<[string, unknown, string[]]>([
	['the array of the editor', ['a', 'b'], ['a', 'b']],
	['a text', ' a,b , c ', ['a', 'b', 'c']],
	['both', ['a, b', 'c'], ['a', 'b', 'c']],
	['an array written as JSON', ' ["a@g.us","b"]\n', ['a@g.us', 'b']],
	['a text that only looks like one', '[a,b', ['[a', 'b']],
	['a number of a spreadsheet', 7, ['7']],
	['commas only', ' , ,', []],
	['an expression that gives nothing', undefined, []],
	['other values', [null, undefined, {}, true, 'a'], ['a']],
])('splits %s at its commas', (_what, given, values) => {
	expect(splitCommas(given)).toEqual(values);
});

const NUMBER = { displayName: 'Pieces', name: 'pieces', default: 1 };
const WHOLE = numberField({ ...NUMBER, range: [1, 50], isWhole: true });
const ANY = numberField({ displayName: 'Seconds', name: 'seconds', default: 0, range: [0, 60] });
const TEXT = textField({ displayName: 'Text', name: 'text' });
const FLAG = flagField({ displayName: 'On', name: 'on', default: true });
const LIST: Field = { ...TEXT, required: false, isList: true };
const GROUP = groupField({ displayName: 'Group', name: 'group', title: 'Group', fields: [WHOLE] });
const MENU: Field = {
	...TEXT,
	type: 'options',
	options: [{ name: 'A', value: 'a' }],
	default: 'a',
};

it.each<[string, unknown, Field, unknown]>([
	['a number', 42, TEXT, '42'],
	['a date', new Date(0), TEXT, '1970-01-01T00:00:00.000Z'],
	['a list of blanks', ' , ', LIST, []],
	['a list of nothing', '', LIST, undefined],
	['the text "false"', 'false', FLAG, false],
	['nothing for a switch', undefined, FLAG, true],
	['nothing for a number', ' ', WHOLE, 1],
	['nothing for a choice that is not required', null, { ...MENU, required: false }, 'a'],
])('reads %s', (_what, raw, field, value) => {
	expect(readField(raw, field)).toEqual(value);
});

it.each<[string, unknown, Field, RegExp]>([
	['nothing', null, TEXT, /^'Text' is empty/],
	['a date that is none', new Date(NaN), TEXT, /^'Text' is empty/],
	['an object', { a: 1 }, TEXT, /^'Text' must be one value/],
	['an array', ['a', 'b'], TEXT, /^'Text' must be one value/],
	['no element', '[]', { ...LIST, required: true }, /^'Text' is empty/],
	['an object in a list', [{ id: 'a', name: 'A' }], LIST, /^'Text' holds an object\..*\.id/],
	['one object beside texts', ['a', { id: 'b' }], LIST, /^'Text' holds an object/],
	['objects written as JSON', '[{ "id": "a" }]', LIST, /^'Text' holds an object/],
	['no choice', undefined, MENU, /^'Text' is empty/],
	['another choice', 'b', MENU, /^"b" cannot be 'Text'\. Use a\.$/],
])('refuses %s', (_what, raw, field, words) => {
	expect(() => readField(raw, field)).toThrow(words);
});

it.each<[unknown, unknown]>([
	[{}, undefined],
	[null, undefined],
	[{ values: {} }, { pieces: 1 }],
	[{ values: { pieces: '7', other: 3 } }, { pieces: 7 }],
])('reads the group %j as %j', (raw, values) => {
	expect(readField(raw, GROUP)).toEqual(values);
});

it.each([{ values: null }, false, 'x', 4, [], { values: 'x' }, { values: [] }])(
	'refuses %j as a group by its name',
	(value) => expect(() => readField(value, GROUP)).toThrow("'Group' holds no values. Remove it"),
);

it('gives the editor the same bounds', () => {
	expect(WHOLE.typeOptions).toEqual({ minValue: 1, maxValue: 50 });
});

it('takes a number within its bounds', () => {
	expect([1, ' 50 ', 50].map(WHOLE.parse)).toEqual([1, 50, 50]);
	expect([0, '0.5', 60].map(ANY.parse)).toEqual([0, 0.5, 60]);
});

it('names another way behind a refusal', () => {
	const slow = numberField({ ...NUMBER, range: [0, 9], otherWay: 'Or wait.' });
	expect(() => slow.parse(-1)).toThrow(/Enter a number from 0 to 9\. Or wait\.$/);
});

it.each([0, 51, 1.5, '', ' ', 'many', null, undefined, true, [5], NaN])(
	'refuses %j as a whole number from 1 to 50',
	(value) =>
		expect(() => WHOLE.parse(value)).toThrow(
			/ cannot be 'Pieces'\. Enter a whole number from 1 to 50\.$/,
		),
);
