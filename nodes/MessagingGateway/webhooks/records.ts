import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { isObject, readList, readResult } from '../api/answer';
import { ENDPOINTS, fillEndpoint } from '../api/endpoints';
import {
	isSuccess,
	readAnswerDate,
	type GatewayAnswer,
	type GatewayRequest,
} from '../api/exchange';
import { explainAnswer, isPassingStatus } from '../api/explain';
import { callGateway, type GatewayContext, type OpenAccess } from '../api/request';
import { textIn } from './event';

/** A webhook as the gateway lists it; its secret is never in it (API document, "Webhook record"). */
export interface RemoteWebhook {
	id: string;
	/** Empty if the list does not say. */
	url: string;
	/** Undefined if the list does not say. */
	events?: string[];
	enabled: boolean;
}

/** A webhook that was just created. */
export interface NewWebhook {
	id: string;
	/** Shown only now. */
	secret: string;
	/** ISO 8601, by the gateway's clock. */
	createdAt?: string;
	/** The time of the answer, in milliseconds as of `Date.now`. */
	answeredAt: number;
}

// n8n gives the publication of a workflow 84 seconds, with all its tries.
const TIMEOUT_MS = 8_000;

/** The webhooks of the account, whoever created them. */
export interface WebhookList {
	webhooks: RemoteWebhook[];
	/** By how many seconds the gateway's clock is ahead of ours; undefined if its answer does not tell. */
	clockLead?: number;
}

/**
 * Lists the webhooks of the account.
 *
 * @throws GatewayError if the gateway does not answer with a list
 */
export async function listWebhooks(
	context: GatewayContext,
	timeoutMs = TIMEOUT_MS,
): Promise<WebhookList> {
	const request: GatewayRequest = {
		...fillEndpoint(ENDPOINTS.getWebhooks),
		token: 'account',
		effect: 'read',
	};
	const answer = await sendRequest(context, { ...request, timeoutMs });
	const list = isSuccess(answer) ? readList(answer.body) : undefined;
	if (!list) throw explain(context, request, answer, 'Webhook: Get Many');
	const webhooks = list.map(readWebhook).filter(({ id }) => id !== '');
	const gatewayTime = readAnswerDate(answer);
	const clockLead = gatewayTime && Math.round((gatewayTime - Date.now()) / 1000);
	return { webhooks, clockLead };
}

/**
 * Creates a webhook.
 *
 * @throws GatewayError if the gateway does not answer with one; it may have created one all the same
 */
export async function createWebhook(
	context: GatewayContext,
	url: string,
	events: string[],
): Promise<NewWebhook> {
	const request: GatewayRequest = {
		...fillEndpoint(ENDPOINTS.createWebhook),
		body: { url, events },
		token: 'account',
		effect: 'change',
		givesSecret: true,
	};
	const answer = await sendRequest(context, request);
	const result = readResult(answer.body);
	const { id, secret } = isSuccess(answer) && isObject(result) ? result : ({} as IDataObject);
	if (typeof id !== 'string' || id === '' || typeof secret !== 'string') {
		throw explain(context, request, answer, 'Webhook: Create');
	}
	const createdAt = textIn(result as IDataObject, 'createdAt');
	return { id, secret, createdAt, answeredAt: Date.now() };
}

/** The result of a change: `not now`, the gateway may make it a little later; `refused`, it cannot. */
export type WebhookChange = 'made' | 'not now' | 'refused';

/**
 * Changes URL and events of a webhook, which keeps its secret.
 *
 * @throws GatewayError if no answer came
 */
export async function updateWebhook(
	context: GatewayContext,
	id: string,
	url: string,
	events: string[],
): Promise<WebhookChange> {
	const answer = await sendRequest(context, {
		...fillEndpoint(ENDPOINTS.updateWebhook, { webhookId: id }),
		body: { url, events },
		token: 'account',
		effect: 'change',
	});
	if (isSuccess(answer)) return 'made';
	return isPassingStatus(answer.status) && answer.status !== 501 ? 'not now' : 'refused';
}

/**
 * Deletes a webhook; one that is gone already counts as deleted.
 *
 * @param access left out, the credential is read
 * @returns whether the gateway still had it
 * @throws GatewayError if it may still have it
 */
export async function deleteWebhook(
	context: GatewayContext,
	id: string,
	access?: OpenAccess,
): Promise<boolean> {
	const request: GatewayRequest = {
		...fillEndpoint(ENDPOINTS.deleteWebhook, { webhookId: id }),
		token: 'account',
		effect: 'change',
	};
	const answer = await sendRequest(context, request, access);
	if (isSuccess(answer)) return true;
	if (answer.status === 404 || answer.status === 410) return false;
	throw explain(context, request, answer, 'Webhook: Delete');
}

async function sendRequest(
	context: GatewayContext,
	request: GatewayRequest,
	access?: OpenAccess,
): Promise<GatewayAnswer> {
	const item = access && { access, itemIndex: 0 };
	const answer = callGateway(context, { timeoutMs: TIMEOUT_MS, ...request }, item);
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

/** If a workflow cannot be published, n8n shows the message of the error alone. */
function tellAll(context: GatewayContext, error: NodeApiError): void {
	if (!('getActivationMode' in context)) return;
	error.message = `${error.message.replace(/\.$/, '')}. ${error.description ?? ''}`.trim();
}

function readWebhook(element: IDataObject): RemoteWebhook {
	return {
		id: String(element.id ?? ''),
		url: textIn(element, 'url') ?? '',
		events: isTextList(element.events) ? element.events : undefined,
		enabled: element.enabled !== false,
	};
}

function isTextList(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
