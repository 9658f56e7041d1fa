import type { Gateway } from '../../gateway/call';
import { whySecretUnfit } from '../../gateway/secrets';
import { createWebhook, deleteWebhook, type RemoteWebhook } from '../../gateway/webhooks';
import type { WantedWebhook, WebhookRecord } from './registration';

// Publication, start and check alike go by the gateway's list, not by what has happened before: list, compare, recreate.

/** Whether the gateway has the wanted webhook, and no second one at its URL. `gateway` is a base URL. */
export function isRegistered(
	webhooks: RemoteWebhook[],
	wanted: WantedWebhook,
	record: WebhookRecord,
	gateway: string,
): boolean {
	if (!isOurs(record, wanted.url, gateway)) return false;
	const recorded = webhooks.find(({ id }) => id === record.webhookId);
	const others = webhooks.filter(
		(each) => each !== recorded && each.enabled && isSameUrl(each.url, wanted.url),
	);
	return recorded !== undefined && isUnchanged(recorded, wanted) && others.length === 0;
}

/** Creates the wanted webhook, after deleting what is left at its URL. Throws if there is none now, or an unsafe one. */
export async function register(
	account: Gateway,
	webhooks: RemoteWebhook[],
	{ url, events }: WantedWebhook,
	known: Partial<WebhookRecord>,
): Promise<WebhookRecord> {
	await unregister(account, webhooks, url, known);
	const { id, secret } = await createWebhook(account, url, events);
	const reason = whySecretUnfit(secret);
	if (reason === undefined) return { webhookId: id, secret, url, events, gateway: account.baseUrl };
	throw new Error(
		`The gateway created a webhook, but its secret is not safe: ${reason}. It must begin with whsec_ and hold a key of at least 24 bytes in base64. Ask your gateway’s provider.`,
	);
}

/** Deletes the webhook of the record, and all others at the URL. Throws if the gateway may still have one of them. */
export async function unregister(
	account: Gateway,
	webhooks: RemoteWebhook[],
	url: string,
	record: Partial<WebhookRecord>,
): Promise<void> {
	const recordedId = isOurs(record, url, account.baseUrl) ? record.webhookId : undefined;
	for (const { id, url: other } of webhooks)
		if (id === recordedId || isSameUrl(other, url)) await deleteWebhook(account, id);
}

/** A copied workflow, or an n8n that has moved, carries the record of another trigger. */
function isOurs(record: Partial<WebhookRecord>, url: string, gateway: string): boolean {
	return record.url !== undefined && isSameUrl(record.url, url) && record.gateway === gateway;
}

/** A field that the list leaves out counts as right. The trigger drops events that nobody chose. */
function isUnchanged({ enabled, url, events }: RemoteWebhook, wanted: WantedWebhook): boolean {
	const delivered = events?.map((event) => event.toUpperCase());
	return (
		enabled &&
		(url === '' || isSameUrl(url, wanted.url)) &&
		(delivered === undefined || wanted.events.every((event) => delivered.includes(event)))
	);
}

/** Whether two URLs are the same but for capitals in scheme and host, the default port, and one slash at the end. */
function isSameUrl(first: string, second: string): boolean {
	return normalizeUrl(first) === normalizeUrl(second);
}

function normalizeUrl(address: string): string {
	if (!/^https?:/i.test(address) || !URL.canParse(address)) return address;
	const url = new URL(address);
	url.pathname = url.pathname.replace(/(?<=[^/])\/$/, '');
	return url.href;
}
