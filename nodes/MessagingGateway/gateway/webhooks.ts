import type { IDataObject } from 'n8n-workflow';
import { parseTime, textIn } from '../values/json';
import type { Gateway, GatewayRequest } from './call';
import { ENDPOINTS, fillEndpoint } from './endpoints';

/** Lists the account's webhooks. `leadSeconds`: how far the gateway's clock is ahead, or NaN. */
export async function listWebhooks(account: Gateway) {
	const { items, headers } = await request(account, ENDPOINTS.getWebhooks, {
		effect: 'harmless',
		expects: 'list',
	});

	return {
		webhooks: items.map(readWebhook).filter(({ id }) => id !== ''),
		leadSeconds: Math.round((Date.parse(headers.date) - Date.now()) / 1000),
	};
}

/** Throws if the gateway does not respond with a webhook; it may still have created one. */
export async function createWebhook(account: Gateway, url: string, events: string[]) {
	const { items } = await request(account, ENDPOINTS.createWebhook, {
		body: { url, events },
		// A repeat does no harm: a webhook whose secret is not known does nothing.
		effect: 'harmless',
		expects: 'secret',
	});

	const [webhook] = items;
	const createdAt = parseTime(textIn(webhook, 'createdAt')) ?? Infinity;
	return {
		id: String(webhook.id),
		secret: String(webhook.secret),
		/** By how much the gateway's clock is behind ours; 0 if it is ahead, or does not tell. */
		clockLagMs: Math.max(0, Date.now() - createdAt),
	};
}

/** Changes URL and events of a webhook, which keeps its secret. */
export async function updateWebhook(account: Gateway, id: string, url: string, events: string[]) {
	await request(account, ENDPOINTS.updateWebhook, {
		webhookId: id,
		body: { url, events },
		effect: 'change',
	});
}

/** Throws if the gateway may still have the webhook. */
export async function deleteWebhook(account: Gateway, id: string): Promise<void> {
	await request(account, ENDPOINTS.deleteWebhook, {
		webhookId: id,
		effect: 'change',
	});
}

interface Content extends Pick<GatewayRequest, 'body' | 'effect' | 'expects'> {
	/** The webhook in the path. */
	webhookId?: string;
}

/** A publication makes several requests, and n8n gives it 84 seconds with all its tries. */
const TIMEOUT_MS = 8_000;

async function request(account: Gateway, endpoint: string, { webhookId, ...content }: Content) {
	const address = fillEndpoint(endpoint, account.overrides, { webhookId });
	return await account.call({
		...address,
		...content,
		timeoutMs: TIMEOUT_MS,
	});
}

export type RemoteWebhook = ReturnType<typeof readWebhook>;

function readWebhook(element: IDataObject) {
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
