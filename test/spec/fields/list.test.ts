import { listFields } from '../../../nodes/MessagingGateway/fields/list';

const clean = (wanted: string, value: unknown): unknown =>
	listFields.find(({ name }) => name === wanted)?.clean?.(value, undefined, {} as never);

it.each([1, 50, 1e6])('a limit of %d is one', (limit) => {
	expect(clean('limit', limit)).toBe(limit);
	expect(clean('limit', String(limit))).toBe(limit);
});

it.each([0, -1, 1.5, 'many', NaN, Infinity])('%s is no limit', (limit) => {
	expect(() => clean('limit', limit)).toThrow('Enter a whole number of at least 1.');
});

it('all is wanted only where somebody says so', () => {
	expect(['true', 'false', true].map((value) => clean('returnAll', value))).toEqual([
		true,
		false,
		true,
	]);
	expect(() => clean('returnAll', 'all')).toThrow('neither true nor false');
});

it('a limit is asked for only where not all is wanted', () => {
	expect(listFields.map(({ default: value, displayOptions }) => [value, displayOptions])).toEqual([
		[false, undefined],
		[50, { show: { returnAll: [false] } }],
	]);
});
