import { deliversAll, isSameUrl } from '../../webhooks/compare';
import type { RemoteWebhook, WebhookList } from '../../webhooks/records';
import type { WebhookRecord } from '../record';
import type { DesiredWebhook } from './estate';

/** What is wrong with the webhook at the gateway. */
export type Trouble = 'unregistered' | 'gone' | 'disabled' | 'elsewhere' | 'other events';

/** The difference between what is wanted and what the gateway has. */
export type Plan =
	/** All is well, but for webhooks with the same URL that nobody needs; `isSeen` if the list shows the webhook itself. */
	| { kind: 'keep'; leftOver: RemoteWebhook[]; isSeen: boolean }
	/** A webhook has to be given URL and events, or if that fails, be replaced. */
	| { kind: 'change'; id: string; trouble: Trouble }
	/** One has to be made. */
	| { kind: 'replace'; trouble: Trouble };

/**
 * Compares what is wanted with what the gateway lists.
 *
 * @param record of the webhook that should be there
 * @param gateway base URL of the gateway that has given the list
 */
export function planFor(
	desired: DesiredWebhook,
	record: WebhookRecord | undefined,
	{ webhooks, isComplete }: WebhookList,
	gateway: string,
): Plan {
	// At another gateway the same ID would be somebody else's.
	const isHere = record?.gateway === undefined || record.gateway === gateway;
	const own = isHere ? webhooks.find(({ id }) => id === record?.webhookId) : undefined;
	const leftOver = webhooks.filter(({ id, url }) => id !== own?.id && isSameUrl(url, desired.url));
	// Made anew because it is on a page that cannot be read, it would be made anew every time.
	if (record && !own && !isComplete) return { kind: 'keep', leftOver, isSeen: false };
	const trouble = nameTrouble(record, own, desired);
	if (trouble === undefined) return { kind: 'keep', leftOver, isSeen: true };
	return own?.enabled ? { kind: 'change', id: own.id, trouble } : { kind: 'replace', trouble };
}

function nameTrouble(
	record: WebhookRecord | undefined,
	own: RemoteWebhook | undefined,
	desired: DesiredWebhook,
): Trouble | undefined {
	if (record === undefined) return 'unregistered';
	return own ? findTroubleOf(own, desired) : 'gone';
}

/** What is wrong with a webhook that is listed. */
export function findTroubleOf(
	own: RemoteWebhook,
	desired: DesiredWebhook,
): Extract<Trouble, 'disabled' | 'elsewhere' | 'other events'> | undefined {
	if (!own.enabled) return 'disabled';
	// What the list does not say is not known to be wrong.
	if (own.url !== '' && !isSameUrl(own.url, desired.url)) return 'elsewhere';
	if (own.events !== undefined && !deliversAll(own.events, desired.events)) return 'other events';
	return undefined;
}

/** What is wrong, in words for the log. */
export function describeTrouble(
	trouble: Trouble,
	record: WebhookRecord | undefined,
	{ url }: DesiredWebhook,
): string {
	const name = `Webhook ${record?.webhookId} for ${url}`;
	return {
		unregistered: `No webhook for ${url} was registered.`,
		gone: `${name} was gone from the gateway.`,
		disabled: `${name} was disabled at the gateway.`,
		elsewhere: `${name} had another URL at the gateway.`,
		'other events': `${name} had other events at the gateway.`,
	}[trouble];
}
