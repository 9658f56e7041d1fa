import type { IDataObject, IHookFunctions, NodeApiError } from 'n8n-workflow';
import { isObject, readList, readResult } from '../../api/answer';
import type { GatewayAnswer, GatewayRequest } from '../../api/exchange';
import { explainAnswer } from '../../api/explain';
import { askGateway } from '../../api/request';
import { textIn } from '../event';

/** A webhook as the gateway lists it; its secret is never in it (API document, "Webhook record"). */
export interface RemoteWebhook {
	id: string;
	url: string;
	events: string[];
	enabled: boolean;
}

// n8n gives the publication of a workflow 84 seconds, with all its tries.
const TIMEOUT_MS = 8_000;
const PATH = '{webhooksPath}';

/** All webhooks of the account, whoever made them. */
export async function listWebhooks(context: IHookFunctions): Promise<RemoteWebhook[]> {
	const request: GatewayRequest = { method: 'GET', path: PATH, token: 'account', effect: 'read' };
	const answer = await ask(context, request);
	const list = isSuccess(answer) ? readList(answer.body) : undefined;
	if (!list) throw explain(context, request, answer, 'Webhook: Get Many');
	return list.map(readWebhook);
}

/** Creates a webhook and returns its id and its secret, which the gateway shows only now. */
export async function createWebhook(
	context: IHookFunctions,
	url: string,
	events: string[],
): Promise<{ id: string; secret: string }> {
	const request: GatewayRequest = {
		method: 'POST',
		path: PATH,
		body: { url, events },
		token: 'account',
		effect: 'change',
	};
	const answer = await ask(context, request);
	const result = readResult(answer.body);
	const { id, secret } = isSuccess(answer) && isObject(result) ? result : ({} as IDataObject);
	if (typeof id !== 'string' || typeof secret !== 'string') {
		throw explain(context, request, answer, 'Webhook: Create');
	}
	return { id, secret };
}

/** Deletes a webhook; one that is gone already counts as deleted. */
export async function deleteWebhook(context: IHookFunctions, id: string): Promise<void> {
	const request: GatewayRequest = {
		method: 'DELETE',
		path: `${PATH}/${encodeURIComponent(id)}`,
		token: 'account',
		effect: 'change',
	};
	const answer = await ask(context, request);
	if (isSuccess(answer) || answer.status === 404 || answer.status === 410) return;
	throw explain(context, request, answer, 'Webhook: Delete');
}

/**
 * Whether two addresses are the same place, though a gateway has written one of them otherwise: scheme and host in
 * capitals, the usual port, one slash at the end. Everything else makes it somebody else's.
 */
export function isSameUrl(first: string, second: string): boolean {
	return first === second || (plainUrlOf(first) ?? first) === (plainUrlOf(second) ?? second);
}

function plainUrlOf(address: string): string | undefined {
	if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
	const url = new URL(address);
	url.pathname = url.pathname.replace(/(?<=[^/])\/$/, '');
	return url.href;
}

/** Whether a webhook with these events delivers all that is wanted; more than that is dropped when it arrives. */
export function deliversAll(events: string[], wanted: string[]): boolean {
	const delivered = new Set(events.map((event) => event.toUpperCase()));
	return wanted.every((event) => delivered.has(event.toUpperCase()));
}

async function ask(context: IHookFunctions, request: GatewayRequest): Promise<GatewayAnswer> {
	const answer = askGateway(context, { ...request, timeoutMs: TIMEOUT_MS });
	answer.catch(tellAll);
	return await answer;
}

function explain(
	context: IHookFunctions,
	request: GatewayRequest,
	answer: GatewayAnswer,
	operation: string,
): NodeApiError {
	const error = explainAnswer(context.getNode(), request, answer, { operation });
	tellAll(error);
	return error;
}

/** Of what kept a workflow from being published, n8n shows the message and nothing else. */
function tellAll(error: NodeApiError): void {
	error.message = `${error.message.replace(/\.$/, '')}. ${error.description ?? ''}`.trim();
}

function isSuccess({ status }: GatewayAnswer): boolean {
	return status >= 200 && status < 300;
}

function readWebhook(element: IDataObject): RemoteWebhook {
	return {
		id: String(element.id ?? ''),
		url: textIn(element, 'url') ?? '',
		events: Array.isArray(element.events) ? element.events.map(String) : [],
		enabled: element.enabled !== false,
	};
}
