import { readGroup } from '../../../nodes/MessagingGateway/fields/typed';

it.each([
	[{}, {}],
	[{ values: null }, {}],
	[{ values: {} }, {}],
	[{ values: { quietSeconds: 3 } }, { quietSeconds: 3 }],
])('%j is a group', (value, fields) => {
	expect(readGroup(value, 'Group')).toEqual(fields);
});

it.each([null, false, 'x', '5 minutes', 4, [], { values: 'x' }, { values: [] }])(
	'%j is none, and is never taken for one with its defaults',
	(value) => {
		expect(() => readGroup(value, 'Group')).toThrow('Group holds no group of fields.');
	},
);
