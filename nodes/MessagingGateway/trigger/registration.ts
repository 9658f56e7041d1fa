import { NodeOperationError } from 'n8n-workflow';
import type { Connection } from '../api/connection';
import { openConnection, type GatewayContext } from '../api/request';
import { whySecretUnfit } from '../api/token';
import { deliversAll, isSameUrl } from '../webhooks/compare';
import {
	createWebhook,
	deleteWebhook,
	listWebhooks,
	type RemoteWebhook,
} from '../webhooks/records';
import { isUsableSecret } from '../webhooks/standardWebhooks';
import type { WantedWebhook, WebhookRecord } from './record';

// Publication, start and check alike go by the gateway's list, not by what has happened before: list, compare, recreate.

/**
 * Whether the gateway has the wanted webhook, and no second one at its URL.
 *
 * @param webhooks all webhooks of the account
 * @param gateway base URL of the gateway that has given the list
 */
export function isRegistered(
	webhooks: RemoteWebhook[],
	wanted: WantedWebhook,
	record: WebhookRecord,
	gateway: string,
): boolean {
	const own = isOurs(record, wanted.url, gateway)
		? webhooks.find(({ id }) => id === record.webhookId)
		: undefined;
	const others = webhooks.filter(
		(each) => each !== own && each.enabled && isSameUrl(each.url, wanted.url),
	);
	return own !== undefined && isAsWanted(own, wanted) && others.length === 0;
}

/**
 * Creates the wanted webhook, after removing what is left at its URL.
 *
 * @param known the record before, if there is one
 * @throws GatewayError if there is none now
 */
export async function register(
	context: GatewayContext,
	{ url, events }: WantedWebhook,
	known: Partial<WebhookRecord>,
): Promise<WebhookRecord> {
	const account = await openConnection(context, 'account');
	await deleteAt(context, account, url, known);
	const { id, secret } = await createWebhook(context, account, url, events);
	if (isUsableSecret(secret))
		return { webhookId: id, secret, url, events, gateway: account.baseUrl };
	await deleteWebhook(context, account, id);
	throw new NodeOperationError(
		context.getNode(),
		`The gateway created a webhook, but its secret is not safe: ${whySecretUnfit(secret) ?? 'it is not base64'}. It must begin with whsec_ and hold a key of at least 24 bytes in base64. The webhook was deleted again. Ask your gateway’s provider.`,
	);
}

/**
 * Deletes the webhook of the record, and all others at the URL.
 *
 * @throws GatewayError if the gateway may still have one of them
 */
export async function unregister(
	context: GatewayContext,
	url: string,
	record: Partial<WebhookRecord>,
): Promise<void> {
	await deleteAt(context, await openConnection(context, 'account'), url, record);
}

async function deleteAt(
	context: GatewayContext,
	account: Connection,
	url: string,
	record: Partial<WebhookRecord>,
): Promise<void> {
	const { webhooks } = await listWebhooks(context, account);
	const own = isOurs(record, url, account.baseUrl) ? record.webhookId : undefined;
	for (const { id, url: other } of webhooks)
		if (id === own || isSameUrl(other, url)) await deleteWebhook(context, account, id);
}

/** Whether a record is this trigger's: a copy of the workflow, or a moved n8n, brings along that of another one. */
function isOurs(record: Partial<WebhookRecord>, url: string, gateway: string): boolean {
	return record.url !== undefined && isSameUrl(record.url, url) && record.gateway === gateway;
}

/** Whether nothing that the list says of a webhook is wrong. */
function isAsWanted({ enabled, url, events }: RemoteWebhook, wanted: WantedWebhook): boolean {
	return (
		enabled &&
		(url === '' || isSameUrl(url, wanted.url)) &&
		(events === undefined || deliversAll(events, wanted.events))
	);
}
