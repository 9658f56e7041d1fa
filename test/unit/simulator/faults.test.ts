import { waitFor } from '../../../host/waiting';
import { freeClosedPort, startSimulator, type Fault, type Simulator } from '../../../simulator';
import { callGateway } from '../../../simulator/client';

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator();
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset());

const PATH = '/v1/messages/send-text';
const send = async (text = 'x', to = '5511900000001') =>
	await callGateway(simulator, 'POST', PATH, {
		body: { to, text },
		token: simulator.instanceToken,
	});
const last = () => simulator.requests[simulator.requests.length - 1];

describe('answers in place of the ordinary one', () => {
	it.each([400, 401, 403, 404, 500, 502])('status %i: not acted on', async (status) => {
		simulator.faults.add({ fault: { status } });
		expect(await send()).toMatchObject({ status, body: { error: expect.any(String) } });
		expect(last()).toMatchObject({ status, accepted: false, fault: 'status' });
		expect(simulator.acceptedSends()).toEqual([]);
	});

	it('429 with Retry-After, and an answer of one’s own', async () => {
		simulator.faults.add({ fault: { status: 429 } });
		expect((await send()).headers.get('retry-after')).toBe('1');
		simulator.faults.add({
			fault: { status: 429, headers: { 'retry-after': '7' }, body: { error: 'Slow down' } },
		});
		const answer = await send();
		expect(answer.headers.get('retry-after')).toBe('7');
		expect(answer.body).toEqual({ error: 'Slow down' });
	});

	it.each<[Fault, number, RegExp]>([
		['html', 200, /^<!doctype html>/],
		[{ kind: 'html', status: 502 }, 502, /^<!doctype html>/],
		['empty', 200, /^$/],
		['invalidJson', 200, /^\{"data"/],
	])('%j', async (fault, status, body) => {
		simulator.faults.add({ fault });
		expect(await send()).toMatchObject({ status, body: expect.stringMatching(body) });
		expect(last().accepted).toBe(false);
	});

	it('accepts and then answers a status', async () => {
		simulator.faults.add({ fault: 'acceptThenStatus' });
		expect(await send()).toMatchObject({ status: 502, body: { error: expect.any(String) } });
		expect(last()).toMatchObject({ status: 502, accepted: true });
		expect(simulator.acceptedSends()).toHaveLength(1);
	});
});

describe('connections', () => {
	it.each([
		['cutBefore', false],
		['cutAfter', true],
	] as const)('%s: no answer, accepted %p', async (fault, accepted) => {
		simulator.faults.add({ fault });
		await expect(send()).rejects.toThrow();
		expect(last()).toMatchObject({ status: 0, accepted });
		expect(last().finishedAt).toBeGreaterThan(0);
		expect(simulator.acceptedSends()).toHaveLength(accepted ? 1 : 0);
	});

	it('hang: no answer until the client gives up', async () => {
		const hang = simulator.faults.add({ fault: 'hang' });
		const client = new AbortController();
		const request = fetch(simulator.url + PATH, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${simulator.instanceToken}`,
				'content-type': 'application/json',
			},
			body: JSON.stringify({ to: '5511900000001', text: 'x' }),
			signal: client.signal,
		});
		await waitFor('the request to arrive', () => hang.hits === 1);
		// One that comes later is answered.
		expect((await send()).status).toBe(202);
		expect(simulator.requests[0]).toMatchObject({ status: 0, accepted: false, finishedAt: 0 });
		client.abort();
		await expect(request).rejects.toThrow();
		await waitFor('the gateway to see it', () => simulator.requests[0].finishedAt > 0);
		expect(simulator.requests[0]).toMatchObject({ status: 0, accepted: false });
	});

	it('slow: later, then as usual', async () => {
		simulator.faults.add({ fault: { kind: 'slow', delayMs: 80 } });
		expect((await send()).status).toBe(202);
		expect(last().finishedAt - last().startedAt).toBeGreaterThanOrEqual(79);
	});

	it('slow: once something else has happened, then as usual', async () => {
		const until = async () =>
			await waitFor('the other one', () => simulator.requests.at(-1)?.status === 202);
		simulator.faults.add({ match: { text: 'held' }, fault: { kind: 'slow', until } });
		expect(await Promise.all([send('held'), send('other')])).toMatchObject([
			{ status: 202 },
			{ status: 202 },
		]);
		expect(simulator.acceptedSends().map(({ text }) => text)).toEqual(['other', 'held']);
	});

	it('oneASecond: one is let through each second, all others wait for their time', async () => {
		const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
		try {
			simulator.faults.add({ fault: 'oneASecond', times: 'always' });
			for (const [now, status] of [
				[0, 202],
				[999, 429],
				[1_000, 202],
				[1_001, 429],
			]) {
				clock.mockReturnValue(now);
				expect((await send()).status).toBe(status);
			}
		} finally {
			clock.mockRestore();
		}
	});

	it('are refused while not listening, and taken on the same port afterwards', async () => {
		await send();
		await simulator.pauseListening();
		await expect(send()).rejects.toThrow();
		await simulator.resumeListening();
		expect((await send()).status).toBe(202);
	});

	it('are refused at a closed port, which nobody is given who asks for any', async () => {
		const port = await freeClosedPort();
		await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
		// Linux and others give out what lies above.
		expect(port).toBeLessThan(32_768);
	});
});

describe('which requests are struck', () => {
	const statuses = async (...sends: Array<[text: string, to?: string]>) => {
		const answered: number[] = [];
		for (const [text, to] of sends) answered.push((await send(text, to)).status);
		return answered;
	};

	it('one, unless told how many', async () => {
		simulator.faults.add({ fault: { status: 400 } });
		expect(await statuses(['a'], ['b'])).toEqual([400, 202]);
		simulator.faults.add({ times: 2, fault: { status: 403 } });
		expect(await statuses(['a'], ['b'], ['c'])).toEqual([403, 403, 202]);
		simulator.faults.add({ times: 'always', fault: { status: 500 } });
		expect(await statuses(['a'], ['b'], ['c'])).toEqual([500, 500, 500]);
	});

	it('those whose method, path and body fit', async () => {
		const fault = { status: 400 };
		const byText = simulator.faults.add({ match: { text: 'b' }, times: 'always', fault });
		simulator.faults.add({ match: { to: '5521900000002' }, fault: { status: 403 } });
		simulator.faults.add({
			match: { body: { text: 'c', to: '5511900000001' } },
			fault: { status: 500 },
		});
		simulator.faults.add({ match: { method: 'GET' }, fault: { status: 502 } });
		simulator.faults.add({ match: { path: '/v1/messages/presence' }, fault: { status: 502 } });
		expect(await statuses(['a'], ['b'], ['a', '5521900000002'], ['c'], ['b'])).toEqual([
			202, 400, 403, 500, 400,
		]);
		expect(byText.hits).toBe(2);
		expect(simulator.faults.remove(byText.id)).toBe(true);
		expect(await statuses(['b'])).toEqual([202]);
	});

	it('the nth of those that fit', async () => {
		simulator.faults.add({ match: { nth: 2, text: 'a' }, fault: { status: 400 } });
		expect(await statuses(['b'], ['a'], ['b'], ['a'], ['a'])).toEqual([202, 202, 202, 400, 202]);
	});

	it('none after a reset', async () => {
		simulator.faults.add({ times: 'always', fault: { status: 400 } });
		simulator.reset();
		expect(await statuses(['a'])).toEqual([202]);
	});
});
