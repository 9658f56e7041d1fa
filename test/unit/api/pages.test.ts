import type { IDataObject } from 'n8n-workflow';
import { readRest } from '../../../nodes/MessagingGateway/api/pages';

const PLACE = 'https://gateway.example.com/api/v1/webhooks';

function rest(
	body: unknown,
	progress: { query?: IDataObject; total?: number; onPage?: number } = {},
	link?: string,
) {
	return readRest(
		{ status: 200, headers: link === undefined ? {} : { link }, body, path: '' },
		{ query: {}, place: PLACE, total: 2, onPage: 2, ...progress },
	);
}

const END = { isMore: false };
const LOST = { isMore: true, query: undefined };

it.each([
	['the API document shows', { data: [1, 2] }],
	['is bare', [1, 2]],
	['holds as many as it says', { data: [1, 2], total: 2, page: 1 }],
	['holds as many as all pages', { data: { list: [1, 2], page: '1', pages: '1' } }],
	['has nothing next', { data: [1, 2], next: null, cursor: '', links: { next: null } }],
	['has a cursor of 0', { data: [1, 2], cursor: 0 }],
	['has no more, whatever the cursor', { data: [1, 2], cursor: 'abc', has_more: false }],
	['says nothing usable', { data: [1, 2], total: 'many', page: 'first' }],
])('a list ends that %s', (_what, body) => {
	expect(rest(body)).toEqual(END);
});

it('a list ends that was asked for a cursor and gives the same one', () => {
	expect(rest({ data: [1, 2], cursor: 'abc' }, { query: { cursor: 'abc' } })).toEqual(END);
});

it.each<[body: unknown, query: IDataObject]>([
	[{ next: `${PLACE}?after=x&limit=2` }, { after: 'x', limit: '2' }],
	[{ next: `${PLACE}/?page=2` }, { page: '2' }],
	[{ next: 'http://gateway.example.com/api/v1/webhooks?page=2' }, { page: '2' }],
	[{ next: '/api/v1/webhooks?page=2' }, { page: '2' }],
	[{ next: '?page=2' }, { page: '2' }],
	[{ data: { next: 2 } }, { page: 2 }],
	[{ _links: { next: { href: '?page=2' } } }, { page: '2' }],
	[{ paging: { cursors: { after: 'x' }, nextCursor: 'abc' } }, { cursor: 'abc' }],
	[{ meta: { Next_Cursor: 7 } }, { cursor: '7' }],
	[{ total: '5' }, { page: 2 }],
	[{ page: 0, pages: 3 }, { page: 1 }],
	[{ total: 5, offset: 0, limit: 2 }, { offset: 2 }],
])('goes on where %j says', (body, query) => {
	expect(rest(body)).toEqual({ isMore: true, query });
});

it('counts the pages itself where the answer names only the total', () => {
	expect(rest({ total: 5 }, { query: { page: 2 }, total: 4 })).toEqual({
		isMore: true,
		query: { page: 3 },
	});
});

it('goes on where the Link header says', () => {
	const link = `<${PLACE}?page=1>; rel="prev", <${PLACE}?page=3>; title="on"; rel="next"`;
	expect(rest([1, 2], {}, link)).toEqual({ isMore: true, query: { page: '3' } });
	expect(rest([1, 2], {}, `<${PLACE}?page=1>; rel="prev"`)).toEqual(END);
});

it.each([
	'https://other.example.com/api/v1/webhooks?page=2',
	'https://gateway.example.com:8443/api/v1/webhooks?page=2',
	'//other.example.com/api/v1/webhooks?page=2',
	'/api/v1/instances?page=2',
	'/api/v1/webhooks/x?page=2',
	'/api/v1/webhooks/../instances?page=2',
	'/v1/webhooks?page=2',
	'https://',
])('does not follow a link that leads elsewhere: %s', (next) => {
	expect(rest({ next })).toEqual(LOST);
});
