import type { IHttpRequestOptions } from 'n8n-workflow';
import type { GatewayContext } from '../../../nodes/MessagingGateway/api/request';
import { post } from '../../../nodes/MessagingGateway/webhooks/post';
import { gatewayContext, type Answered } from '../../unit/gatewayContext';

const URL = 'https://n8n.example.com/webhook/hook';
const LONG_MS = 3_600_000;

/** Posts to an n8n that answers so: what was read of it, and what n8n's helper was asked for. */
async function send(
	answer: () => Answered | Promise<Answered>,
	{ timeoutMs = LONG_MS, cancel }: { timeoutMs?: number; cancel?: AbortSignal } = {},
) {
	const requests: IHttpRequestOptions[] = [];
	const context = gatewayContext({
		answer: async (request) => {
			requests.push(request);
			return await answer();
		},
	}) as unknown as GatewayContext;
	const outcome = await post(context, URL, {
		delivery: { headers: { 'webhook-id': 'evt' }, body: '{}' },
		timeoutMs,
		cancel,
		read: async ({ statusCode }) => await Promise.resolve({ statusCode }),
	});
	return { outcome, requests };
}

it.each([200, 302, 401, 404, 500, 503])('tells of an answer of %i', async (status) => {
	expect((await send(() => ({ status }))).outcome).toEqual({ statusCode: status });
});

it('goes to this address and to no other, with its headers and no token', async () => {
	const { requests } = await send(() => ({ status: 302 }));
	expect(requests).toEqual([
		expect.objectContaining({
			method: 'POST',
			url: URL,
			headers: { 'webhook-id': 'evt' },
			body: '{}',
			// By itself, n8n's helper follows redirects and throws where a status says no.
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
		}),
	]);
});

it('tells in plain text why there is no answer', async () => {
	const fail = async () => await Promise.reject(new Error('<img src=x>\nECONNREFUSED'));
	expect((await send(fail)).outcome).toBe('‹img src=x> ECONNREFUSED');
});

it('gives up when the time is over, or when it is cancelled, and ends the request', async () => {
	const hang = async () => await new Promise<never>(() => {});
	const late = await send(hang, { timeoutMs: 1 });
	expect(late.outcome).toBe('Given up');
	expect(late.requests[0].abortSignal?.aborted).toBe(true);
	const end = new AbortController();
	const cancelled = send(hang, { cancel: end.signal });
	end.abort();
	expect((await cancelled).outcome).toBe('Given up');
});
