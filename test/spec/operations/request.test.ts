import { StreamedBody } from '../../../nodes/MessagingGateway/api/streamedBody';
import { api } from '../../../nodes/MessagingGateway/operations/api';
import type { Values } from '../../../nodes/MessagingGateway/operations/operation';
import {
	composeRequest,
	readFreePath,
	readJsonBody,
	readQuery,
	recipientOf,
} from '../../../nodes/MessagingGateway/operations/request';

const values = (changes: object = {}): Values =>
	({ method: 'POST', path: '/v1/x', token: 'instance', options: {}, ...changes }) as Values;

it.each([
	[' /v1/groups\n', '/v1/groups'],
	['/v1/a%20b/', '/v1/a%20b/'],
])('the path %j is %j', (typed, path) => {
	expect(readFreePath(typed)).toBe(path);
});

it.each([
	['', 'empty'],
	[7, 'empty'],
	['//evil.example.com/v1/x', 'no full address'],
	['HTTPS://evil.example.com/v1/x', 'no full address'],
	['/v1/x?a=1', 'Put what follows the "?" into Query'],
	['/v1/x#a', '"?" or "#"'],
	['/v1', 'not a plain path'],
	['/v1x/groups', 'not a plain path'],
	['/v11/groups', 'not a plain path'],
	['/v1/../x', 'not a plain path'],
])('the path %j is refused', (typed, words) => {
	expect(() => readFreePath(typed)).toThrow(words);
});

describe('a query', () => {
	const read = (...parameters: Array<{ name: string; value: unknown }>) =>
		readQuery({ parameters });

	it('holds all values of each name, in their order, as text', () => {
		expect(
			read(
				{ name: 'b', value: 1 },
				{ name: 'a', value: 'x' },
				{ name: 'b', value: false },
				{ name: 'c', value: null },
				{ name: 'c', value: undefined },
			),
		).toEqual({ b: ['1', 'false'], a: ['x'], c: ['', ''] });
	});

	it('leaves out a row that somebody has added and not filled in', () => {
		expect(read({ name: '', value: {} }, { name: 'a', value: '' })).toEqual({ a: [''] });
		expect(readQuery({})).toEqual({});
	});

	it.each([{}, []])('refuses %j as a value', (value) => {
		expect(() => read({ name: 'a', value })).toThrow('The parameter "a" of Query must be text');
	});
});

it.each<[unknown, unknown]>([
	['', undefined],
	[' \n', undefined],
	['null', null],
	['{ "a": [1] }', { a: [1] }],
	[[], []],
	[{ a: 1 }, { a: 1 }],
])('the body %j is %j', (typed, body) => {
	expect(readJsonBody(typed)).toEqual(body);
});

describe('the request of a person', () => {
	it.each([
		['GET', false, 'read', false, true],
		['GET', true, 'read', false, false],
		['POST', false, 'change', true, true],
		['POST', true, 'send', true, false],
		['PATCH', false, 'change', false, true],
		['PATCH', true, 'send', false, false],
		['PUT', true, 'send', false, false],
		['DELETE', undefined, 'change', false, true],
	])('by %s, sending a message: %s', (method, sendsMessage, effect, givesSecret, takesFile) => {
		expect(composeRequest(values({ method, sendsMessage, query: { a: ['1'] } }))).toEqual({
			method,
			path: '/v1/x',
			query: { a: ['1'] },
			body: undefined,
			token: 'instance',
			effect,
			givesSecret,
			takesFile,
		});
	});

	it('until anything is known of it, may change something', () => {
		expect(api.operations.map(({ effect }) => effect)).toEqual(['change']);
	});

	const shownWith = (name: string) => {
		const [{ fields, options = [] }] = api.operations;
		const field = [...fields, ...options].find((one) => one.name === name);
		return field?.displayOptions?.show;
	};

	it('may have a body and send a message with each method that can', () => {
		expect(shownWith('body')).toEqual({ '/method': ['DELETE', 'PATCH', 'POST', 'PUT'] });
		expect(shownWith('sendsMessage')).toEqual({ method: ['PATCH', 'POST', 'PUT'] });
	});

	it('chooses a number only by an instance token, and has a pace only where it sends', () => {
		expect(shownWith('instanceId')).toEqual({ '/token': ['instance'] });
		expect(shownWith('messagesPerMinute')).toEqual({ '/sendsMessage': [true] });
	});

	it('takes a file into its body in the way that is wanted', async () => {
		const read = async function* () {
			yield await Promise.resolve(Buffer.from('abc'));
		};
		const files = [{ field: 'f', file: { fileName: 'a', mediaType: 'a/b', size: 3, read } }];
		const bodyOf = async (sendFiles: string) => {
			const { body } = composeRequest(values({ files, sendFiles, options: { body: { n: 1 } } }));
			const pieces: Buffer[] = [];
			const stream = (body as StreamedBody).stream() as unknown as AsyncIterable<Buffer>;
			for await (const piece of stream) pieces.push(piece);
			return Buffer.concat(pieces).toString();
		};
		expect(await bodyOf('base64')).toBe('{"n":1,"f":"YWJj"}');
		expect(await bodyOf('dataUrl')).toBe('{"n":1,"f":"data:a/b;base64,YWJj"}');
		expect(await bodyOf('form')).toContain('name="n"\r\n\r\n1\r\n');
		for (const body of [[], 'text', 7])
			expect(() => composeRequest(values({ files, sendFiles: 'form', options: { body } }))).toThrow(
				'must be an object',
			);
	});
});

it.each([
	[false, { to: '1' }, undefined],
	[true, { to: '1' }, '1'],
	[true, { to: 7 }, 7],
	// Perhaps to the same as the one before.
	[true, { to: null }, ''],
	[true, {}, ''],
	[true, [1], ''],
	[true, 'text', ''],
	[true, undefined, ''],
])('where it sends a message (%s), the body %j goes to %j', (sendsMessage, body, to) => {
	expect(recipientOf(values({ sendsMessage, options: { body } }))).toEqual(to);
});
