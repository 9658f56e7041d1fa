import {
	jsonParse,
	type IAllExecuteFunctions,
	type IDataObject,
	type IHttpRequestMethods,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';
import { isObject } from '../json';
import { adviseOnStatus, explainNetworkError } from './advice';
import { readConnection, type Connection } from './connection';
import { readItems, type Expected, type GatewayResponse } from './content';
import { GatewayError, MAX_LENGTH, toPlainText, type Effect, type Failure } from './failure';
import { TOKENS, type TokenKind } from './secrets';

export type GatewayContext = IAllExecuteFunctions;

/** The gateway, as one token reaches it. */
export interface Gateway extends Connection {
	/**
	 * Makes exactly one HTTP request (API document, "Conventions" and "Authentication"): never repeated and never redirected,
	 * since a second request may be a second message.
	 *
	 * @throws {GatewayError} if no response comes, if its status is not 2xx, or if the expected content is missing
	 */
	call(request: GatewayRequest): Promise<GatewayResponse>;
}

export interface GatewayRequest {
	method: IHttpRequestMethods;
	/** It may have its own query. */
	path: string;
	query?: IDataObject;
	/** Sent as JSON, but bytes as they are. */
	body?: unknown;
	/** JSON if left out. */
	contentType?: string;
	effect: Effect;
	/** `TIMEOUT_SECONDS` if left out. */
	timeoutMs?: number;
	/** Whether the response is wanted as bytes. */
	isFile?: boolean;
	/** The content that a success must have, so that a web page is none. If left out: of a send a messageId, else any. */
	expects?: Expected;
}

export const TIMEOUT_SECONDS = 30;

/**
 * Opens the gateway with a token of a credential: the credential of its kind, or of the kind `holder`.
 *
 * @param options `outlivesCancel`: n8n does not abort its requests if the execution is cancelled
 * @throws {GatewayError} if no request can be made with it
 */
export async function openGateway(
	context: GatewayContext,
	kind: TokenKind,
	options: { holder?: TokenKind; instanceId?: string; outlivesCancel?: boolean } = {},
): Promise<Gateway> {
	const { holder = kind, instanceId, outlivesCancel } = options;
	const credential = await context.getCredentials(TOKENS[holder].credential);
	// n8n's helper asks its context for the signal that aborts a request.
	const signal = { getExecutionCancelSignal: { value: () => undefined } };
	const sender = outlivesCancel ? (Object.create(context, signal) as GatewayContext) : context;
	return gatewayOf(sender, readConnection(credential, kind, instanceId));
}

export function gatewayOf(context: GatewayContext, connection: Connection): Gateway {
	return {
		...connection,
		call: async (request) => await callGateway(context, connection, request),
	};
}

async function callGateway(
	context: GatewayContext,
	{ kind, baseUrl, token }: Connection,
	request: GatewayRequest,
): Promise<GatewayResponse> {
	const { path } = request;
	const { credential: type, field } = TOKENS[kind];
	const { body: content, contentType = 'application/json' } = request;
	const options: IHttpRequestOptions = {
		method: request.method,
		url: baseUrl + path,
		qs: request.query,
		...(content !== undefined && {
			headers: { 'Content-Type': contentType },
			// n8n's helper leaves out an empty object, but no text.
			body: content instanceof Buffer ? content : JSON.stringify(content),
		}),
		...(request.isFile && { encoding: 'arraybuffer' }),
		timeout: request.timeoutMs ?? TIMEOUT_SECONDS * 1000,
		disableFollowRedirect: true,
		returnFullResponse: true,
		// n8n's helper repeats a request that it sees fail with 401.
		ignoreHttpStatusErrors: true,
	};
	// Given the token, n8n does not read the credential again, which it would do for the first item.
	const credentialsDecrypted = { id: type, name: type, type, data: { [field]: token } };
	const sending = context.helpers.httpRequestWithAuthentication.call(context, type, options, {
		credentialsDecrypted,
	});
	const received = (await sending.catch((error: unknown) => {
		const failure = explainNetworkError(error, baseUrl);
		const description = `${request.method} ${toPlainText(path)}: ${failure.description}`;
		const outcome = request.effect === 'harmless' ? 'rejected' : failure.outcome;
		throw new GatewayError({ ...failure, description, outcome });
	})) as IN8nHttpFullResponse;
	const { statusCode: status, body } = received;
	const headers = received.headers as Record<string, string>;
	const expects = request.effect === 'send' ? 'messageId' : request.expects;
	const items = expects ? readItems(body, expects) : [];
	const response: GatewayResponse = { status, headers, body, path, items: items ?? [] };
	if (status >= 200 && status < 300 && items !== undefined) return response;
	// If a file was wanted, a refusal comes as bytes too.
	const text = body instanceof Buffer ? jsonParse(body.toString(), { fallbackValue: '' }) : body;
	throw new GatewayError(explainResponse(request, { ...response, body: text }, kind));
}

function explainResponse(
	{ method, effect }: GatewayRequest,
	response: GatewayResponse,
	kind: TokenKind,
): Failure {
	const { status, headers } = response;
	const path = toPlainText(response.path);
	const advice = adviseOnStatus(status, { kind, path, location: headers.location });
	const retryAfterMs = status === 429 ? readPause(headers['retry-after']) : undefined;
	// "See Other" (303) points to the result of something that was done.
	const isRefused = status >= 300 && status < 500 && status !== 303;
	return {
		message: readMessage(response),
		description: `HTTP ${status} from ${method} ${path}. ${advice}`,
		outcome: isRefused || effect === 'harmless' ? 'rejected' : 'unknown',
		retryable: status >= 500 || [408, 425, 429].includes(status),
		status,
		...(retryAfterMs !== undefined && { retryAfterMs }),
	};
}

/** Milliseconds of `Retry-After`, which holds seconds or a time (RFC 9110, 10.2.3). */
function readPause(pause = ''): number | undefined {
	const isNumber = /^[\d.]+$/.test(pause);
	const pauseMs = isNumber ? Number(pause) * 1000 : Date.parse(pause) - Date.now();
	return Number.isNaN(pauseMs) ? undefined : Math.max(0, pauseMs);
}

// The document shows `error` in each refusal ("Errors" 1).
function readMessage({ status, body }: GatewayResponse): string {
	if (isObject(body) && typeof body.error === 'string' && body.error.trim() !== '')
		return toPlainText(body.error, MAX_LENGTH);
	return status < 300
		? `The gateway's response (status ${status}) lacks the result`
		: `The gateway responded with status ${status}`;
}
