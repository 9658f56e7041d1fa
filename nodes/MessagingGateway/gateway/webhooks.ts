import type { IDataObject } from 'n8n-workflow';
import { parseTime, textIn } from '../json';
import type { Gateway } from './call';
import { ENDPOINTS, fillEndpoint } from './endpoints';

/** A webhook as the gateway lists it; its secret is never in it (API document, "Webhook record"). */
export interface RemoteWebhook {
	id: string;
	/** Empty if the list does not say. */
	url: string;
	/** Undefined if the list does not say. */
	events?: string[];
	enabled: boolean;
}

export interface NewWebhook {
	id: string;
	/** The gateway shows it only now. */
	secret: string;
	/** By how many milliseconds the gateway's clock is behind ours; 0 if it is ahead, or if the response does not tell. */
	clockLagMs: number;
}

// A publication makes several requests, and n8n gives it 84 seconds with all its tries.
const TIMEOUT_MS = 8_000;

/** Lists the account's webhooks. `leadSeconds`: how far the gateway's clock is ahead of ours; NaN if it does not tell. */
export async function listWebhooks(account: Gateway) {
	const { items, headers } = await account.call({
		...fillEndpoint(ENDPOINTS.getWebhooks, account.overrides),
		effect: 'harmless',
		expects: 'list',
		timeoutMs: TIMEOUT_MS,
	});
	return {
		webhooks: items.map(readWebhook).filter(({ id }) => id !== ''),
		leadSeconds: Math.round((Date.parse(headers.date) - Date.now()) / 1000),
	};
}

/** @throws {GatewayError} if the gateway does not respond with a webhook; it may still have created one */
export async function createWebhook(
	account: Gateway,
	url: string,
	events: string[],
): Promise<NewWebhook> {
	const { items } = await account.call({
		...fillEndpoint(ENDPOINTS.createWebhook, account.overrides),
		body: { url, events },
		// A repeat does no harm: a webhook whose secret is not known does nothing.
		effect: 'harmless',
		expects: 'secret',
		timeoutMs: TIMEOUT_MS,
	});
	const [webhook] = items;
	const createdAt = parseTime(textIn(webhook, 'createdAt')) ?? Infinity;
	return {
		id: String(webhook.id),
		secret: String(webhook.secret),
		clockLagMs: Math.max(0, Date.now() - createdAt),
	};
}

/** Changes URL and events of a webhook, which keeps its secret. */
export async function updateWebhook(
	account: Gateway,
	id: string,
	url: string,
	events: string[],
): Promise<void> {
	await account.call({
		...fillEndpoint(ENDPOINTS.updateWebhook, account.overrides, { webhookId: id }),
		body: { url, events },
		effect: 'change',
		timeoutMs: TIMEOUT_MS,
	});
}

/** @throws {GatewayError} if the gateway may still have the webhook */
export async function deleteWebhook(account: Gateway, id: string): Promise<void> {
	await account.call({
		...fillEndpoint(ENDPOINTS.deleteWebhook, account.overrides, { webhookId: id }),
		effect: 'change',
		timeoutMs: TIMEOUT_MS,
	});
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
