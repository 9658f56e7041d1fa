import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import type { Failure } from '../../../nodes/MessagingGateway/api/failure';
import { ask, type QuestionDraft } from '../../../nodes/MessagingGateway/question/ask';
import { gatewayContext, type Answered } from '../gatewayContext';

const SECRET = `whsec_${Buffer.alloc(32, 'webhook').toString('base64')}`;
const HOUR = 3_600_000;
const NOW = 1_800_000_000_000;

beforeEach(() => void jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const draft: QuestionDraft = {
	to: '5511900000001',
	type: 'choice',
	labels: ['Red', 'Blue'],
	requireQuote: false,
	waitMs: HOUR,
	most: 20,
};

const bodyOf = ({ body }: IHttpRequestOptions) =>
	(typeof body === 'string' ? JSON.parse(body) : body) as { url: string };

/** A node that asks, in an execution of n8n, and all that happens meanwhile, in order. */
function stand({
	answers = () => undefined,
	items = [{ json: {} }],
	cancelled = false,
	credential = {},
	path = '/webhook-waiting/7/node',
}: {
	answers?(request: IHttpRequestOptions): Answered | undefined;
	items?: object[];
	cancelled?: boolean;
	credential?: object;
	path?: string;
} = {}) {
	const done: string[] = [];
	const kept: { question?: IDataObject } = {};
	const gateway = gatewayContext({
		answer: (request) => {
			const { method = 'GET', url } = request;
			done.push(`${method} ${new URL(url).pathname}`);
			const given = answers(request);
			if (given !== undefined) return given;
			if (!url.includes('/v1/')) return { status: 401 };
			if (method === 'GET') return { status: 200, body: { data: [] } };
			return { status: 200, body: { data: { ...bodyOf(request), id: 'wh_1', secret: SECRET } } };
		},
	});
	const waited: Date[] = [];
	const stop = new AbortController();
	const context = {
		...gateway,
		getNode: () => ({ id: 'node', name: 'Ask', type: 'messagingGateway', parameters: {} }),
		getCredentials: async () => ({
			...(await gateway.getCredentials()),
			instanceToken: 'svc_inst_abcdefgh',
			...credential,
		}),
		getMode: () => 'trigger',
		getInputData: () => items,
		getExecutionId: () => '7',
		getContext: () => kept,
		getExecutionCancelSignal: () => stop.signal,
		getSignedResumeUrl: (parameters: Record<string, string>) =>
			`https://n8n.example.com${path}?${new URLSearchParams(parameters).toString()}&signature=x`,
		putExecutionToWait: async (until: Date) => {
			await new Promise((resolve) => setImmediate(resolve));
			waited.push(until);
		},
		logger: { ...gateway.logger, warn: (text: string) => done.push(text) },
	};
	const send = (outcome?: Failure['outcome']) => async (lines: string) => {
		done.push(`send ${lines}`);
		if (cancelled) stop.abort();
		if (outcome === undefined) return await Promise.resolve({ messageId: 'Q1', at: NOW + 5 });
		throw Object.assign(new Error('No'), { context: { outcome, passing: false } });
	};
	const put = async (sending: ReturnType<typeof send>, change: Partial<QuestionDraft> = {}) =>
		await ask(context as unknown as IExecuteFunctions, { ...draft, ...change }, sending);
	return { put, send, done, kept, waited };
}

const ASKED = ['GET /v1/webhooks', 'POST /v1/webhooks', 'send 1. Red\n2. Blue'];
const CLOSED = [...ASKED, 'DELETE /v1/webhooks/wh_1'];

it('makes the webhook before the message is sent, and waits as long as wanted', async () => {
	const { put, send, done, kept, waited } = stand();
	expect(await put(send())).toBeUndefined();
	expect(done).toEqual(ASKED);
	expect(waited).toEqual([new Date(NOW + HOUR)]);
	expect(kept.question).toMatchObject({
		webhookId: 'wh_1',
		secret: SECRET,
		until: NOW + HOUR,
		messageId: 'Q1',
		sentAt: NOW + 5,
		// Without the time of the gateway's clock, as early as that may be.
		askedAt: NOW + 5 - 5 * 60_000,
		isReview: false,
	});
});

it.each([
	['by the clock of the gateway, where that tells when it made the webhook', -60_000, -60_000 + 5],
	['by our own, where the other is too wrong', 5 * 60_000, 5 - 5 * 60_000],
])('counts answers from when the message was sent: %s', async (_how, ahead, askedAt) => {
	const createdAt = new Date(NOW + ahead).toISOString();
	const { put, send, kept } = stand({
		answers: ({ method }) =>
			method === 'POST'
				? { status: 200, body: { data: { id: 'wh_1', secret: SECRET, createdAt } } }
				: undefined,
	});
	await put(send());
	expect(kept.question).toMatchObject({ askedAt: NOW + askedAt });
});

it('waits for the answer to a message that may have been sent, and says so', async () => {
	const { put, send, done, kept, waited } = stand();
	expect(await put(send('unknown'))).toMatch(/^The message may have been sent\. /);
	expect(waited).toHaveLength(1);
	expect(kept.question).toMatchObject({ webhookId: 'wh_1' });
	expect(kept.question?.messageId).toBeUndefined();
	expect(done.slice(0, 3)).toEqual(ASKED);
	expect(done[3]).toMatch(/^Messaging Gateway: execution 7: The message may have been sent\./);
});

it.each([
	['was rejected', 'rejected', {}],
	['may have been sent, but nobody could quote', 'unknown', { requireQuote: true }],
] as const)('does not wait if the message %s', async (_what, outcome, change) => {
	const { put, send, done, kept, waited } = stand();
	await expect(put(send(outcome), change)).rejects.toThrow('No');
	expect(done).toEqual(CLOSED);
	expect([waited, kept]).toEqual([[], {}]);
});

it('does not wait if somebody has stopped the execution', async () => {
	const { put, send, done, waited } = stand({ cancelled: true });
	expect(await put(send())).toBeUndefined();
	expect(done).toEqual(CLOSED);
	expect(waited).toEqual([]);
});

it.each([
	['several items', { items: [{}, {}] }, 'there are several items'],
	['no account token', { credential: { accountToken: ' ' } }, 'has no ‘Account Token’'],
])('asks nobody with %s', async (_what, given, why) => {
	const { put, send, done } = stand(given);
	await expect(put(send())).rejects.toThrow(why);
	expect(done).toEqual([]);
});

const isCreation = ({ method, url }: IHttpRequestOptions) =>
	method === 'POST' && url.endsWith('/v1/webhooks');

it('asks nobody through a webhook whose secret cannot be used, and removes it', async () => {
	const { put, send, done } = stand({
		answers: (request) =>
			isCreation(request)
				? { status: 200, body: { data: { id: 'wh_1', secret: 'none' } } }
				: undefined,
	});
	await expect(put(send())).rejects.toThrow('its secret cannot be used');
	expect(done).toEqual(['GET /v1/webhooks', 'POST /v1/webhooks', 'DELETE /v1/webhooks/wh_1']);
});

it('removes a webhook that may have been made, and no other', async () => {
	const made: string[] = [];
	const { put, send, done } = stand({
		answers: (request) => {
			if (isCreation(request)) {
				made.push(bodyOf(request).url);
				return { status: 502 };
			}
			if (request.method !== 'GET' || made.length === 0) return undefined;
			const data = [
				{ id: 'wh_other', url: 'https://n8n.example.com/webhook/1' },
				{ id: 'wh_made', url: made[0] },
			];
			return { status: 200, body: { data } };
		},
	});
	await expect(put(send())).rejects.toThrow('The message was not sent.');
	expect(done.slice(2)).toEqual(['GET /v1/webhooks', 'DELETE /v1/webhooks/wh_made']);
});

it('asks nobody whose answer would be refused, because a proxy cuts off the path', async () => {
	const { put, send, done } = stand({
		path: '/n8n/webhook-waiting/7/node',
		answers: ({ url }) =>
			url.includes('/webhook-waiting/')
				? { status: 401, body: { message: 'Invalid token' } }
				: undefined,
	});
	await expect(put(send())).rejects.toMatchObject({
		message: 'No answer could reach this n8n',
		description: expect.stringMatching(
			/https:\/\/n8n\.example\.com\/n8n\/webhook-waiting\/7\/node: something on the way cuts off the path/,
		),
	});
	expect(done).toEqual(['POST /n8n/webhook-waiting/7/node']);
});

it('opens no more questions at once than wanted', async () => {
	const other = `https://n8n.example.com/webhook-waiting/8/node?asked=5511900000002&until=${NOW + HOUR}&signature=x`;
	const listed = (request: IHttpRequestOptions) =>
		request.method === 'GET'
			? { status: 200, body: { data: [{ id: 'wh_8', url: other, events: ['MESSAGE.RECEIVED'] }] } }
			: undefined;
	const full = stand({ answers: listed });
	await expect(full.put(full.send(), { most: 1 })).rejects.toThrow(
		'1 questions are open, and no more may be open at once',
	);
	expect(full.done).not.toContain('POST /v1/webhooks');

	const roomy = stand({ answers: listed });
	await roomy.put(roomy.send(), { most: 2 });
	expect(roomy.done).toContain('POST /v1/webhooks');
});
