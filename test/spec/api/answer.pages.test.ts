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
	expect(isCutAfterTwo([1, 2], '<?page=3>;rel=next')).toBe(true);
	expect(isCutAfterTwo([1, 2], '<?page=3>; REL="Next"')).toBe(true);
	expect(isCutAfterTwo([1, 2], '<?page=1>; rel="prev"')).toBe(false);
	expect(isCutAfterTwo([1, 2], '<?page=1>; rel="nextcloud"')).toBe(false);
});

// The names that services have for the same, whatever their case.

const each = (names: string[], value: unknown): Array<Record<string, unknown>> =>
	names.map((name) => ({ [name]: value }));

it.each([
	...each(['next', 'next_page', 'nextUrl'], '?page=2'),
	...each(['nextCursor', 'cursor'], 'abc'),
	...each(['has_more', 'hasNext', 'hasNextPage', 'has_next_page'], true),
	...each(['pages', 'totalPages', 'last_page'], 2),
	...each(['total', 'totalCount'], 3),
])('a list is cut that says %j, wherever it says so', (facts) => {
	for (const body of [facts, { data: facts }]) expect(isCutAfterTwo(body)).toBe(true);
	for (const inside of ['meta', 'pagination', 'paging', 'pageInfo', '_links', 'cursors'])
		expect(isCutAfterTwo({ data: [1, 2], [inside]: facts })).toBe(true);
	expect(isCutAfterTwo({ data: [1, 2], other: facts })).toBe(false);
});

it.each(['page', 'currentPage', 'current_page'])(
	'a list is whole on its last page by %s',
	(name) => {
		expect(isCutAfterTwo({ [name]: 3, pages: 3 })).toBe(false);
		expect(isCutAfterTwo({ [name]: 2, pages: 3 })).toBe(true);
	},
);

it('a list is whole that has one page, without saying which it is', () => {
	expect(isCutAfterTwo({ data: [1, 2], pages: 1 })).toBe(false);
});

it('what an answer says first counts', () => {
	expect(isCutAfterTwo({ total: 5, data: { list: [1, 2], total: 2 } })).toBe(true);
	expect(isCutAfterTwo({ total: 2, data: { list: [1, 2], total: 5 } })).toBe(false);
});
