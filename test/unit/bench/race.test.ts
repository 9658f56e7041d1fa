import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { drive } from '../../../tools/bench/load';
import { race } from '../../../tools/bench/race';
import { makeBody, shoot } from '../../../tools/bench/shots';

// A server whose every answer takes as long as told, by a clock that stands still meanwhile.

jest.mock('node:timers/promises', () => ({ setTimeout: async () => {} }));

let server: Server;
let url: string;
let now = 0;
let answer: (path: string) => { took: number; status?: number };
const requests: Array<{ path: string; headers: IncomingHttpHeaders; body: string }> = [];

beforeAll(async () => {
	server = createServer(async (request, response) => {
		const { url: path = '', headers } = request;
		requests.push({ path, headers, body: (await request.toArray()).join('') });
		const { took, status = 200 } = answer(path);
		now += took;
		response.writeHead(status).end('answered');
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
	server.close();
	server.closeAllConnections();
});
beforeEach(() => {
	requests.length = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const SHOT = { headers: { 'webhook-id': 'evt_1' }, body: Buffer.from('{"päo":1}') };

it('a load goes on for its time, and tells how many answers there were a second, and the median', async () => {
	const times = [10, 40, 10, 20, 20];
	answer = () => ({ took: times.shift() ?? 0 });
	const load = { url, connections: 1, milliseconds: 100, next: () => SHOT, expect: 200 };
	expect(await drive(load)).toEqual({ perSecond: 50, median: 20 });
	expect(requests).toHaveLength(5);
	expect(requests[0]).toMatchObject({
		headers: { 'webhook-id': 'evt_1', 'content-type': 'application/json', 'content-length': '10' },
		body: '{"päo":1}',
	});
});

it('another status ends a load: figures of what fails are figures of nothing', async () => {
	answer = () => ({ took: 1, status: 503 });
	const load = { url, connections: 1, milliseconds: 10, next: () => SHOT, expect: 200 };
	await expect(drive(load)).rejects.toThrow(`${url} answered 503 instead of 200`);
});

it('loads take turns, forwards and backwards, and the third best round of each counts', async () => {
	const rounds: Record<string, number[]> = {
		'/one': [1, 50, 20, 10, 25, 40, 100, 5, 200],
		'/two': [1, 1, 1, 2, 2, 2, 2, 2, 2],
	};
	const left = structuredClone(rounds);
	answer = (path) => ({ took: left[path].shift() ?? 0 });
	const target = (path: string) => ({ url: url + path, secret, connections: 1 });
	const found = await race({ measure: 8, warmUp: 1 }, [target('/one'), target('/two')]);
	// The first of each only warms up.
	expect(found.map(({ perSecond }) => perSecond)).toEqual([1_000 / 20, 500]);
	const [warm, ...turns] = Array.from({ length: 9 }, (_, round) =>
		requests.slice(2 * round, 2 * round + 2).map(({ path }) => path),
	);
	expect(warm).toEqual(['/one', '/two']);
	expect(turns).toEqual(
		turns.map((_, round) => (round % 2 === 0 ? ['/one', '/two'] : ['/two', '/one'])),
	);
});

it('a race delivers new events, rightly signed, at ten connections and expects 200, unless told otherwise', async () => {
	answer = () => ({ took: 1, status: 401 });
	const bad = { url, secret, next: () => SHOT, connections: 1 };
	await expect(race({ measure: 8, warmUp: 1 }, [bad])).rejects.toThrow('answered 401');
	expect(new Set(requests.map(({ body }) => body))).toEqual(new Set(['{"päo":1}']));
	requests.length = 0;
	await race({ measure: 8, warmUp: 1 }, [{ url, secret, expect: 401 }]);
	expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(requests.length);
	// Of the clock, all that begin at once take one turn.
	expect(requests).toHaveLength(9 * 10);
	jest.restoreAllMocks();
	const [{ headers, body }] = requests;
	expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
		id: headers['webhook-id'],
		type: 'MESSAGE.RECEIVED',
	});
});

it.each([
	[1_000, 1_000],
	[100_000, 100_000],
	[10, makeBody('evt_1', 0).length],
])('a body of %d bytes has %d', (size, length) => {
	expect(makeBody('evt_1', size)).toHaveLength(length);
	expect(JSON.parse(String(makeBody('evt_1', size)))).toMatchObject({ id: 'evt_1' });
	expect(shoot(secret).body).toHaveLength(1_000);
});
