import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { isObject, readList, readResult } from '../api/answer';
import { isSuccess, type GatewayAnswer, type GatewayRequest } from '../api/exchange';
import { explainAnswer } from '../api/explain';
import { readRest } from '../api/pages';
import { toPlainText } from '../api/plainText';
import { askGateway, openAccess, type GatewayContext, type OpenAccess } from '../api/request';
import { textIn } from './event';

/** A webhook as the gateway lists it; its secret is never in it (API document, "Webhook record"). */
export interface RemoteWebhook {
	id: string;
	url: string;
	events: string[];
	enabled: boolean;
}

/** A webhook as it is when it is made. */
export interface NewWebhook {
	id: string;
	/** Shown only now. */
	secret: string;
	/** ISO 8601, by the gateway's clock. */
	createdAt?: string;
}

// n8n gives the publication of a workflow 84 seconds, with all its tries.
const TIMEOUT_MS = 8_000;
const PATH = '{webhooksPath}';
const CLUELESS = new Set([400, 404, 422]);

// Far more than an account has webhooks; what goes on for longer goes round in circles.
const MOST_PAGES = 50;
const MOST_WEBHOOKS = 10_000;
const LONGEST_ID = 500;
const LISTING_WITHIN_MS = 15_000;

/** The webhooks of the account, whoever made them. */
export interface WebhookList {
	webhooks: RemoteWebhook[];
	/** False if the gateway lists in pages and has more than could be read. */
	isComplete: boolean;
}

/**
 * Lists all webhooks of the account, page by page where the gateway cuts the list (assumption A10). Says in the log
 * if it could not read to the end.
 *
 * @throws NodeApiError if the gateway does not answer with a list
 */
export async function listWebhooks(
	context: GatewayContext,
	timeoutMs = TIMEOUT_MS,
): Promise<WebhookList> {
	const { baseUrl } = await openAccess(context, 'account');
	const request: GatewayRequest = { method: 'GET', path: PATH, token: 'account', effect: 'read' };
	const giveUpAt = Date.now() + LISTING_WITHIN_MS;
	const found = new Map<string, RemoteWebhook>();
	let query: IDataObject = {};
	for (
		let page = 1;
		page <= MOST_PAGES && found.size < MOST_WEBHOOKS && Date.now() < giveUpAt;
		page++
	) {
		const answer = await ask(context, { ...request, query, timeoutMs });
		const list = isSuccess(answer) ? readList(answer.body) : undefined;
		// A gateway that does not know what it is asked for says so; the first page asks for nothing.
		if (!list && page > 1 && CLUELESS.has(answer.status)) break;
		if (!list) throw explain(context, request, answer, 'Webhook: Get Many');
		const before = found.size;
		for (const webhook of list.slice(0, MOST_WEBHOOKS).map(readWebhook))
			if (isUsableId(webhook.id)) found.set(`${webhook.id} ${webhook.url}`, webhook);
		const place = baseUrl + answer.path;
		const rest = readRest(answer, { query, place, total: found.size, onPage: list.length });
		if (!rest.isMore && list.length <= MOST_WEBHOOKS)
			return { webhooks: [...found.values()], isComplete: true };
		if (!rest.query || (page > 1 && found.size === before)) break;
		query = rest.query;
	}
	context.logger.warn(
		`Messaging Gateway: the gateway lists its webhooks in pages, and only the first ${found.size} could be read. A webhook of a trigger that is not among them may be left at the gateway when it is no longer needed: if events arrive for a trigger that is unpublished, delete it there.`,
	);
	return { webhooks: [...found.values()], isComplete: false };
}

/** Creates a webhook. */
export async function createWebhook(
	context: GatewayContext,
	url: string,
	events: string[],
): Promise<NewWebhook> {
	const request: GatewayRequest = {
		method: 'POST',
		path: PATH,
		body: { url, events },
		token: 'account',
		effect: 'change',
		givesSecret: true,
	};
	const answer = await ask(context, request);
	const result = readResult(answer.body);
	const { id, secret } = isSuccess(answer) && isObject(result) ? result : ({} as IDataObject);
	if (typeof id !== 'string' || !isUsableId(id) || typeof secret !== 'string') {
		throw explain(context, request, answer, 'Webhook: Create');
	}
	return { id, secret, createdAt: textIn(result as IDataObject, 'createdAt') };
}

/**
 * Changes URL and events of a webhook, which keeps its secret.
 *
 * @returns whether the gateway did so; one that cannot is no reason to stop
 */
export async function updateWebhook(
	context: GatewayContext,
	id: string,
	url: string,
	events: string[],
): Promise<boolean> {
	const answer = await ask(context, {
		method: 'PATCH',
		path: `${PATH}/${encodeURIComponent(id)}`,
		body: { url, events },
		token: 'account',
		effect: 'change',
	});
	return isSuccess(answer);
}

/**
 * Deletes a webhook; one that is gone already counts as deleted.
 *
 * @param access left out, the credential is read
 * @returns whether the gateway still had it
 */
export async function deleteWebhook(
	context: GatewayContext,
	id: string,
	access?: OpenAccess,
): Promise<boolean> {
	const request: GatewayRequest = {
		method: 'DELETE',
		path: `${PATH}/${encodeURIComponent(id)}`,
		token: 'account',
		effect: 'change',
	};
	const answer = await ask(context, request, access);
	if (isSuccess(answer)) return true;
	if (answer.status === 404 || answer.status === 410) return false;
	throw explain(context, request, answer, 'Webhook: Delete');
}

async function ask(
	context: GatewayContext,
	request: GatewayRequest,
	access?: OpenAccess,
): Promise<GatewayAnswer> {
	const item = access && { access, itemIndex: 0 };
	const answer = askGateway(context, { timeoutMs: TIMEOUT_MS, ...request }, item);
	answer.catch((error: NodeApiError) => tellAll(context, error));
	return await answer;
}

function explain(
	context: GatewayContext,
	request: GatewayRequest,
	answer: GatewayAnswer,
	operation: string,
): NodeApiError {
	const error = explainAnswer(context.getNode(), request, answer, { operation });
	tellAll(context, error);
	return error;
}

/** Of what kept a workflow from being published, n8n shows the message and nothing else. */
function tellAll(context: GatewayContext, error: NodeApiError): void {
	if (!('getActivationMode' in context)) return;
	error.message = `${error.message.replace(/\.$/, '')}. ${error.description ?? ''}`.trim();
}

/** An id goes into addresses and logs; no service makes one that cannot. */
function isUsableId(id: string): boolean {
	return id !== '' && toPlainText(id, LONGEST_ID) === id && !/^\.+$|[\ud800-\udfff]/u.test(id);
}

function readWebhook(element: IDataObject): RemoteWebhook {
	return {
		id: String(element.id ?? ''),
		url: textIn(element, 'url') ?? '',
		events: Array.isArray(element.events) ? element.events.map(String) : [],
		enabled: element.enabled !== false,
	};
}
