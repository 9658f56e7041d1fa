import { createHash } from 'node:crypto';
import type { IHttpRequestOptions, ITriggerFunctions } from 'n8n-workflow';
import {
	probe,
	PROBE_ANSWER,
	tellReceived,
} from '../../../../nodes/MessagingGateway/trigger/subscription/probe';
import { gatewayContext, type Answered } from '../../gatewayContext';

const RECORD = {
	webhookId: 'wh_1',
	secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
	url: 'https://n8n.example.com/webhook/hook',
	events: [],
};
const ARRIVED: Answered = { status: 200, body: { message: PROBE_ANSWER } };
const DEFERRED: Answered = { status: 503 };

/** How long what waits is to wait: only the pauses between two tries, which are over at once. */
const pauses: number[] = [];

beforeEach(() => {
	pauses.length = 0;
	const startTimeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		if (milliseconds > 5_000) return startTimeout(milliseconds);
		pauses.push(milliseconds);
		const controller = new AbortController();
		setImmediate(() => controller.abort());
		return controller.signal;
	});
});
afterEach(() => jest.restoreAllMocks());

/** Sends a self-test that is answered in turn as told, and then like the last time. */
async function send(
	answers: Array<Answered | ((body: string) => Answered)>,
	signal = new AbortController().signal,
) {
	const bodies: string[] = [];
	const context = gatewayContext({
		answer: ({ body }: IHttpRequestOptions) => {
			const answer = answers[Math.min(bodies.push(String(body)), answers.length) - 1];
			return typeof answer === 'function' ? answer(String(body)) : answer;
		},
	});
	const result = await probe(context as unknown as ITriggerFunctions, RECORD, signal);
	return { result, tries: bodies.length };
}

const digestOf = (body: string) => createHash('sha256').update(body).digest('hex');

it.each<[string, Array<Answered | ((body: string) => Answered)>, number]>([
	['arrived', [ARRIVED], 1],
	['arrived', [DEFERRED, DEFERRED, DEFERRED, ARRIVED], 4],
	['untold', [DEFERRED], 4],
	['untold', [{ ...ARRIVED, status: 500 }], 1],
	['untold', [{ status: 200, body: {} }], 1],
	['other secret', [(body) => ({ status: 401, body: { received: digestOf(body) } })], 1],
	['altered', [{ status: 401, body: { received: 'other' } }], 1],
	['untold', [{ status: 403, body: { received: 'other' } }], 1],
	['untold', [{ status: 401, body: {} }], 1],
	['unknown here', [{ status: 404, body: { message: 'The Webhook is NOT REGISTERED.' } }], 1],
	['untold', [{ status: 404, body: { message: 'The page is not registered.' } }], 1],
	['untold', [{ status: 500, body: { message: 'The webhook is not registered.' } }], 1],
])('a self-test is %s where it is answered %j', async (kind, answers, tries) => {
	const { result, tries: made } = await send(answers);
	expect([result.kind, made]).toEqual([kind, tries]);
	expect(pauses).toEqual(Array.from({ length: tries - 1 }, () => 1_000));
});

it('ends as soon as n8n switches the trigger off', async () => {
	const stop = new AbortController();
	const answers = [
		() => {
			stop.abort();
			return DEFERRED;
		},
	];
	expect((await send(answers, stop.signal)).tries).toBe(1);

	const silent = new AbortController();
	const context = {
		...gatewayContext({ answer: async () => await new Promise<never>(() => {}) }),
	};
	const sending = probe(context as unknown as ITriggerFunctions, RECORD, silent.signal);
	setImmediate(() => silent.abort());
	expect(await sending).toMatchObject({ kind: 'untold' });
});

describe('whoever receives a delivery that is refused', () => {
	const BODY = Buffer.from('{}');
	const ID = 'self-check_1';

	it.each([
		['webhook-id', ID],
		['a', 'b', 'Webhook-Id', ID],
	])('tells the sender of a self-test what came: %s: %s', (...headers) => {
		expect(tellReceived(headers, BODY)).toBe(digestOf('{}'));
	});

	it.each<[string, string[], Buffer | undefined]>([
		['of an event', ['webhook-id', 'evt_1'], BODY],
		['without an ID', ['webhook-timestamp', ID], BODY],
		['whose values only look so', ['a', 'webhook-id', ID, 'b'], BODY],
		['whose body cannot be read', ['webhook-id', ID], undefined],
		['that is too long', ['webhook-id', ID], Buffer.alloc(1_025)],
	])('tells nothing of one %s', (_what, headers, body) => {
		expect(tellReceived(headers, body)).toBeUndefined();
	});

	it('tells of one that is as long as any', () => {
		expect(tellReceived(['webhook-id', ID], Buffer.alloc(1_024))).toBeDefined();
	});
});
