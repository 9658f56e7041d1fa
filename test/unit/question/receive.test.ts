import { randomUUID } from 'node:crypto';
import type { IDataObject, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';
import { waitFor } from '../../../host/waiting';
import type { Question } from '../../../nodes/MessagingGateway/question/question';
import { receiveReply } from '../../../nodes/MessagingGateway/question/receive';
import { signDelivery } from '../../../nodes/MessagingGateway/webhooks/standardWebhooks';
import { gatewayContext, type Answered } from '../gatewayContext';

const ANA = { id: '1@lid', phone: '5511900000001' };
const SECRET = `whsec_${Buffer.alloc(32, 'webhook').toString('base64')}`;
const MINUTE = 60_000;

// What waits for a list of webhooks gives up after seconds: nobody is to wait for that.
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

/** An execution of n8n that waits for the answer to a question, and the gateway through which that was asked. */
function startWaiting(
	asked: Partial<Question> = {},
	answers: (request: IHttpRequestOptions) => Answered | undefined = () => undefined,
) {
	const now = Date.now();
	const webhookId = `wh_${randomUUID()}`;
	const question: Question = {
		webhookId,
		secret: SECRET,
		until: now + 60 * MINUTE,
		to: ANA.phone,
		messageId: 'Q1',
		type: 'reply',
		labels: [],
		askedAt: now - 10 * MINUTE,
		sentAt: now - 10 * MINUTE,
		requireQuote: false,
		isReview: false,
		...asked,
	};
	const requests: Array<{ what: string; body: IDataObject }> = [];
	const said: string[] = [];
	const answer = (request: IHttpRequestOptions): Answered => {
		const { method = 'GET', url, body } = request;
		const told = (typeof body === 'string' ? JSON.parse(body) : (body ?? {})) as IDataObject;
		requests.push({ what: `${method} ${new URL(url).pathname}`, body: told });
		const usual =
			method === 'GET' ? [] : method === 'POST' ? { messageId: 'A1' } : { id: webhookId, ...told };
		return answers(request) ?? { status: 200, body: { data: usual } };
	};
	const gateway = gatewayContext({ answer });
	const getCredentials = async () => ({
		...(await gateway.getCredentials()),
		instanceToken: 'svc_inst_abcdefgh',
	});

	/** Delivers an event, and gives what n8n and the gateway are told of it. */
	async function deliver(
		event: IDataObject,
		{ secret = SECRET, until = question.until, query = {}, kept = question as unknown } = {},
	) {
		const body = JSON.stringify(event);
		const rawHeaders = Object.entries(signDelivery(secret, String(event.id), body)).flat();
		const response = {
			statusCode: 200,
			headersSent: false,
			writableEnded: false,
			status(code: number) {
				response.statusCode = code;
				return { json: () => (response.headersSent = true) };
			},
			end: () => (response.writableEnded = true),
			setHeader: () => {},
			removeHeader: () => {},
		};
		const context = {
			...gateway,
			getCredentials,
			logger: {
				...gateway.logger,
				warn: (text: string) => said.push(text),
				error: (text: string) => said.push(text),
			},
			evaluateExpression: () => kept,
			getQueryData: () => ({ asked: question.to, until: String(until), ...query }),
			getRequestObject: () => ({ rawHeaders, rawBody: Buffer.from(body) }),
			getResponseObject: () => response,
			getSignedResumeUrl: (parameters: Record<string, string>) =>
				`https://n8n.example.com/webhook-waiting/7/node?${new URLSearchParams(parameters).toString()}&signature=x`,
		};
		const { workflowData, webhookResponse } = await receiveReply.call(
			context as unknown as IWebhookFunctions,
		);
		return {
			item: workflowData?.[0]?.[0]?.json,
			told: (webhookResponse as { message: string } | undefined)?.message ?? response.statusCode,
			/** Answers as n8n does once the execution goes on, or cannot. */
			goOn(status = 200) {
				response.statusCode = status;
				response.end();
			},
		};
	}
	return { deliver, question, requests, said, webhookId };
}

let count = 0;
const message = (text: string | undefined, data: IDataObject = {}) => {
	const number = ++count;
	return {
		id: `evt_${number}`,
		type: 'MESSAGE.RECEIVED',
		timestamp: new Date().toISOString(),
		data: { messageId: `M${number}`, chat: ANA, sender: ANA, text, ...data },
	} as IDataObject;
};
const deletions = (requests: Array<{ what: string }>) =>
	requests.filter(({ what }) => what.startsWith('DELETE '));

describe('the answer', () => {
	it('resumes the execution, and only then the webhook goes', async () => {
		const { deliver, requests, webhookId } = startWaiting();
		const event = message('On Friday');
		const { item, told, goOn } = await deliver(event);
		expect(told).toBe('Received');
		expect(item).toEqual({ answered: true, text: 'On Friday', chatInput: 'On Friday', event });
		expect(deletions(requests)).toEqual([]);
		goOn();
		await waitFor('the webhook to go', () => deletions(requests).length > 0, 5_000);
		expect(deletions(requests)[0].what).toBe(`DELETE /v1/webhooks/${webhookId}`);
	});

	it('counts once: its repeat is deferred while n8n goes on, and another comes too late', async () => {
		const { deliver } = startWaiting();
		const first = message('On Friday');
		const { goOn } = await deliver(first);
		expect(await deliver(first)).toMatchObject({ told: 503, item: undefined });
		expect(await deliver(message('Or Monday'))).toMatchObject({
			told: 'Answered already',
			item: undefined,
		});
		goOn();
	});

	it('that n8n could not take leaves the question open', async () => {
		const { deliver, requests } = startWaiting();
		(await deliver(message('On Friday'))).goOn(500);
		expect(deletions(requests)).toEqual([]);
		expect(await deliver(message('Or Monday'))).toMatchObject({ told: 'Received' });
	});

	const approval: Partial<Question> = { type: 'approval', labels: ['Yes', 'No'] };
	it.each<[string, Partial<Question>, IDataObject, IDataObject]>([
		['yes', approval, message('Yes'), { text: 'Yes', approved: true, chatInput: 'Yes' }],
		['no', approval, message('no'), { text: 'no', approved: false, chatInput: 'no' }],
		[
			'a choice',
			{ type: 'choice', labels: ['Red', 'Blue'] },
			message('2'),
			{ text: '2', choice: 'Blue', chatInput: '2' },
		],
		[
			'a button without a text',
			{ type: 'choice', labels: ['Red', 'Blue'] },
			message(undefined, { buttonReply: { id: 'Blue' } }),
			{ text: 'Blue', choice: 'Blue', chatInput: 'Blue' },
		],
		[
			'a reviewer’s yes, of which the model hears nothing else',
			{ ...approval, isReview: true },
			message('Yes'),
			{ text: 'Yes', approved: true },
		],
		[
			'what a reviewer writes instead',
			{ ...approval, isReview: true },
			message('Only half of it'),
			{ text: 'Only half of it', approved: false, chatInput: 'Only half of it' },
		],
	])('gives %s', async (_what, asked, event, given) => {
		const { deliver } = startWaiting(asked);
		const { item } = await deliver(event, { query: { chat: ANA.id } });
		expect(item).toEqual({ answered: true, ...given, event });
	});
});

describe('an approval', () => {
	const approval: Partial<Question> = { type: 'approval', labels: ['Yes', 'No'] };
	const place = { query: { chat: ANA.id } };

	it('is to be quoted where another question is open, which the person is told once', async () => {
		const other = `https://n8n.example.com/webhook-waiting/8/node?asked=${ANA.phone}&until=${Date.now() + MINUTE}&signature=x`;
		const { deliver, requests } = startWaiting(approval, ({ method, url }) =>
			(method ?? 'GET') === 'GET' && url.includes('/webhooks')
				? { status: 200, body: { data: [{ id: 'wh_8', url: other }] } }
				: undefined,
		);
		for (let times = 0; times < 2; times++)
			expect(await deliver(message('Yes'), place)).toMatchObject({
				told: 'To be quoted',
				item: undefined,
			});
		const sent = () => requests.filter(({ what }) => what.startsWith('POST '));
		await waitFor('the person to be told', () => sent().length > 0, 5_000);
		expect(sent()).toHaveLength(1);
		expect(sent()[0].body).toMatchObject({ to: ANA.id, text: expect.stringContaining('quote') });
	});

	it('is deferred where nobody can tell which questions are open', async () => {
		const { deliver } = startWaiting(approval, () => ({ status: 502 }));
		expect(await deliver(message('Yes'), place)).toMatchObject({ told: 503, item: undefined });
	});

	it('of one message decides one question alone', async () => {
		const { deliver, question } = startWaiting(approval);
		const event = message('Yes', { quotedMessageId: 'Q1' });
		await deliver(event, place);
		const second = { ...question, webhookId: 'wh_second' };
		expect(await deliver(event, { ...place, kept: second })).toMatchObject({
			told: 'To be quoted',
			item: undefined,
		});
	});
});

describe('what is no answer', () => {
	it.each<[string, IDataObject, string | number]>([
		[
			'a message of somebody else',
			{ chat: { id: '2@lid', phone: '5521900000002' } },
			'Not the answer',
		],
		['a message that quotes another one', { quotedMessageId: 'other' }, 'Not the answer'],
		['a message of the number itself', { fromMe: true }, 'Not the answer'],
	])('%s leaves the execution waiting', async (_what, data, told) => {
		const { deliver, requests } = startWaiting();
		expect(await deliver(message('On Friday', data))).toMatchObject({ told, item: undefined });
		expect(requests).toEqual([]);
	});

	it('is refused where it is not signed, or nobody is asked', async () => {
		const { deliver } = startWaiting();
		const secret = `whsec_${Buffer.alloc(32, 'nobody').toString('base64')}`;
		expect(await deliver(message('Hi'), { secret })).toMatchObject({ told: 401, item: undefined });
		expect(await deliver(message('Hi'), { kept: null })).toMatchObject({ told: 401 });
	});

	it('to an earlier question of the execution needs nothing', async () => {
		const { deliver, question } = startWaiting();
		expect(await deliver(message('Hi'), { until: question.until - 1 })).toMatchObject({
			told: 'No action required',
			item: undefined,
		});
	});

	it('is deferred if it cannot be processed, which the log says', async () => {
		const { deliver, said } = startWaiting({ labels: undefined, type: 'choice' });
		expect(await deliver(message('Red'))).toMatchObject({ told: 503, item: undefined });
		expect(said).toEqual(['Messaging Gateway: a delivery to a question could not be processed']);
	});
});

describe('a reply that fits nothing', () => {
	const choice: Partial<Question> = { type: 'choice', labels: ['Red', 'Blue'] };
	const askAgain = { text: 'Red or blue?', maxAttempts: 1 };

	it('is asked about as often as wanted, and the webhook holds the count', async () => {
		const { deliver, requests, webhookId } = startWaiting({ ...choice, askAgain });
		const unclear = message('Green');
		expect(await deliver(unclear)).toMatchObject({ told: 'Asked again', item: undefined });
		await waitFor('the person to be asked again', () => requests.length > 1, 5_000);
		expect(requests.map(({ what }) => what)).toEqual([
			`PATCH /v1/webhooks/${webhookId}`,
			'POST /v1/messages/send-text',
		]);
		expect(String(requests[0].body.url)).toContain('&again=1');
		expect(requests[1].body).toEqual({ to: ANA.id, text: 'Red or blue?' });
		expect(await deliver(unclear)).toMatchObject({ told: 'Not the answer' });
		expect(await deliver(message('Yellow'))).toMatchObject({ told: 'Not the answer' });
		expect(requests).toHaveLength(2);
		expect(await deliver(message('Blue'))).toMatchObject({ told: 'Received' });
	});

	it('is left alone if nobody wants to ask again', async () => {
		const { deliver, requests } = startWaiting(choice);
		expect(await deliver(message('Green'))).toMatchObject({ told: 'Not the answer' });
		expect(requests).toEqual([]);
	});

	it('is asked about in vain where the gateway does not send, which the log says', async () => {
		const { deliver, said } = startWaiting({ ...choice, askAgain }, ({ method }) =>
			method === 'POST' ? { status: 400, body: { message: 'No' } } : undefined,
		);
		await deliver(message('Green'));
		await waitFor('the log', () => said.length > 0, 5_000);
		expect(said[0]).toMatch(/the person asked could not be written to again: /);
	});
});

describe('who wrote, nobody can tell', () => {
	/** From a chat whose phone the network hides. */
	const hidden = { chat: { id: '9@lid' }, sender: { id: '9@lid' } };

	it('until the gateway tells where the question went: it is deferred, and said after a minute once', async () => {
		const late = startWaiting();
		for (let times = 0; times < 2; times++)
			expect(await late.deliver(message('Hi', hidden))).toMatchObject({ told: 503 });
		expect(late.said).toHaveLength(1);
		expect(late.said[0]).toContain('The gateway has not sent MESSAGE.SENT for the question yet');

		const fresh = startWaiting({ askedAt: Date.now() - 1_000 });
		expect(await fresh.deliver(message('Hi', hidden))).toMatchObject({ told: 503 });
		expect(fresh.said).toEqual([]);
	});

	it('ever, where the message of the question is not known: it does not count, which is said once', async () => {
		const { deliver, said } = startWaiting({ messageId: undefined });
		for (let times = 0; times < 2; times++)
			expect(await deliver(message('Hi', hidden))).toMatchObject({ told: 'Not the answer' });
		expect(said).toHaveLength(1);
		expect(said[0]).toContain('Such messages do not count as the answer.');
	});

	it('once MESSAGE.SENT has named the chat, in which the answer then counts', async () => {
		const { deliver, requests, webhookId } = startWaiting();
		const sent = {
			id: 'evt_sent',
			type: 'MESSAGE.SENT',
			instanceId: 'inst_1',
			data: { messageId: 'Q1', chat: hidden.chat },
		};
		expect(await deliver(sent)).toMatchObject({ told: 'Noted', item: undefined });
		expect(requests.map(({ what }) => what)).toEqual([`PATCH /v1/webhooks/${webhookId}`]);
		const { url, events } = requests[0].body;
		expect(Object.fromEntries(new URL(String(url)).searchParams)).toMatchObject({
			asked: ANA.phone,
			chat: hidden.chat.id,
			instance: 'inst_1',
		});
		expect(events).toEqual(['MESSAGE.RECEIVED']);
		expect(await deliver({ ...message('Hi', hidden), instanceId: 'inst_1' })).toMatchObject({
			told: 'Received',
		});
	});
});

describe('a delivery to a parked webhook', () => {
	const pairing = { id: 'evt_qr', type: 'QRCODE.UPDATED', data: {} };

	it('lets the gateway deliver the messages to it again', async () => {
		const { deliver, requests, webhookId } = startWaiting();
		expect(await deliver(pairing)).toMatchObject({ told: 'Noted', item: undefined });
		expect(requests).toMatchObject([
			{ what: `PATCH /v1/webhooks/${webhookId}`, body: { events: ['MESSAGE.RECEIVED'] } },
		]);
	});

	it('is repeated as long as the gateway does not', async () => {
		const { deliver } = startWaiting({}, () => ({ status: 502 }));
		expect(await deliver(pairing)).toMatchObject({ told: 503, item: undefined });
	});
});
