import {
	noteArrival,
	openAccount,
	setForwarder,
} from '../../../nodes/MessagingGateway/question/accounts';
import { isForwarded } from '../../../nodes/MessagingGateway/question/parking';
import { withTimeZone } from '../timeZone';
import { messageFrom } from './asked';
import { bodyOf, HOUR, isCreation, NOW, SECRET, standToAsk as stand } from './standToAsk';

beforeEach(() => void jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

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
	['by the clock of the gateway, where that tells when it made the webhook', -60_000, 5 - 60_000],
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

it('takes the time of the webhook for UTC where it has no zone', async () => {
	const createdAt = new Date(NOW - 60_000).toISOString().replace('Z', '');
	const { put, send, kept } = stand({
		answers: (request) =>
			isCreation(request)
				? { status: 200, body: { data: { id: 'wh_1', secret: SECRET, createdAt } } }
				: undefined,
	});
	await withTimeZone('America/Sao_Paulo', async () => await put(send()));
	expect(kept.question).toMatchObject({ askedAt: NOW + 5 - 60_000 });
});

it('counts no message from a pause that the gateway wanted, and leaves open those from while it took the question', async () => {
	const createdAt = new Date(NOW - 60_000).toISOString();
	const { put, kept } = stand({
		answers: ({ method }) => {
			if (method !== 'POST') return undefined;
			// The gateway has made it at once, and its answer takes three seconds.
			jest.setSystemTime(NOW + 3_000);
			return { status: 200, body: { data: { id: 'wh_1', secret: SECRET, createdAt } } };
		},
	});
	await put(async (_lines, begins) => {
		jest.setSystemTime(NOW + 13_000);
		begins();
		jest.setSystemTime(NOW + 14_000);
		return await Promise.resolve('Q1');
	});
	const [opened, answered] = [NOW - 60_000, NOW + 3_000];
	expect(kept.question).toMatchObject({
		sentAt: NOW + 13_000,
		askedAt: opened + (NOW + 13_000 - answered),
		takenBy: opened + 14_000,
	});
});

it('is known to the account as the message goes out: the answer may be there before the gateway says so', async () => {
	const { put, context } = stand();
	const account = await openAccount(context);
	const found: number[] = [];
	await put(async (_lines, begins) => {
		found.push(account.findAnswered(messageFrom(1)).length);
		begins();
		found.push(account.findAnswered(messageFrom(1)).length);
		return await Promise.resolve('Q1');
	});
	expect(found).toEqual([0, 1]);
});

it('is known no more if the gateway has refused the message', async () => {
	const { put, send, context } = stand();
	const account = await openAccount(context);
	await expect(put(send('rejected'))).rejects.toThrow('No');
	expect(account.findAnswered(messageFrom(1))).toEqual([]);
});

it('waits for the answer to a message that may have been sent, and says so', async () => {
	const { put, send, done, kept, waited } = stand();
	expect(await put(send('unknown'))).toMatch(/^The message may have been sent\. /);
	expect(waited).toHaveLength(1);
	expect(kept.question).toMatchObject({ webhookId: 'wh_1', askedAt: NOW + 5 - 5 * 60_000 });
	expect(kept.question?.messageId).toBeUndefined();
	expect(kept.question?.sentAt).toBeUndefined();
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

it('sends nothing once the time for the answer is over, as after a long pause', async () => {
	const { put, done, waited } = stand();
	const sending = put(
		async (_lines, begins) => {
			jest.setSystemTime(NOW + HOUR);
			begins();
			return await Promise.resolve('Q1');
		},
		{ waitMs: HOUR },
	);
	await expect(sending).rejects.toMatchObject({
		message: 'The question could not be sent within its Limit Wait Time',
		description: expect.stringMatching(/^Nothing was sent\. .* Set a longer Limit Wait Time/),
	});
	expect(done.at(-1)).toBe('DELETE /v1/webhooks/wh_1');
	expect(waited).toEqual([]);
});

it('does not wait if the sending broke off by itself', async () => {
	const { put, done, waited } = stand();
	const breakOff = async () => await Promise.reject(new TypeError('No'));
	await expect(put(breakOff as never)).rejects.toThrow('No');
	expect(done.at(-1)).toBe('DELETE /v1/webhooks/wh_1');
	expect(waited).toEqual([]);
});

it('lets a trigger of the account forward the answer at once, also from a chat that quotes the question', async () => {
	const { put, send, kept, context } = stand();
	await put(send());
	const account = await openAccount(context);
	expect(kept.question).toMatchObject({ account: account.fingerprint });
	const url = expect.stringContaining('https://n8n.example.com/webhook-waiting/7/node?asked=');
	const found = [{ id: 'wh_1', url, isParked: false }];
	expect(account.findAnswered(messageFrom(1))).toEqual(found);
	account.note('wh_2', { to: '5511900000002', until: NOW + HOUR, url: 'other' });
	const hidden = { chat: { id: 'hidden@lid' }, quotedMessageId: 'Q1' };
	expect(account.findAnswered({ ...messageFrom(1), data: hidden })).toEqual(found);
});

it('notes the number that was chosen to ask from, here and in the URL', async () => {
	const urls: string[] = [];
	const { put, send, context } = stand({
		answers: (request) => {
			if (isCreation(request)) urls.push(bodyOf(request).url);
			return undefined;
		},
	});
	await put(send(), { instanceId: 'inst_1' });
	expect(new URL(urls[0]).searchParams.get('instance')).toBe('inst_1');
	const account = await openAccount(context);
	const cameTo = (instanceId: string) =>
		account.findAnswered({ ...messageFrom(1), instanceId }).length;
	expect([cameTo('inst_1'), cameTo('inst_2')]).toEqual([1, 0]);
});

it('tells that executions of published workflows run here, so that questions may be parked', async () => {
	const { put, send, context } = stand();
	const account = await openAccount(context);
	account.memory.listsAll = true;
	setForwarder('trigger', account, { isProven: true });
	noteArrival('trigger');
	await put(send());
	expect(isForwarded(account)).toBe(true);
});

it.each([
	['an agent’s call of a tool', 'messagingGatewayHitlTool', true],
	['an agent that asks by itself', 'messagingGatewayTool', false],
])('knows whether it reviews %s', async (_what, type, isReview) => {
	const { put, send, kept } = stand({ type });
	await put(send());
	expect(kept.question).toMatchObject({ isReview });
});

it('has n8n 1 check who resumes the execution', async () => {
	const { put, send, context, waited } = stand();
	const required = jest.fn(() => expect(waited).toEqual([]));
	Object.assign(context, { setSignatureValidationRequired: required });
	await put(send());
	expect(required).toHaveBeenCalledTimes(1);
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
	await expect(put(send())).rejects.toMatchObject({
		message: expect.stringContaining('The message was not sent.'),
		// It may be tried again.
		context: { outcome: 'rejected', passing: true },
	});
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
