import {
	jsonParse,
	type IAllExecuteFunctions,
	type IDataObject,
	type IHttpRequestMethods,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';
import { requestOnce, withoutCancel, type HelperRequest } from '../n8n/httpHelper';
import { isObject, textIn, writeJson } from '../values/json';
import { adviseOnStatus, explainNetworkError } from './advice';
import { readConnection, type Connection } from './connection';
import {
	isUnsuccessful,
	isWebPage,
	readItems,
	readResult,
	type Expected,
	type GatewayResponse,
} from './content';
import { GatewayError, MAX_LENGTH, toPlainText, type Effect, type Failure } from './failure';
import { TOKENS, type TokenKind } from './secrets';
import { rememberSent } from './sentMessages';

export type GatewayContext = IAllExecuteFunctions;

export interface Gateway extends Connection {
	/**
	 * Makes exactly one HTTP request (API 1.4 and 3.1): a second
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
	const connection = readConnection(credential, kind, instanceId);
	return gatewayOf(outlivesCancel ? withoutCancel(context) : context, connection);
}

export function gatewayOf(context: GatewayContext, connection: Connection): Gateway {
	return {
		...connection,
		call: async (request) => {
			const call = () => callGateway(context, connection, request);
			return await rememberSent(call, request.effect);
		},
	};
}

async function callGateway(
	context: GatewayContext,
	connection: Connection,
	request: GatewayRequest,
): Promise<GatewayResponse> {
	const { statusCode: status, headers, body } = await sendRequest(context, connection, request);
	const expects = request.effect === 'send' ? 'messageId' : request.expects;
	const items = expects ? readItems(body, expects) : [];
	const response: GatewayResponse = {
		status,
		headers: headers as Record<string, string>,
		body,
		path: request.path,
		items: items ?? [],
	};

	const hasExpected = items !== undefined && !isWebPage(response);
	if (isSuccess(status) && hasExpected) {
		if (request.effect === 'change' && isUnsuccessful(body)) {
			throw new GatewayError(explainNoSuccess(request, response));
		}
		return response;
	}

	// If a file was wanted, a refusal comes as bytes too.
	const text = body instanceof Buffer ? readBytes(body) : body;
	throw new GatewayError(explainResponse(request, { ...response, body: text }, connection.kind));
}

function readBytes(bytes: Buffer): unknown {
	const text = bytes.toString();
	return jsonParse(text, { fallbackValue: text });
}

async function sendRequest(
	context: GatewayContext,
	{ kind, baseUrl, token }: Connection,
	request: GatewayRequest,
): Promise<IN8nHttpFullResponse> {
	const { credential: type, field } = TOKENS[kind];
	const credential = { type, data: { [field]: token } };

	return await requestOnce(context, credential, describeRequest(baseUrl, request)).catch(
		(error: unknown) => {
			const failure = explainNetworkError(error, baseUrl);
			throw new GatewayError({
				...failure,
				description: `${request.method} ${toPlainText(request.path)}: ${failure.description}`,
				outcome: request.effect === 'harmless' ? 'rejected' : failure.outcome,
			});
		},
	);
}

function describeRequest(baseUrl: string, request: GatewayRequest): HelperRequest {
	const { path, body: content, contentType = 'application/json', timeoutMs } = request;
	const description: HelperRequest = {
		method: request.method,
		url: baseUrl + path,
		qs: request.query,
		timeout: timeoutMs ?? TIMEOUT_SECONDS * 1000,
		isFile: request.isFile,
	};
	if (content === undefined) return description;

	return {
		...description,
		headers: { 'Content-Type': contentType },
		body: content instanceof Buffer ? content : writeJson(content),
	};
}

function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

function explainResponse(
	{ method, effect }: GatewayRequest,
	response: GatewayResponse,
	kind: TokenKind,
): Failure {
	const { status, headers } = response;
	const path = toPlainText(response.path);
	const advice = adviseOnStatus(status, {
		kind,
		path,
		location: headers.location,
		isPage: isWebPage(response),
	});

	const isRefused = status >= 300 && status < 500;
	const failure: Failure = {
		message: ownWordsOf(response.body) ?? describeResponse(response),
		description: `HTTP ${status} from ${method} ${path}. ${advice}`,
		outcome: isRefused || effect === 'harmless' ? 'rejected' : 'unknown',
		retryable: status >= 500 || [408, 425, 429].includes(status),
		status,
	};

	const retryAfterMs = status === 429 ? readPause(headers['retry-after']) : undefined;
	return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
}

/** The gateway has responded with a success, and says in it that it has done nothing. */
function explainNoSuccess({ method }: GatewayRequest, response: GatewayResponse): Failure {
	const { status, body } = response;
	const path = toPlainText(response.path);
	return {
		message: ownWordsOf(body) ?? 'The gateway says that it did not succeed, and not why',
		description: `HTTP ${status} from ${method} ${path}, with "success": false. Check the fields of this node, and that the number is connected.`,
		outcome: 'rejected',
		retryable: false,
		status,
	};
}

/** Milliseconds of `Retry-After`: seconds or a time (RFC 9110, 10.2.3). */
function readPause(pause = ''): number | undefined {
	const isNumber = /^[\d.]+$/.test(pause);
	const pauseMs = isNumber ? Number(pause) * 1000 : Date.parse(pause) - Date.now();
	return Number.isNaN(pauseMs) ? undefined : Math.max(0, pauseMs);
}

/** The gateway's message for people (API 11.1); undefined if there is none. */
export function ownWordsOf(body: unknown): string | undefined {
	const places = [body, readResult(body)].filter(isObject);
	const words = places.map((place) => textIn(place, 'error')?.trim()).find(Boolean);
	return words && toPlainText(words, MAX_LENGTH);
}

/** The response in our words, to begin an explanation. */
export function describeResponse(response: Omit<GatewayResponse, 'items'>): string {
	const { status } = response;
	if (isWebPage(response)) {
		return `A web page came in place of the gateway's response (status ${status})`;
	}
	return isSuccess(status)
		? `The gateway's response (status ${status}) lacks the result`
		: `The gateway responded with status ${status}`;
}
