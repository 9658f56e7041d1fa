import { isCut } from '../../../nodes/MessagingGateway/api/answer';

function isCutAfterTwo(body: unknown, link?: string): boolean {
	return isCut({ status: 200, headers: link === undefined ? {} : { link }, body, path: '' }, 2);
}

it.each([
	['the API document shows', { data: [1, 2] }],
	['is bare', [1, 2]],
	['holds as many as it says', { data: [1, 2], total: 2, page: 1 }],
	['holds as many as all pages', { data: { list: [1, 2], page: '1', pages: '1' } }],
	['has nothing next', { data: [1, 2], next: null, cursor: '', links: { next: null } }],
	['has a cursor of 0', { data: [1, 2], cursor: 0 }],
	['has no more, whatever the cursor', { data: [1, 2], cursor: 'abc', has_more: false }],
	['says nothing usable', { data: [1, 2], total: 'many', page: 'first' }],
])('a list is whole that %s', (_what, body) => {
	expect(isCutAfterTwo(body)).toBe(false);
});

it.each([
	{ next: 'https://gateway.example.com/v1/webhooks?page=2' },
	{ next: '?page=2' },
	{ data: { next: 2 } },
	{ _links: { next: { href: '?page=2' } } },
	{ paging: { cursors: { after: 'x' }, nextCursor: 'abc' } },
	{ meta: { Next_Cursor: 7 } },
	{ total: '5' },
	{ page: 0, pages: 3 },
	{ total: 5, offset: 0, limit: 2 },
	{ data: [1, 2], hasMore: true },
])('a list is cut that says %j', (body) => {
	expect(isCutAfterTwo(body)).toBe(true);
});

it('a list is cut whose Link header names a next page', () => {
	expect(isCutAfterTwo([1, 2], '<?page=1>; rel="prev", <?page=3>; title="on"; rel="next"')).toBe(
		true,
	);
	expect(isCutAfterTwo([1, 2], '<?page=1>; rel="prev"')).toBe(false);
});
