import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { waitUntil } from './waits';

export interface SenderResponse {
	status(code: number): { json(body: object): unknown };
}

export interface WebhookResponse extends SenderResponse {
	statusCode: number;
	readonly headersSent: boolean;
	end(...content: unknown[]): unknown;
	setHeader(name: string, value: string): unknown;
}

/** n8n's decision about an event. If it is `deferred`, the gateway is to send the event again. */
export type Decision = 'accepted' | 'deferred';

export type ConfirmWhen = 'received' | 'started' | 'succeeded';

export type SignedRequest = ReturnType<typeof requestOf>;

/** The signed part: header names and values in turn, and the bytes of the body. */
export function requestOf(context: IWebhookFunctions) {
	const request = context.getRequestObject();
	return {
		rawHeaders: request.rawHeaders,
		readBody: async (): Promise<Buffer | undefined> => {
			// A body that is too large, badly compressed, cut off or consumed cannot be verified.
			if (!request.rawBody) await request.readRawBody().catch(() => {});
			return request.rawBody;
		},
	};
}

/** n8n responds nothing, and releases the request, up to 10 MB, at once. */
export const NO_RESPONSE: IWebhookResponseData = { noWebhookResponse: true };

export function responseOf(context: IWebhookFunctions): WebhookResponse {
	return context.getResponseObject() as WebhookResponse;
}

/** Responds 401 without a reason (API document, "Webhook delivery signing" 4). */
export function refuse(response: SenderResponse): IWebhookResponseData {
	return respond(response, 401, { error: 'Unauthorized' });
}

export function accept(response: SenderResponse): IWebhookResponseData {
	return respond(response, 200, { message: 'Received' });
}

/** Responds 503, so that the gateway sends the event again. */
export function defer(response: SenderResponse): IWebhookResponseData {
	return respond(response, 503, { error: 'Not accepted yet, send it again' });
}

/** Lets n8n respond 200 without starting anything. */
export function acknowledge(message: string): IWebhookResponseData {
	return { webhookResponse: { message } };
}

/** The gateway gives up after 10 seconds (API document, "Limits"). n8n needs the rest. */
const RESPOND_WITHIN_MS = 8_500;

/** Responds when an event is decided, and 503 if that takes too long. */
export function respondLater(
	response: SenderResponse,
	arrivedAt: number,
	decided: Promise<Decision>,
): IWebhookResponseData {
	void waitUntil(arrivedAt + RESPOND_WITHIN_MS, decided).then((decision) =>
		decision === 'accepted' ? accept(response) : defer(response),
	);
	return NO_RESPONSE;
}

// n8n sends another status than 200 only if the node itself responds.
function respond(response: SenderResponse, status: number, body: object): IWebhookResponseData {
	response.status(status).json(body);
	return NO_RESPONSE;
}

/** Passes n8n's response on. `responded` is its meaning; `sender` responds in place of n8n. */
export function followResponse(response: WebhookResponse, confirmWhen: ConfirmWhen) {
	const { promise: responded, resolve } = Promise.withResolvers<Decision>();
	const sender = senderOf(response);
	// If the sender has hung up, Node emits no event at the end: so `end` is replaced.
	const end = response.end.bind(response);
	response.end = (...content) => {
		const decision = decisionOf(response, confirmWhen, content[0]);
		resolve(decision);
		return decision === 'deferred' && isGood(response) ? defer(sender) : end(...content);
	};
	return { sender, responded };
}

/** Keeps n8n's response from the sender, for whom it may come too late: only `sender` responds. */
export function detachResponse(response: WebhookResponse, confirmWhen: ConfirmWhen) {
	const sender = senderOf(response);
	const ignore = (): unknown => response;
	const headers = { setHeader: ignore, setHeaders: ignore, appendHeader: ignore };
	Object.assign(response, { ...headers, removeHeader: ignore, end: ignore });
	return { ...followResponse(response, confirmWhen), sender };
}

/** Responds by the methods that the response has now, which may be replaced. */
function senderOf(response: WebhookResponse): SenderResponse {
	const { setHeader, end } = response;
	return {
		status: (code) => ({
			json: (body) => {
				if (response.headersSent) return;
				const content = Buffer.from(JSON.stringify(body));
				response.statusCode = code;
				setHeader.call(response, 'content-type', 'application/json; charset=utf-8');
				setHeader.call(response, 'content-length', String(content.length));
				end.call(response, content);
			},
		}),
	};
}

/** n8n's words for an execution that has failed (its `cli/src/webhooks/webhook-helpers.ts`). */
const FAILED = 'Error in workflow';

// n8n also responds 200, in words, if it had nothing to run. A good end, or a wait, has no body.
function decisionOf(response: WebhookResponse, confirmWhen: ConfirmWhen, body?: unknown): Decision {
	const text = typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : '';
	const hasStarted = isGood(response) || text.includes(FAILED);
	const isDone = confirmWhen === 'started' ? hasStarted : isGood(response) && text === '';
	return isDone ? 'accepted' : 'deferred';
}

function isGood({ statusCode }: WebhookResponse): boolean {
	return statusCode >= 200 && statusCode < 300;
}
