import type { IHttpRequestOptions, NodeApiError } from 'n8n-workflow';
import { openAccess, type GatewayContext } from '../../../nodes/MessagingGateway/api/request';
import {
	createWebhook,
	deleteWebhook,
	listWebhooks,
	updateWebhook,
} from '../../../nodes/MessagingGateway/webhooks/records';
import { gatewayContext, type Answered } from '../gatewayContext';

const URL = 'https://n8n.example.com/webhook/hook';
const EVENTS = ['MESSAGE.RECEIVED'];
const MADE = { id: 'wh_1', secret: 'whsec_x', createdAt: '2026-01-01T00:00:00Z' };

/** A gateway that gives the same answer to each request, or none, and what n8n does with it. */
function ask(answered?: Answered, change: object = {}) {
	const requests: IHttpRequestOptions[] = [];
	const warnings: string[] = [];
	const made = gatewayContext({
		baseUrl: 'https://gateway.example.com',
		answer: async (request) => {
			requests.push(request);
			return answered ?? (await Promise.reject(new Error('socket hang up')));
		},
	});
	const logger = { ...made.logger, warn: (message: string) => warnings.push(message) };
	const getCredentials = jest.fn(made.getCredentials);
	const context = { ...made, logger, getCredentials, ...change } as unknown as GatewayContext;
	return { context, requests, warnings, getCredentials };
}

const calls: Array<[string, (context: GatewayContext) => Promise<unknown>]> = [
	['list', listWebhooks],
	['create', async (context) => await createWebhook(context, URL, EVENTS)],
	['update', async (context) => await updateWebhook(context, 'wh_1', URL, EVENTS)],
	['delete', async (context) => await deleteWebhook(context, 'wh_1')],
];

it.each(calls)('%s takes 8 seconds at most, so that n8n can try again', async (_name, call) => {
	const { context, requests } = ask({ status: 200, body: { data: [MADE], ...MADE } });
	await call(context).catch(() => {});
	expect(requests.map(({ timeout }) => timeout)).toEqual([8_000]);
});

it('a list takes less where somebody waits for it', async () => {
	const { context, requests } = ask({ status: 200, body: { data: [] } });
	await listWebhooks(context, 3_000);
	expect(requests.map(({ timeout }) => timeout)).toEqual([3_000]);
});

describe.each<[string, Answered | undefined]>([
	['no answer', undefined],
	['an answer of 500', { status: 500 }],
])('of what gets %s', (_what, answered) => {
	// A change that the gateway refuses is no reason to stop.
	it.each(calls.filter(([name]) => answered === undefined || name !== 'update'))(
		'%s says all in the message, which is all that n8n shows of a failed publication',
		async (_name, call) => {
			const messageOf = async (change: object = {}) =>
				await call(ask(answered, change).context).then(
					() => {
						throw new Error('It did not fail');
					},
					(error: NodeApiError) => error,
				);
			const { message, description } = await messageOf();
			const told = await messageOf({ getActivationMode: () => 'activate' });
			expect(description).toBeTruthy();
			expect(told.message).toBe(`${message.replace(/\.$/, '')}. ${description}`);
		},
	);
});

it('a failed publication says in whole sentences what is wrong with the credential', async () => {
	const { context, requests } = ask(undefined, {
		getActivationMode: () => 'activate',
		getCredentials: async () =>
			await Promise.resolve({ baseUrl: 'https://gateway.example.com', accountToken: '' }),
	});
	await expect(createWebhook(context, URL, EVENTS)).rejects.toThrow(
		/begins with svc_acct_\. Nothing was sent\. Open the credential/u,
	);
	expect(requests).toEqual([]);
});

describe('a list', () => {
	const listed = (count: number, more: object = {}) => ({
		status: 200,
		body: {
			data: Array.from({ length: count }, (_value, index) => ({ id: `wh_${index}` })),
			...more,
		},
	});

	it.each<[string, Answered, number, boolean]>([
		['of all', listed(10_000), 10_000, true],
		['of too many', listed(10_001), 10_000, false],
		['of a first page', listed(2, { total: 3 }), 2, false],
	])('%s', async (_what, answered, count, isComplete) => {
		const { context, warnings } = ask(answered);
		const list = await listWebhooks(context);
		expect([list.webhooks.length, list.isComplete]).toEqual([count, isComplete]);
		expect(warnings).toEqual(
			isComplete ? [] : [expect.stringContaining(`only the first ${count}.`)],
		);
	});

	it.each(['wh\n1', 'wh_<b>', 'wh_\ud800', 'svc_acct_abcdef'])(
		'leaves out an id that would spoil an address or a log: %j',
		async (id) => {
			const { context } = ask({ status: 200, body: { data: [{ id }] } });
			expect((await listWebhooks(context)).webhooks).toEqual([]);
		},
	);
});

describe('a webhook that is made', () => {
	it('is told with its secret', async () => {
		const { context } = ask({ status: 201, body: { data: MADE } });
		const before = Date.now();
		const { requestedAt, answeredAt, ...made } = await createWebhook(context, URL, EVENTS);
		expect(made).toEqual(MADE);
		const moments = [before, requestedAt, answeredAt, Date.now()];
		expect(moments).toEqual(moments.toSorted((one, other) => one - other));
	});

	it.each([
		['no secret', 201, { id: 'wh_1' }],
		['no id', 201, { secret: 'whsec_x' }],
		['an id that nobody could name', 201, { ...MADE, id: '..' }],
		['a refusal', 409, MADE],
	])('is none where the answer has %s', async (_what, status, data) => {
		await expect(
			createWebhook(ask({ status, body: { data } }).context, URL, EVENTS),
		).rejects.toThrow();
	});
});

describe('a webhook that is deleted', () => {
	it.each([
		[200, true],
		[204, true],
		[404, false],
		[410, false],
	])('is gone after an answer of %i; the gateway still had it: %s', async (status, had) => {
		expect(await deleteWebhook(ask({ status }).context, 'wh_1')).toBe(had);
	});

	it.each([401, 409, 429, 500, 503])('may still be there after an answer of %i', async (status) => {
		await expect(deleteWebhook(ask({ status }).context, 'wh_1')).rejects.toThrow();
	});

	it('is deleted with the credential that was read for it', async () => {
		const { context, getCredentials } = ask({ status: 200 });
		const access = await openAccess(context, 'account');
		await deleteWebhook(context, 'wh_1', access);
		expect(getCredentials).toHaveBeenCalledTimes(1);
	});
});

it.each([
	[200, 'made'],
	[204, 'made'],
	[401, 'refused'],
	[404, 'refused'],
	[405, 'refused'],
	[501, 'refused'],
	[408, 'not now'],
	[429, 'not now'],
	[500, 'not now'],
	[503, 'not now'],
])('after an answer of %i, a change is %s', async (status, change) => {
	expect(await updateWebhook(ask({ status }).context, 'wh_1', URL, EVENTS)).toBe(change);
});
