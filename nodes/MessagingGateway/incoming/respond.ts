import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { RESPOND_WITHIN_MS, waitUntil } from '../waits';

export interface SenderResponse {
	readonly headersSent: boolean;
	status(code: number): { json(body: object): unknown };
}

export interface WebhookResponse extends SenderResponse {
	statusCode: number;
	end(...content: unknown[]): unknown;
	setHeader(name: string, value: string): unknown;
}

/** `accepted`: its execution has started or succeeded, whichever the person chose. `deferred`: the gateway is to resend it. */
export type Settlement = 'accepted' | 'deferred';

/** When an event is confirmed to the gateway: before its execution, when that has started, or when it has succeeded. */
export type ConfirmWhen = 'received' | 'started' | 'succeeded';

export type SignedRequest = ReturnType<typeof requestOf>;

/** The part of a request that its signature covers: header names and values in turn, and the bytes of the body. */
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

export function responseOf(context: IWebhookFunctions): WebhookResponse {
	return context.getResponseObject() as WebhookResponse;
}

/** Responds 401 (API document, "Webhook delivery signing", rule 4), without telling a stranger a reason. */
export function refuse(response: SenderResponse): IWebhookResponseData {
	return respond(response, 401, { error: 'Unauthorized' });
}

/** Responds 503, so that the gateway sends the event again. */
export function defer(response: SenderResponse): IWebhookResponseData {
	return respond(response, 503, { error: 'Not accepted yet, send it again' });
}

/** Lets n8n respond 200 without starting anything. */
export function acknowledge(message: string): IWebhookResponseData {
	return { webhookResponse: { message } };
}

/** Responds when an event is settled, and 503 if that takes too long. n8n releases the request, up to 10 MB, at once. */
export function respondLater(
	response: SenderResponse,
	arrivedAt: number,
	settled: Promise<Settlement>,
): IWebhookResponseData {
	void waitUntil(arrivedAt + RESPOND_WITHIN_MS, settled).then((settlement) =>
		settlement === 'accepted' ? respond(response, 200, { message: 'Received' }) : defer(response),
	);
	return { noWebhookResponse: true };
}

// n8n sends another status than 200 only if the node itself responds.
function respond(response: SenderResponse, status: number, body: object): IWebhookResponseData {
	if (!response.headersSent) response.status(status).json(body);
	return { noWebhookResponse: true };
}

/** Follows n8n's response on its way to the sender: `responded` is its meaning, even if the sender has hung up. */
export function followResponse(response: WebhookResponse, confirmWhen: ConfirmWhen) {
	const { promise: responded, resolve } = Promise.withResolvers<Settlement>();
	// If the sender has hung up, Node emits no event at the end of a response: so `end` itself is wrapped.
	const end = response.end.bind(response);
	response.end = (...content) => {
		response.end = end;
		const settlement = settlementOf(response, confirmWhen, content[0]);
		resolve(settlement);
		return settlement === 'deferred' && isGood(response) ? defer(response) : end(...content);
	};
	return { responded };
}

/** Detaches the response from n8n, which would hold it until the execution ends. The trigger responds to the `sender`. */
export function detachResponse(response: WebhookResponse, confirmWhen: ConfirmWhen) {
	const { setHeader, end } = response;
	const ignore = (): unknown => response;
	const { promise: responded, resolve } = Promise.withResolvers<Settlement>();
	Object.assign(response, {
		setHeader: ignore,
		setHeaders: ignore,
		appendHeader: ignore,
		removeHeader: ignore,
		end: (body?: unknown) => {
			resolve(settlementOf(response, confirmWhen, body));
			return response;
		},
	});
	const sender: SenderResponse = {
		get headersSent() {
			return response.headersSent;
		},
		status: (code) => ({
			json: (body) => {
				response.statusCode = code;
				setHeader.call(response, 'content-type', 'application/json; charset=utf-8');
				end.call(response, JSON.stringify(body));
			},
		}),
	};
	return { sender, responded };
}

const FAILED = 'Error in workflow';

/** n8n also responds 200 if it had nothing to run, but in words. An execution that ended well, or began to wait, has no body. */
function settlementOf(response: WebhookResponse, confirmWhen: ConfirmWhen, body?: unknown) {
	const text = typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : '';
	const isDone =
		confirmWhen === 'started'
			? isGood(response) || text.includes(FAILED)
			: isGood(response) && text === '';
	return isDone ? 'accepted' : 'deferred';
}

function isGood({ statusCode }: WebhookResponse): boolean {
	return statusCode >= 200 && statusCode < 300;
}
