import {
	labelOf,
	readList,
	readOutput,
	readResult,
} from '../../../nodes/MessagingGateway/api/answer';

describe('a result', () => {
	it.each([
		[{ data: { messageId: 'm1' } }, { messageId: 'm1' }],
		[{ messageId: 'm1' }, { messageId: 'm1' }],
		[{ data: null }, null],
		[[1], [1]],
		[undefined, undefined],
	])('of %j is %j', (body, result) => {
		expect(readResult(body)).toEqual(result);
	});
});

describe('a list', () => {
	it.each([
		['in data', { data: [{ id: 'a' }, { id: 'b' }] }],
		['inside data, under any name', { data: { total: 2, groups: [{ id: 'a' }, { id: 'b' }] } }],
		['alone', [{ id: 'a' }, { id: 'b' }]],
		['of bare ids', { data: ['a', 'b'] }],
	])('is found %s', (_where, body) => {
		expect(readList(body)).toEqual([{ id: 'a' }, { id: 'b' }]);
	});

	it.each([
		[{ data: 'a, b' }],
		[null],
		['[]'],
		[undefined],
		[{ error: 'The token is not valid' }],
		[{ error: 'The token is not valid', data: null }],
		[{ status: 'ok' }],
		[{ success: true }],
		[{ data: { success: true } }],
		[{ data: { id: 'a' } }],
		[{ data: { total: 3 } }],
		[{ total: 3 }],
		[{ data: { count: 3 } }],
		[{ data: false }],
		[{ data: '' }],
	])('is not seen in %j', (body) => {
		expect(readList(body)).toBeUndefined();
	});

	it.each([
		[{ data: [] }],
		[[]],
		[{ data: null }],
		[{ data: {} }],
		[{}],
		[{ data: { webhooks: null } }],
		[{ webhooks: null }],
		[{ data: { webhooks: null, total: 0, next: null, has_more: false } }],
		[{ data: null, meta: { page: 1, total: 0 } }],
		[{ data: { count: 0 } }],
		[{ success: true, error: null, data: null }],
		[{ data: { offset: 0, limit: 50, per_page: 50, page_size: 50, pages: 0, total_count: 0 } }],
	])('is empty in %j', (body) => {
		expect(readList(body)).toEqual([]);
	});
});

describe('what is put out', () => {
	it('is nothing where a send does not say its message id', () => {
		expect(readOutput({ data: { messageId: 'm1' } }, 'messageId')).toEqual([{ messageId: 'm1' }]);
		expect(readOutput({ data: { messageId: 7 } }, 'messageId')).toBeUndefined();
		expect(readOutput({ data: { success: true } }, 'messageId')).toBeUndefined();
	});

	it('is nothing where an object was expected and something else came', () => {
		expect(readOutput({ data: { success: true } }, 'object')).toEqual([{ success: true }]);
		expect(readOutput({ data: [] }, 'object')).toBeUndefined();
		expect(readOutput(undefined, 'object')).toBeUndefined();
	});
});

describe('a label', () => {
	it.each([
		[{ name: 'Família', subject: 'other' }, 'Família'],
		[{ name: ' ', subject: 'Futebol' }, 'Futebol'],
		[{ threadMetadata: { name: { text: 'Receitas' } } }, 'Receitas'],
		[{ name: 7 }, 'a'],
		[{}, 'a'],
	])('of %j is %j', (element, label) => {
		expect(labelOf(element as never, 'a')).toBe(label);
	});
});
