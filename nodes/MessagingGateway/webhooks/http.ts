import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { ANSWER_WITHIN_MS, waitUntil } from './deadlines';

/** The part of n8n's request object that the package uses. */
interface WebhookRequest {
	/** Header names and values in turn, as they came. */
	rawHeaders: string[];
	/** The body's bytes; n8n reads them beforehand only for the content types it knows. */
	rawBody?: Buffer;
	readRawBody(): Promise<void>;
}

/** The part of a request that its signature covers. */
export interface SignedRequest {
	/** Header names and values in turn, as they came. */
	rawHeaders: readonly string[];
	/** Reads the body's bytes; undefined if it cannot be read. */
	readBody(): Promise<Buffer | undefined>;
}

/** Answers the sender of a delivery. */
export interface SenderResponse {
	readonly headersSent: boolean;
	status(code: number): { json(body: object): unknown };
}

/** The part of n8n's response object that the package uses. */
export interface WebhookResponse extends SenderResponse {
	statusCode: number;
	/** Whether the answer has ended, even if the sender has hung up. */
	writableEnded: boolean;
	end(...answer: unknown[]): unknown;
	setHeader(name: string, value: string): unknown;
	removeHeader(name: string): void;
}

/**
 * The end of an event: `accepted`, its execution has started or succeeded, whichever the person chose; `deferred`, the
 * gateway has to send it again.
 */
export type Settlement = 'accepted' | 'deferred';

/** When an event is confirmed to the gateway: when its execution has started, or when it has succeeded. */
export type ConfirmWhen = 'started' | 'succeeded';

const SEND_AGAIN = { error: 'Not accepted yet, send it again' };

export function requestOf(context: IWebhookFunctions): WebhookRequest {
	return context.getRequestObject() as WebhookRequest;
}

export function signedPartOf(request: WebhookRequest): SignedRequest {
	return { rawHeaders: request.rawHeaders, readBody: async () => await readBody(request) };
}

export function responseOf(context: IWebhookFunctions): WebhookResponse {
	return context.getResponseObject() as WebhookResponse;
}

/** Answers 401 (API document, "Webhook delivery signing", rule 4), without telling a stranger a reason. */
export function refuse(response: SenderResponse): IWebhookResponseData {
	return answer(response, 401, { error: 'Unauthorized' });
}

/** Answers 503, so that the gateway sends the event again. */
export function defer(response: SenderResponse): IWebhookResponseData {
	return answer(response, 503, SEND_AGAIN);
}

/** Turns an answer that n8n is just ending into a 503. */
export function deferOpen(response: WebhookResponse): unknown {
	if (response.headersSent) return response.end();
	response.statusCode = 503;
	response.removeHeader('content-length');
	return response.end(JSON.stringify(SEND_AGAIN));
}

/** Lets n8n answer 200 without starting anything. */
export function acknowledge(message: string): IWebhookResponseData {
	return { webhookResponse: { message } };
}

/**
 * Answers when an event is settled, at the latest in time for its delivery. n8n is let go meanwhile: it keeps up to 10 MB
 * ready for a delivery.
 *
 * @param arrivedAt milliseconds as of `Date.now`
 */
export function answerLater(
	response: SenderResponse,
	arrivedAt: number,
	settled: Promise<Settlement>,
): IWebhookResponseData {
	void waitUntil(arrivedAt + ANSWER_WITHIN_MS, settled).then((settlement) =>
		settlement === 'accepted' ? answer(response, 200, { message: 'Received' }) : defer(response),
	);
	return { noWebhookResponse: true };
}

/** Answers through the response itself, since n8n takes a status from nowhere else. */
function answer(response: SenderResponse, status: number, body: object): IWebhookResponseData {
	if (!response.headersSent) response.status(status).json(body);
	return { noWebhookResponse: true };
}

async function readBody(request: WebhookRequest): Promise<Buffer | undefined> {
	try {
		if (!request.rawBody) await request.readRawBody();
		return request.rawBody;
	} catch {
		// A body that is too large, badly compressed, cut off or consumed cannot be verified.
		return undefined;
	}
}
