import type { IWebhookFunctions } from 'n8n-workflow';
import {
	acknowledge,
	answerLater,
	answerTo,
	deferOpen,
	refuse,
	requestOf,
	signedPartOf,
	type Settlement,
	type WebhookResponse,
} from '../../../nodes/MessagingGateway/webhooks/http';

const SEND_AGAIN = { error: 'Not accepted yet, send it again' };

/** Notes what the sender gets. */
function listen(headersSent = false) {
	const sent: unknown[] = [];
	const response = {
		get headersSent() {
			return headersSent || sent.length > 0;
		},
		status: (code: number) => ({ json: (body: object) => sent.push([code, body]) }),
	};
	return { response, sent };
}

describe('an answer', () => {
	it.each<[Settlement | undefined, number, object]>([
		['accepted', 200, { message: 'Received' }],
		['ignored', 200, { message: 'Not subscribed to' }],
		['deferred', 503, SEND_AGAIN],
		[undefined, 503, SEND_AGAIN],
	])('to an event that was %s is %i', (settlement, status, body) => {
		const { response, sent } = listen();
		expect(answerTo(response, settlement)).toEqual({ noWebhookResponse: true });
		expect(sent).toEqual([[status, body]]);
	});

	it('is given once', () => {
		const { response, sent } = listen();
		answerTo(response, 'deferred');
		expect(answerTo(response, 'accepted')).toEqual({ noWebhookResponse: true });
		expect(sent).toEqual([[503, SEND_AGAIN]]);
	});

	it('comes 8.5 seconds after the delivery has arrived, whatever came before', async () => {
		jest.useFakeTimers();
		const { response, sent } = listen();
		const never = new Promise<Settlement>(() => {});
		expect(answerLater(response, Date.now() - 5_000, never)).toEqual({ noWebhookResponse: true });
		await jest.advanceTimersByTimeAsync(3_499);
		expect(sent).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		jest.useRealTimers();
		expect(sent).toEqual([[503, SEND_AGAIN]]);
	});

	it('to a stranger tells nothing but what came', () => {
		const { response, sent } = listen();
		refuse(response);
		expect(JSON.stringify(sent)).toBe('[[401,{"error":"Unauthorized"}]]');
		const other = listen();
		refuse(other.response, 'digest');
		expect(other.sent).toEqual([[401, { error: 'Unauthorized', received: 'digest' }]]);
	});

	it('is left to n8n where nothing is to start', () => {
		expect(acknowledge('Received')).toEqual({ webhookResponse: { message: 'Received' } });
	});
});

it('an answer that n8n has begun is ended as it is, since its status is out', () => {
	const done: unknown[] = [];
	const response = {
		headersSent: true,
		statusCode: 200,
		removeHeader: () => {
			throw new Error('Cannot remove headers after they are sent to the client');
		},
		end: (...answer: unknown[]) => done.push(answer),
	} as unknown as WebhookResponse;
	deferOpen(response);
	expect([response.statusCode, done]).toEqual([200, [[]]]);
});

describe('the body of a request', () => {
	const read = async (rawBody: Buffer | undefined, readRawBody: () => Promise<void>) => {
		const request = { rawHeaders: [], rawBody, readRawBody };
		const context = { getRequestObject: () => request } as unknown as IWebhookFunctions;
		return await signedPartOf(requestOf(context)).readBody();
	};

	it('is not read again where n8n has read it', async () => {
		const body = Buffer.from('{}');
		expect(await read(body, async () => await Promise.reject(new Error('already consumed')))).toBe(
			body,
		);
	});

	it('is none where it cannot be read', async () => {
		const fail = async () => await Promise.reject(new Error('request entity too large'));
		expect(await read(undefined, fail)).toBeUndefined();
	});
});
