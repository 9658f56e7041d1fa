import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IN8nHttpFullResponse,
	type ITriggerFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { hideAll, readAccess, type Access } from './access';
import { withinTime } from './deadline';
import { isSuccess, type GatewayAnswer, type GatewayRequest } from './exchange';
import { explainLostAnswer } from './explain';
import { putToken, UnknownNumber } from './numbers';
import { LARGEST_ANSWER, LARGEST_LIST, readAnswer } from './readAnswer';
import { findFileHead, keepFile } from './receiveFile';
import { changeTexts, hideWebhookSecrets } from './secrets';
import { StreamedBody } from './streamedBody';
import type { TokenKind } from './token';

/** What n8n hands to a node that may make requests. */
export type GatewayContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

export const CREDENTIAL_TYPES: Record<TokenKind, string> = {
	account: 'messagingGatewayAccountApi',
	instance: 'messagingGatewayInstanceApi',
};

const DEFAULT_TIMEOUT_MS = 30_000;

/** A credential that was read and can work. */
export interface OpenAccess extends Access {
	/** As n8n keeps it, but for the tokens of other numbers than the chosen one. */
	all: IDataObject;
}

/** For whom a request is made. */
export interface ItemAccess {
	itemIndex: number;
	/** Read for this item, since a credential's expressions may give each another one. */
	access: OpenAccess;
}

/**
 * Makes exactly one HTTP request to the gateway (API document, "Conventions" and "Authentication"), at the base URL of the
 * credential: never repeated, never redirected, since a request that goes out twice may be a message sent twice.
 *
 * @param item left out where it is made for no item: then the credential is read here
 * @returns the answer, whatever its status
 * @throws NodeOperationError before any request, if the credential cannot work
 * @throws NodeApiError if no answer came; `failureOf` says whether the service may have acted
 */
export async function callGateway(
	context: GatewayContext,
	request: GatewayRequest,
	item?: ItemAccess,
): Promise<GatewayAnswer> {
	const access = item?.access ?? (await openAccess(context, request.token));
	const hide = hideAll(access);
	const paths: Record<string, string> = access.paths;
	const path = request.path.replace(/\{(\w+)\}/g, (place, name: string) => paths[name] ?? place);
	const { body, timeoutMs = DEFAULT_TIMEOUT_MS } = request;
	const options: IHttpRequestOptions = {
		method: request.method,
		url: access.baseUrl + path,
		qs: request.query,
		arrayFormat: 'repeat',
		headers: { Accept: request.takesFile ? 'application/json, */*;q=0.9' : 'application/json' },
		encoding: 'stream',
		timeout: timeoutMs,
		disableFollowRedirect: true,
		returnFullResponse: true,
		// n8n's helper repeats a request that it sees fail with 401.
		ignoreHttpStatusErrors: true,
	};
	if (body instanceof StreamedBody) {
		options.body = body as never;
		// n8n's helper would count the sending as well.
		options.timeout = 0;
	} else if (body !== undefined) {
		options.body = JSON.stringify(body);
		options.headers = { ...options.headers, 'Content-Type': 'application/json' };
	}
	try {
		return await withinTime(timeoutMs, cancelSignalOf(context), async (signal, extend) => {
			if (body instanceof StreamedBody) body.progress = extend;
			const response = await transmit(context, request.token, access, options, signal);
			const { statusCode: status } = response;
			const isLong = request.effect === 'read' && isSuccess({ status });
			const answer = {
				status,
				headers: changeTexts({ ...response.headers }, hide, 2) as GatewayAnswer['headers'],
				path: hide(path),
			};
			const head = request.takesFile ? findFileHead(answer) : undefined;
			if (head !== undefined && 'prepareBinaryData' in context.helpers) {
				const { prepareBinaryData } = context.helpers;
				// Decoded and cleaned, a name can be a secret that the header was not.
				const named = { ...head, fileName: hide(head.fileName) };
				const file = await keepFile(prepareBinaryData, response.body, named, extend);
				return { ...answer, body: undefined, file };
			}
			const said = await readAnswer(response, {
				hide: request.givesSecret ? hide : (text) => hideWebhookSecrets(hide(text)),
				mostBytes: isLong ? LARGEST_LIST : LARGEST_ANSWER,
				signal,
			});
			return { ...answer, ...said };
		});
	} catch (error) {
		throw explainLostAnswer(context.getNode(), { ...request, path: hide(path) }, error, {
			baseUrl: access.baseUrl,
			itemIndex: item?.itemIndex,
		});
	}
}

/** The signal of the execution's end by a person, where there is an execution. */
export function cancelSignalOf(context: GatewayContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

async function transmit(
	context: GatewayContext,
	token: TokenKind,
	{ all }: OpenAccess,
	options: IHttpRequestOptions,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	// The credential of this type puts its token into the header, even where a question takes the token from the other one.
	const type = CREDENTIAL_TYPES[token];
	// Whatever signal a request has, n8n puts that of the execution in its place: so it is told that ours is the one.
	const ours = Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as GatewayContext;
	return (await context.helpers.httpRequestWithAuthentication.call(ours, type, options, {
		// Without it n8n reads the credential of the first item for every item.
		credentialsDecrypted: { id: type, name: type, type, data: all as never },
	})) as IN8nHttpFullResponse;
}

/**
 * Reads the credential that holds a token: that of its kind. A question alone takes both tokens from the one of its number,
 * whatever the node says of them.
 *
 * @param instanceId of the number that a person has chosen; left out, the first one of the credential
 * @throws NodeOperationError if no request can be made with it
 */
export async function openAccess(
	context: GatewayContext,
	kind: TokenKind,
	itemIndex = 0,
	instanceId?: string,
): Promise<OpenAccess> {
	const holder = context.getNode().parameters.operation === 'sendAndWait' ? 'instance' : kind;
	const typed: IDataObject = await context.getCredentials(CREDENTIAL_TYPES[holder], itemIndex);
	try {
		const access = readAccess(typed, kind, { instanceId, execution: context });
		return { ...access, all: putToken(typed, kind, access.token) };
	} catch (error) {
		throw explainCredential(context, CREDENTIAL_TYPES[holder], error as Error, itemIndex);
	}
}

function explainCredential(
	context: GatewayContext,
	type: string,
	error: Error,
	itemIndex: number,
): NodeOperationError {
	const node = context.getNode();
	if (error instanceof UnknownNumber) {
		const { message, description } = error.describe(node.credentials?.[type]?.name ?? type);
		return new NodeOperationError(node, message, { description, itemIndex });
	}
	return new NodeOperationError(node, error, {
		description: 'Nothing was sent. Open the credential of this node and correct it.',
		itemIndex,
	});
}
