import { splitCommas } from '../../../nodes/MessagingGateway/fields/typed';

describe('values separated by commas', () => {
	it.each<[string, unknown, string[]]>([
		['the array of the editor', ['a', 'b'], ['a', 'b']],
		['a text', ' a,b , c ', ['a', 'b', 'c']],
		['both', ['a, b', 'c'], ['a', 'b', 'c']],
		['a number, as a spreadsheet has it', 7, ['7']],
		['an array with numbers', [7, '8'], ['7', '8']],
		['commas only', ' , ,', []],
		['an empty text', '', []],
		['an expression that gives nothing', undefined, []],
		['an expression that gives null', null, []],
		['what is no value', [null, undefined, {}, true, 'a'], ['a']],
	])('are read from %s', (_what, given, values) => {
		expect(splitCommas(given)).toEqual(values);
	});
});
