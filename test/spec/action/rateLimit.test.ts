import { readClock } from '../../../lab/simulator/recorder';
import {
	keepPause,
	readPause,
	takeSlot,
	withRateLimit,
} from '../../../nodes/MessagingGateway/action/rateLimit';
import type { Connection } from '../../../nodes/MessagingGateway/gateway/connection';
import { outputOf } from '../../support/engine';
import { gateway } from '../../support/engineAndGateway';
import { fail, messages, runNode, send, sendByRequest, sendText } from '../../support/sending';

describe('the slots of a token', () => {
	let count = 0;
	/** A token that no other row has used. */
	const connect = (token = `svc_inst_${++count}`): Connection => ({
		kind: 'instance',
		token,
		baseUrl: 'https://gateway.example.com',
		overrides: {},
	});
	const NOON = Date.UTC(2026, 0, 1, 12);

	beforeEach(() => jest.useFakeTimers({ now: NOON, doNotFake: ['nextTick', 'setImmediate'] }));
	afterEach(() => jest.useRealTimers());

	it('are a minute divided by the rate limit apart, from the first message on', () => {
		const own = connect();
		expect([1, 2, 3].map(() => takeSlot(own, 120))).toEqual([0, 500, 1000]);
	});

	it('are taken by messages, and delay nothing else', async () => {
		const waits: number[] = [];
		const wait = async (milliseconds: number) => void waits.push(milliseconds);
		const own = { ...connect(), call: async () => await Promise.resolve({ items: [] }) };
		const { call } = withRateLimit(own as never, wait, 60);
		for (const effect of ['harmless', 'send', 'change', 'harmless', 'send'] as const)
			await call({ method: 'POST', path: '/', effect });
		expect(waits).toEqual([0, 0, 0, 0, 1000]);
	});

	it('are free at once if the last one is long past, and are not saved up', () => {
		const own = connect();
		takeSlot(own, 60);
		jest.setSystemTime(NOON + 90_000);
		expect([takeSlot(own, 60), takeSlot(own, 60)]).toEqual([0, 1000]);
	});

	it('are shared by requests with one token, and by no others', () => {
		takeSlot(connect('svc_inst_one'), 60);
		expect(takeSlot(connect('svc_inst_one'), 60)).toBe(1000);
		expect(takeSlot(connect('svc_inst_two'), 60)).toBe(0);
		const elsewhere = { ...connect('svc_inst_one'), baseUrl: 'https://other.example.com' };
		expect(takeSlot(elsewhere, 60)).toBe(0);
	});

	it('are taken in turn by messages with different rate limits', () => {
		const own = connect();
		expect(takeSlot(own, 60)).toBe(0);
		expect(takeSlot(own, 6)).toBe(1_000);
		expect(takeSlot(own, 60)).toBe(11_000);
	});

	it('begin after the pause that the gateway asks for, which delays each request', () => {
		const own = connect();
		expect(keepPause(own, 10_000)).toBe(true);
		jest.setSystemTime(NOON + 4_000);
		expect(readPause(own)).toBe(6_000);
		expect(takeSlot(own, 60)).toBe(6_000);
		expect(takeSlot(own, 60)).toBe(7_000);
	});

	it('keep the longest pause, and none of more than a minute', () => {
		const own = connect();
		expect(keepPause(own, 60_000)).toBe(true);
		expect(keepPause(own, 1_000)).toBe(true);
		expect(readPause(own)).toBe(60_000);

		const other = connect();
		expect(keepPause(other, 60_001)).toBe(false);
		expect(readPause(other)).toBe(0);
	});
});

describe('Messages Per Minute', () => {
	it('spaces the messages of Send Text and of API Request, also across runs of the node', async () => {
		const options = { messagesPerMinute: 600, concurrency: 5 };
		const begun = readClock();
		await runNode(sendText({ options }), messages(3));
		await runNode(sendByRequest({ options }), messages(3));
		const starts = gateway.requests.map(({ startedAt }) => startedAt - begun);
		expect(starts).toHaveLength(6);
		// A timer may be early by a few milliseconds. A busy machine only makes it later.
		for (const [index, start] of starts.entries())
			expect(start).toBeGreaterThanOrEqual(index * 100 - 10);
	});
});

describe('an answer 429', () => {
	it('with a short Retry-After pauses the token, and the message is sent once more', async () => {
		fail('m1', { status: 429, headers: { 'retry-after': '1' } });
		const { run } = await send({ items: messages(3) });
		expect(outputOf(run, 'Send')).toHaveLength(3);
		const [, refused, ...later] = gateway.requests.map(({ startedAt }) => startedAt);
		expect(later).toHaveLength(2);
		for (const start of later) expect(start - refused).toBeGreaterThanOrEqual(1000 - 10);
	});

	const PAST = 'Wed, 21 Oct 2015 07:28:00 GMT';
	it.each(['0', '0.1', PAST])('with Retry-After %s is repeated once only', async (pause) => {
		fail('m0', { status: 429, headers: { 'retry-after': pause } }, 9);
		const { node } = await send({ items: messages(1) });
		expect(gateway.requests).toHaveLength(2);
		expect(node.error?.message).toContain('The message was not sent.');
	});

	it('alone is repeated, whatever other answer has a short Retry-After', async () => {
		const statuses = [...Array(32).keys()].flatMap((index) => [400 + index, 500 + index]);
		const others = statuses.filter((status) => status !== 429);
		for (const [index, status] of others.entries())
			fail(`m${index}`, { status, headers: { 'retry-after': '0' } }, 2);
		const settings = { onError: 'continueRegularOutput' } as const;
		await send({ items: messages(others.length), options: { concurrency: 9 }, settings });
		expect(gateway.requests).toHaveLength(others.length);
	});

	it.each([
		['a Retry-After of more than a minute', { 'retry-after': '61' }],
		['one two minutes from now', { 'retry-after': new Date(Date.now() + 120_000).toUTCString() }],
		['a Retry-After that nobody can read', { 'retry-after': 'soon' }],
	])('with %s is rejected, and the next item goes out', async (_what, headers) => {
		fail('m0', { status: 429, headers });
		const { run } = await send({
			items: messages(2),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(gateway.requests).toHaveLength(2);
		expect(outputOf(run, 'Send').map(({ json }) => json)).toEqual([
			{ error: expect.objectContaining({ outcome: 'rejected', status: '429' }) },
			{ messageId: expect.any(String) },
		]);
	});
});
