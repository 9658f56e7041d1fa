import {
	jsonParse,
	type IAllExecuteFunctions,
	type IDataObject,
	type IHttpRequestMethods,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';
import { isObject } from '../values/json';
import { adviseOnStatus, explainNetworkError } from './advice';
import { readConnection, type Connection } from './connection';
import { readItems, type Expected, type GatewayResponse } from './content';
import { GatewayError, MAX_LENGTH, toPlainText, type Effect, type Failure } from './failure';
import { TOKENS, type TokenKind } from './secrets';

export type GatewayContext = IAllExecuteFunctions;

export interface Gateway extends Connection {
	/**
	 * Makes exactly one HTTP request (API document, "Conventions" and "Authentication"): a second
	 * one may be a second message. Throws a `GatewayError` if the expected content does not come.
	 */
	call(request: GatewayRequest): Promise<GatewayResponse>;
}

export interface GatewayRequest {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	/** Sent as JSON, but bytes as they are. */
	body?: unknown;
	contentType?: string;
	effect: Effect;
	timeoutMs?: number;
	isFile?: boolean;
	/** The content of a success. If left out: a messageId of a send, otherwise any. */
	expects?: Expected;
}

export const TIMEOUT_SECONDS = 30;

/**
 * Opens the gateway with a token of the credential of its kind, or of the kind `holder`. Throws a
 * `GatewayError` if that is unfit. `outlivesCancel`: a cancelled execution aborts no request.
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
	const { path, body: content, contentType = 'application/json' } = request;
	const { credential: type, field } = TOKENS[kind];
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
	// Given the token, n8n does not read the credential again, and for the first item.
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

/** Milliseconds of `Retry-After`: seconds or a time (RFC 9110, 10.2.3). */
function readPause(pause = ''): number | undefined {
	const isNumber = /^[\d.]+$/.test(pause);
	const pauseMs = isNumber ? Number(pause) * 1000 : Date.parse(pause) - Date.now();
	return Number.isNaN(pauseMs) ? undefined : Math.max(0, pauseMs);
}

function readMessage({ status, body }: GatewayResponse): string {
	if (isObject(body) && typeof body.error === 'string' && body.error.trim() !== '')
		return toPlainText(body.error, MAX_LENGTH);
	return status < 300
		? `The gateway's response (status ${status}) lacks the result`
		: `The gateway responded with status ${status}`;
}
