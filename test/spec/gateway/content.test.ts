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

const MESSAGE = { messageId: 'm1' };

it.each([
	[{ result: MESSAGE }],
	[{ data: { message: MESSAGE } }],
	[{ data: { messages: [MESSAGE] } }],
	[{ data: [MESSAGE] }],
	[[MESSAGE]],
	[{ response: { sent: MESSAGE }, status: 'ok' }],
	[{ messageId: 'm1', message: MESSAGE }],
	// The documented place counts first, whatever else is quoted.
	[{ data: { ...MESSAGE, quoted: { messageId: 'm0' } } }],
])('finds the only messageId of the first three levels of %j', (body) => {
	expect(readItems(body, 'messageId')).toEqual([expect.objectContaining(MESSAGE)]);
});

it.each([
	[{ data: { messages: [MESSAGE, { messageId: 'm2' }] } }],
	[{ result: MESSAGE, data: { message: { messageId: 'm2' } } }],
	[{ data: { message: { key: MESSAGE } } }],
	[{ data: { message: { messageId: 7 } } }],
	[{ data: { message: { messageId: '' } } }],
	['m1'],
	[null],
])('finds no messageId in %j', (body) => {
	expect(readItems(body, 'messageId')).toBeUndefined();
});

it.each([
	[{ name: 'Família', subject: 'other' }, 'Família'],
	[{ name: ' ', subject: 'Futebol' }, 'Futebol'],
	[{ name: 7 }, 'a'],
	[{}, 'a'],
])('labels %j as %j', (element, label) => {
	expect(displayNameOf(element as never, 'a')).toBe(label);
});
