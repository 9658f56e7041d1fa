import { openGateway, type Gateway } from '../../gateway/call';
import { requireReachable, requireServed } from '../../gateway/reach';
import { whySecretUnfit } from '../../gateway/secrets';
import {
	createWebhook,
	deleteWebhook,
	listWebhooks,
	type RemoteWebhook,
} from '../../gateway/webhooks';
import type { TriggerContext } from '../settings/settings';
import {
	beUnsure,
	confirm,
	readSaved,
	recordOf,
	type Creation,
	type SavedWebhook,
	type WantedWebhook,
	type WebhookState,
} from './state';

const OTHER_WAY =
	' If the gateway does reach this address, create the webhook yourself and choose manual webhook setup.';

interface Ensured {
	record: SavedWebhook;
	/** Undefined if the gateway had the webhook as it is wanted. */
	creation?: Creation;
	leadSeconds: number;
}

/**
 * Makes sure that the gateway has the wanted webhook, and no second one at its URL. Publication,
 * start and check alike go by the gateway's list: list, compare, recreate. Throws if it may fail.
 * Reads no setting, since n8n evaluates no expression in a check (`watch.ts`).
 */
export async function ensure(
	context: TriggerContext,
	state: WebhookState,
	wanted: WantedWebhook,
): Promise<Ensured> {
	requireServed(context.getNode());
	const account = await openGateway(context, 'account');
	requireReachable(wanted.url, account.baseUrl, OTHER_WAY);

	const saved = recordOf(state) ?? readSaved(context);
	const found = await findOurs(account, wanted.url, saved);
	const { recorded, leadSeconds } = found;
	if (isComplete(recorded) && isAsWanted(recorded, found.ours, wanted)) {
		confirm(state, wanted, recorded);
		return { record: recorded, leadSeconds };
	}

	beUnsure(state, wanted);
	for (const { id } of found.ours) await deleteWebhook(account, id);
	const record = await createRecord(account, wanted);
	confirm(state, wanted, record);
	return { record, creation: { leftBehindUrl: found.leftBehindUrl }, leadSeconds };
}

/** Whether the recorded webhook is the only one that receives, and as it is wanted. */
function isAsWanted(recorded: SavedWebhook, ours: RemoteWebhook[], wanted: WantedWebhook): boolean {
	const [remote, ...others] = ours.filter(({ enabled }) => enabled);
	if (remote === undefined || others.length > 0) return false;
	if (recorded.webhookId !== remote.id) return false;

	const hasSameEvents = String(recorded.events) === String(wanted.events);
	return hasSameEvents && isUnchanged(remote, wanted);
}

async function createRecord(account: Gateway, wanted: WantedWebhook): Promise<SavedWebhook> {
	const { id, secret } = await createWebhook(account, wanted.url, wanted.events);
	const reason = whySecretUnfit(secret);
	if (reason !== undefined) {
		throw new Error(
			`The gateway created a webhook, but its secret is not safe: ${reason}. It must begin with whsec_ and hold a key of at least 24 bytes in base64. Ask your gateway’s provider.`,
		);
	}

	return {
		webhookId: id,
		secret,
		url: wanted.url,
		events: wanted.events,
		gateway: account.baseUrl,
	};
}

/**
 * Finds the recorded webhook, and all others at the URL. `leftBehindUrl`: where an earlier webhook
 * of this trigger still receives. n8n has moved, or this n8n is a copy of another one.
 */
export async function findOurs(account: Gateway, url: string, saved: Partial<SavedWebhook>) {
	const { webhooks, leadSeconds } = await listWebhooks(account);

	// A copied workflow, or an n8n that has moved, carries the record of another trigger.
	const isOurs = saved.gateway === account.baseUrl && isSameUrl(saved.url ?? '', url);
	const recorded = isOurs ? saved : {};
	const ours = webhooks.filter(
		(each) => each.id === recorded.webhookId || isSameUrl(each.url, url),
	);

	const leftBehind = webhooks.find(({ id, enabled }) => enabled && id === saved.webhookId);
	const isElsewhere = leftBehind !== undefined && !ours.includes(leftBehind);
	const leftBehindUrl = isElsewhere ? saved.url : undefined;
	return { recorded, ours, leftBehindUrl, leadSeconds };
}

function isComplete(webhook: Partial<SavedWebhook>): webhook is SavedWebhook {
	return webhook.webhookId !== undefined && whySecretUnfit(webhook.secret ?? '') === undefined;
}

/** A field that the list leaves out counts as right. The trigger drops events that nobody chose. */
function isUnchanged({ url, events }: RemoteWebhook, wanted: WantedWebhook): boolean {
	const delivered = events?.map((event) => event.toUpperCase()) ?? wanted.events;
	const hasAll = wanted.events.every((event) => delivered.includes(event));
	return hasAll && (url === '' || isSameUrl(url, wanted.url));
}

/** Ignores capitals in scheme and host, the default port, and one slash at the end. */
function isSameUrl(first: string, second: string): boolean {
	return normalizeUrl(first) === normalizeUrl(second);
}

function normalizeUrl(address: string): string {
	if (!/^https?:/i.test(address) || !URL.canParse(address)) return address;

	const url = new URL(address);
	url.pathname = url.pathname.replace(/(?<=[^/])\/$/, '');
	return url.href;
}
