import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { MARKUP, startSimulator, type Simulator } from '../../../simulator';
import { callGateway } from '../../../simulator/client';
import { findLeak } from '../../oracle/leaks';

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator();
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset());

const list = async () =>
	await callGateway(simulator, 'GET', '/v1/groups', { token: simulator.instanceToken });

/** The same as it comes, over a connection of its own: what it takes to read it may outlast one that is kept. */
async function download(): Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }> {
	const headers = { authorization: `Bearer ${simulator.instanceToken}` };
	return await new Promise((resolve, reject) => {
		get(`${simulator.url}/v1/groups`, { headers, agent: false }, (response) => {
			const done = (bytes: Buffer) => resolve({ headers: response.headers, bytes });
			buffer(response).then(done, reject);
		}).on('error', reject);
	});
}

describe('an echo', () => {
	it('holds the token', async () => {
		for (const status of [200, 403]) {
			simulator.faults.add({ fault: { kind: 'hostile', as: 'echo', status } });
			const { body, ...answer } = await list();
			expect(answer.status).toBe(status);
			expect(findLeak(JSON.stringify(body), simulator.instanceToken)).toBeDefined();
		}
		simulator.faults.add({ fault: { kind: 'hostile', as: 'echo', status: 302 } });
		const { location = '' } = (await download()).headers;
		expect(findLeak(location, simulator.instanceToken)).toBeDefined();
	});

	it('that is no echo is not found', async () => {
		const { body } = await list();
		expect(findLeak(JSON.stringify(body), simulator.instanceToken)).toBeUndefined();
	});
});

it('names and errors can be HTML', async () => {
	simulator.faults.add({ fault: { kind: 'hostile', as: 'markup' } });
	expect((await list()).body).toMatchObject({ data: { rows: [{ name: MARKUP }] } });
	simulator.faults.add({ fault: { kind: 'hostile', as: 'markup', status: 400 } });
	expect((await list()).body).toEqual({ error: MARKUP });
});

it('a bomb of 100 MB comes in less than 1 MB', async () => {
	simulator.faults.add({ fault: { kind: 'hostile', as: 'gzipBomb' } });
	const { headers, bytes } = await download();
	expect(headers['content-encoding']).toBe('gzip');
	expect(bytes.length).toBeLessThan(1024 * 1024);
	expect(gunzipSync(bytes).length).toBeGreaterThan(100 * 1024 * 1024);
});

it.each([
	['million', 1_000_000],
	['crowd', 500_001],
	['empties', 3_400_001],
	['longTexts', 20],
] as const)('a list as "%s" is JSON with %i entries', async (as, count) => {
	simulator.faults.add({ fault: { kind: 'hostile', as } });
	const { data } = JSON.parse((await download()).bytes.toString()) as { data: unknown[] };
	expect(data).toHaveLength(count);
});

it.each([
	['drip', 30],
	['dripHeaders', 30],
	['endless', 20_000_000],
	['crumbs', 1_000_000],
] as const)('%s: no end until the client gives up after %i bytes', async (as, most) => {
	simulator.faults.add({ fault: { kind: 'hostile', as } });
	const end = new AbortController();
	let bytes = 0;
	const headers = { authorization: `Bearer ${simulator.instanceToken}` };
	const request = get(`${simulator.url}/v1/groups`, { headers, signal: end.signal });
	const ended = new Promise((resolve) => request.once('close', resolve));
	await new Promise<void>((resolve) => {
		request.on('error', () => resolve());
		request.on('socket', (socket) => {
			socket.on('data', (piece) => {
				bytes += piece.length;
				if (bytes > most) resolve();
			});
		});
		request.on('response', (response) => response.on('error', () => {}).resume());
	});
	end.abort();
	await ended;
	expect(bytes).toBeGreaterThan(most);
});
