import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startProxy, type Proxy, type SpreadBy } from '../../../host/proxy';

// The parts of an n8n, each of which says who it is and what it got.

interface Got {
	part: string;
	method?: string;
	url?: string;
	headers: IncomingHttpHeaders;
	raw: string[];
	body: string;
}

const parts: Server[] = [];
let proxy: Proxy;
let addresses: string[];
let closed: string;

async function startPart(part: string): Promise<string> {
	const server = createServer((incoming, response) => {
		const { method, url, headers, rawHeaders: raw } = incoming;
		void text(incoming).then((body) => {
			if (url?.endsWith('/broken')) return void response.destroy();
			response.writeHead(201, ['X-Part', part, 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']);
			response.end(JSON.stringify({ part, method, url, headers, raw, body } satisfies Got));
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	parts.push(server);
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
	addresses = [];
	for (const part of ['main', 'one', 'two', 'three']) addresses.push(await startPart(part));
	closed = await startPart('closed');
	await new Promise((resolve) => parts.at(-1)?.close(resolve));
	proxy = await startProxy();
});

afterAll(async () => {
	await proxy.stop();
	for (const part of parts) {
		part.closeAllConnections();
		part.close();
	}
});

function spread(by: SpreadBy, processors = addresses.slice(1)): void {
	proxy.spread({ main: addresses[0], processors, by });
}

async function send(path: string, headers: Record<string, string | string[]> = {}, body?: string) {
	const outgoing = request(`${proxy.url}${path}`, {
		method: body === undefined ? 'GET' : 'POST',
		headers,
	});
	outgoing.end(body);
	const [answer] = (await once(outgoing, 'response')) as [import('node:http').IncomingMessage];
	const told = await text(answer);
	return { status: answer.statusCode, headers: answer.headers, told };
}

const partOf = async (path: string, headers = {}) =>
	(JSON.parse((await send(path, headers)).told) as Got).part;

it.each(['/webhook/a', '/webhook-waiting/7/node', '/form/a', '/form-waiting/7', '/webhook'])(
	'sends %s to a processor',
	async (path) => {
		spread('turn', [addresses[1]]);
		expect(await partOf(path)).toBe('one');
	},
);

it.each(['/', '/rest/workflows', '/webhook-test/a', '/form-test/a', '/webhooks', '/x/webhook/a'])(
	'sends %s to the main process',
	async (path) => {
		spread('turn');
		expect(await partOf(path)).toBe('main');
	},
);

it('lets the processors take turns', async () => {
	spread('turn');
	const turns = [];
	for (let times = 0; times < 6; times++) turns.push(await partOf('/webhook/a'));
	expect(new Set(turns.slice(0, 3))).toEqual(new Set(['one', 'two', 'three']));
	expect(turns.slice(3)).toEqual(turns.slice(0, 3));
});

it.each<[SpreadBy, (index: number) => [string, object], (index: number) => [string, object]]>([
	[
		'event',
		(index) => [`/webhook/${index}`, { 'webhook-id': 'evt_1' }],
		(index) => ['/webhook/a', { 'webhook-id': `evt_${index}` }],
	],
	[
		'trigger',
		(index) => [`/webhook/a?n=${index}`, { 'webhook-id': `evt_${index}` }],
		(index) => [`/webhook/${index}`, {}],
	],
])('keeps together what belongs to one %s, and spreads the rest', async (by, same, others) => {
	spread(by);
	const visit = async (make: (index: number) => [string, object]) => {
		const visited = new Set<string>();
		for (let index = 0; index < 20; index++) visited.add(await partOf(...make(index)));
		return visited.size;
	};
	expect(await visit(same)).toBe(1);
	expect(await visit(others)).toBe(3);
});

it('changes nothing about a request and its answer', async () => {
	spread('turn', [addresses[2]]);
	const { status, headers, told } = await send(
		'/webhook/a?b=1',
		{ 'X-Two': ['1', '2'], 'Webhook-Id': 'evt_1' },
		'päo',
	);
	expect(status).toBe(201);
	expect(headers).toMatchObject({ 'x-part': 'two', 'set-cookie': ['a=1', 'b=2'] });
	const got = JSON.parse(told) as Got;
	expect(got).toMatchObject({ method: 'POST', url: '/webhook/a?b=1', body: 'päo' });
	expect(got.headers).toMatchObject({ 'content-length': '4', host: new URL(proxy.url).host });
	expect(got.raw.filter((_each, at) => got.raw[at - 1] === 'X-Two')).toEqual(['1', '2']);
	expect(got.raw).toContain('Webhook-Id');
});

it('adds no length to a request without a body', async () => {
	spread('turn', [addresses[1]]);
	const { headers } = JSON.parse((await send('/webhook/a')).told) as Got;
	expect(headers).not.toHaveProperty('content-length');
});

it('asks another processor where nobody listens, and says so if there is none', async () => {
	spread('turn', [closed, addresses[3]]);
	expect([await partOf('/webhook/a'), await partOf('/webhook/a')]).toEqual(['three', 'three']);
	spread('turn', [closed]);
	expect(await send('/webhook/a')).toMatchObject({ status: 502, told: 'No part of n8n answers' });
});

it('does not send again what a part may have had', async () => {
	spread('turn', [addresses[1], addresses[2]]);
	expect(await send('/webhook/broken', {}, 'once')).toMatchObject({
		status: 502,
		told: 'This part of n8n broke the connection',
	});
});
