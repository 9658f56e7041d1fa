import {
	displayNameOf,
	readItems,
	readList,
} from '../../../nodes/MessagingGateway/gateway/content';

it.each([
	['in data', { data: [{ id: 'a' }, { id: 'b' }] }],
	[
		'inside data, under any name',
		{ data: { total: 2, groups: [{ id: 'a' }, { id: 'b' }], tags: ['c'] } },
	],
	['alone', [{ id: 'a' }, { id: 'b' }]],
	['with IDs alone', { data: ['a', 'b'] }],
])('finds a list %s', (_where, body) => {
	expect(readList(body)).toEqual([{ id: 'a' }, { id: 'b' }]);
});

it.each([[{ data: [] }], [[]], [{ data: null }], [{ data: {} }], [{}], [null]])(
	'reads an empty list from %j',
	(body) => expect(readList(body)).toEqual([]),
);

it.each([
	[{ data: 'a, b' }],
	['<html></html>'],
	[''],
	[undefined],
	[{ error: 'No' }],
	[{ data: { success: true } }],
	[{ data: false }],
])('finds no list in %j', (body) => expect(readList(body)).toBeUndefined());

it('puts out what the operation expects, and nothing else', () => {
	expect(readItems({ data: { messageId: 'm1' } }, 'messageId')).toEqual([{ messageId: 'm1' }]);
	expect(readItems({ messageId: 'm1' }, 'messageId')).toEqual([{ messageId: 'm1' }]);
	expect(readItems({ data: { secret: 'whsec_a' } }, 'secret')).toEqual([{ secret: 'whsec_a' }]);
	expect(readItems({ data: { success: true } }, 'object')).toEqual([{ success: true }]);
	expect(readItems({ data: [] }, 'object')).toBeUndefined();
	expect(readItems({ data: [{ id: 'a' }] }, 'list')).toEqual([{ id: 'a' }]);
});

it.each([
	[{ name: 'Família', subject: 'other' }, 'Família'],
	[{ name: ' ', subject: 'Futebol' }, 'Futebol'],
	[{ name: 7 }, 'a'],
	[{}, 'a'],
])('labels %j as %j', (element, label) => {
	expect(displayNameOf(element as never, 'a')).toBe(label);
});
