import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { waitUntil } from './waits';

/**
 * The response to a delivery, which tells the gateway whether to send the event again.
 *
 * If a delivery starts nothing, the node responds itself, and n8n keeps out of it (`NO_RESPONSE`).
 *
 * If it starts an execution, n8n responds too, and its response is the only word about the start:
 * n8n has saved the execution, or refused it, or the execution has ended. But n8n may respond too
 * late for the gateway, because it waits for capacity or for the end of the execution; and it
 * responds 200 also if it has run nothing. So `followResponse` puts itself between both:
 *
 * 1. n8n's response is read, whenever it comes: that is the decision about the event.
 * 2. It goes to the sender if it is the first one, and says to the sender what the decision says.
 * 3. Otherwise `sender` responds in its place: at once if the two differ, before if the caller
 *    wishes so. The first response counts. Everything that n8n does to the response after that is
 *    ignored: Node would throw, and n8n would report that as an error of its own.
 */

/** Node's response to a delivery, as far as it is used here. */
export interface WebhookResponse {
	statusCode: number;
	readonly headersSent: boolean;
	setHeader(name: string, value: string): unknown;
	end(...content: unknown[]): unknown;
}

/** Responds to the gateway, unless it has its response already. */
export interface Sender {
	/** 401 without a reason (API 8.5). */
	refuse(): void;
	/** 200. */
	accept(message?: string): void;
	/** 503, so that the gateway sends the event again. */
	defer(): void;
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

/** Responds 401, and starts nothing. */
export function refuse(response: WebhookResponse): IWebhookResponseData {
	senderOf(response).refuse();
	return NO_RESPONSE;
}

/** Responds 200, and starts nothing. */
export function accept(response: WebhookResponse, message: string): IWebhookResponseData {
	senderOf(response).accept(message);
	return NO_RESPONSE;
}

/** Responds 503, and starts nothing. */
export function defer(response: WebhookResponse): IWebhookResponseData {
	senderOf(response).defer();
	return NO_RESPONSE;
}

/** Lets n8n respond 200 without starting anything. */
export function acknowledge(message: string): IWebhookResponseData {
	return { webhookResponse: { message } };
}

/** The gateway gives up after 10 seconds (API 12.1). n8n needs the rest. */
export const RESPOND_WITHIN_MS = 8_500;

/** Responds when an event is decided, or 503 if that takes too long. */
export function respondInTime(
	response: WebhookResponse | Sender,
	arrivedAt: number,
	decided: Promise<Decision>,
): IWebhookResponseData {
	return respondWhen(response, waitUntil(arrivedAt + RESPOND_WITHIN_MS, decided));
}

/** Responds when an event is decided, or 503 if there is no decision. */
export function respondWhen(
	response: WebhookResponse | Sender,
	decided: Promise<Decision | undefined>,
): IWebhookResponseData {
	const sender = 'accept' in response ? response : senderOf(response);
	void decided.then((decision) => {
		if (decision === 'accepted') sender.accept();
		else sender.defer();
	});
	return NO_RESPONSE;
}

/** Responds by the methods that the response has now. `followResponse` replaces them. */
function senderOf(response: WebhookResponse): Sender {
	const { setHeader, end } = response;

	const respond = (status: number, body: object): void => {
		if (response.headersSent) return;
		const content = Buffer.from(JSON.stringify(body));
		response.statusCode = status;
		setHeader.call(response, 'content-type', 'application/json; charset=utf-8');
		setHeader.call(response, 'content-length', String(content.length));
		end.call(response, content);
	};

	return {
		refuse: () => respond(401, { error: 'Unauthorized' }),
		accept: (message = 'Received') => respond(200, { message }),
		defer: () => respond(503, { error: 'Not accepted yet, send it again' }),
	};
}

/**
 * Reads n8n's response, and passes it on if it comes first and says what is decided.
 *
 * @returns the decision, when n8n has responded, and what can respond before n8n
 */
export function followResponse(response: WebhookResponse, confirmWhen: ConfirmWhen) {
	const { promise: responded, resolve } = Promise.withResolvers<Decision>();
	const sender = senderOf(response);
	const { end } = response;

	// If the sender has hung up, Node emits no event at the end: so `end` is replaced.
	response.end = (...content) => {
		const decision = decisionOf(response, confirmWhen, content[0]);
		resolve(decision);

		if (decision === 'accepted' && isGood(response) && !response.headersSent)
			return end.apply(response, content);
		if (decision === 'accepted') sender.accept();
		else sender.defer();
		return response;
	};

	return {
		responded,
		sender: {
			...sender,
			accept: () => {
				sender.accept();
				ignoreHeaders(response);
			},
			defer: () => {
				sender.defer();
				ignoreHeaders(response);
			},
		},
	};
}

/** Lets n8n set headers of a response that has gone out, which Node answers with an error. */
function ignoreHeaders(response: WebhookResponse): void {
	const ignore = (): WebhookResponse => response;
	Object.assign(response, {
		setHeader: ignore,
		setHeaders: ignore,
		appendHeader: ignore,
		removeHeader: ignore,
	});
}

/** n8n's words for an execution that has failed (its `cli/src/webhooks/webhook-helpers.ts`). */
const FAILED = 'Error in workflow';

/** The decision that n8n's response means. A good end, or a wait, has no body. */
function decisionOf(response: WebhookResponse, confirmWhen: ConfirmWhen, body: unknown): Decision {
	const text = typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : '';

	// An execution that has failed has started. n8n also responds 200, in words, if it had nothing
	// to run.
	const hasStarted = isGood(response) || text.includes(FAILED);
	const hasSucceeded = isGood(response) && text === '';

	const isDone = confirmWhen === 'succeeded' ? hasSucceeded : hasStarted;
	return isDone ? 'accepted' : 'deferred';
}

function isGood({ statusCode }: WebhookResponse): boolean {
	return statusCode >= 200 && statusCode < 300;
}
