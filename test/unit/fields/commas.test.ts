import { splitCommas } from '../../../nodes/MessagingGateway/fields/commas';
import { readEvents } from '../../../nodes/MessagingGateway/fields/events';
import { readIds } from '../../../nodes/MessagingGateway/fields/ids';

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

	it('are the events to subscribe to, each once', () => {
		expect(readEvents(['A.B', 'C.D'], 'C.D, E.F')).toEqual(['A.B', 'C.D', 'E.F']);
		expect(readEvents('A.B, C.D', undefined)).toEqual(['A.B', 'C.D']);
	});

	it('are the groups to add, of which there must be one', () => {
		expect(readIds('1@g.us, 2@g.us')).toEqual(['1@g.us', '2@g.us']);
		expect(() => readIds(' , ')).toThrow('No group is chosen');
	});
});
