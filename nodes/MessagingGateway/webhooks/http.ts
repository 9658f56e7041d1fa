import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { ANSWER_WITHIN_MS, waitUntil } from './patience';

/** What of n8n's request object the trigger uses. */
interface WebhookRequest {
	/** Header names and values in turn, as they came. */
	rawHeaders: string[];
	/** The body's bytes; n8n reads them beforehand only for the content types it knows. */
	rawBody?: Buffer;
	readRawBody(): Promise<void>;
}

/** What of a request its signature covers. */
export interface SignedRequest {
	/** Header names and values in turn, as they came. */
	rawHeaders: readonly string[];
	/** The body's bytes, read only when somebody wants them; undefined if it cannot be read. */
	readBody(): Promise<Buffer | undefined>;
}

/** What it takes to answer whoever has sent a delivery. */
export interface SenderResponse {
	readonly headersSent: boolean;
	status(code: number): { json(body: object): unknown };
}

/** What of n8n's response object the trigger uses. */
export interface WebhookResponse extends SenderResponse {
	statusCode: number;
	/** Whether somebody has ended the answer, even if nobody is there any more to get it. */
	writableEnded: boolean;
	end(...answer: unknown[]): unknown;
	setHeader(name: string, value: string): unknown;
	removeHeader(name: string): void;
}

/**
 * What became of an event: `accepted`, it need not be sent again: its execution runs or has ended well, whichever the
 * person waits for; `ignored`, it was filtered out; `deferred`, the gateway has to send it again, so it is answered
 * 503.
 */
export type Settlement = 'accepted' | 'ignored' | 'deferred';

/** What a delivery's 200 waits for: that its execution has started, or that it has ended well. */
export type ConfirmWhen = 'started' | 'succeeded';

export const NOT_WANTED = 'Not subscribed to';
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

/**
 * Answers 401 (API document, "Webhook delivery signing", rule 4), without telling a stranger what to do better.
 * @param received what to tell of the body that came, if anything
 */
export function refuse(response: SenderResponse, received?: string): IWebhookResponseData {
	return answer(response, 401, { error: 'Unauthorized', received });
}

/** Answers 503, so that the gateway sends the event again. */
export function defer(response: SenderResponse): IWebhookResponseData {
	return answer(response, 503, SEND_AGAIN);
}

/** Turns an answer that n8n is just ending into the one of `defer`. */
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

/** Answers according to what became of an event elsewhere; undefined, nothing yet, means: send it again. */
export function answerTo(
	response: SenderResponse,
	settlement: Settlement | undefined,
): IWebhookResponseData {
	if (settlement === undefined || settlement === 'deferred') return defer(response);
	const message = settlement === 'accepted' ? 'Received' : NOT_WANTED;
	return answer(response, 200, { message });
}

/**
 * Answers according to what becomes of an event elsewhere, in time for a delivery that arrived then (milliseconds as of
 * `Date.now`). n8n is let go meanwhile: what it keeps ready for a delivery can take 10 MB.
 */
export function answerLater(
	response: SenderResponse,
	arrivedAt: number,
	settled: Promise<Settlement>,
): IWebhookResponseData {
	const inTime = waitUntil(arrivedAt + ANSWER_WITHIN_MS, settled);
	void inTime.then((settlement) => answerTo(response, settlement));
	return { noWebhookResponse: true };
}

/** n8n takes a status only from the response itself, and must then be told that there is an answer already. */
function answer(response: SenderResponse, status: number, body: object): IWebhookResponseData {
	if (!response.headersSent) response.status(status).json(body);
	return { noWebhookResponse: true };
}

async function readBody(request: WebhookRequest): Promise<Buffer | undefined> {
	try {
		if (!request.rawBody) await request.readRawBody();
		return request.rawBody;
	} catch {
		// Too large, badly compressed, cut off or already consumed: in any case nothing that can be verified.
		return undefined;
	}
}
