import { NodeOperationError, sleep } from 'n8n-workflow';
import { nameGateway, readBaseUrl } from '../../api/address';
import { failureOf } from '../../api/failure';
import { CREDENTIAL_TYPES, type GatewayContext } from '../../api/request';
import { whySecretUnfit } from '../../api/token';
import { listOf, openAccount } from '../../question/accounts';
import { noteQuestions } from '../../question/sweep';
import { isSameUrl } from '../../webhooks/compare';
import {
	createWebhook,
	deleteWebhook,
	type RemoteWebhook,
	type WebhookList,
} from '../../webhooks/records';
import { isUsableSecret } from '../../webhooks/standardWebhooks';
import type { WebhookRecord } from '../record';
import type { WebhookSetup } from '../settings';
import type { DesiredWebhook } from './estate';
import type { Subscription } from './subscription';
import { subscriptionOf } from './subscriptions';

const LATECOMER_WAIT_MS = 3_000;

/** What else a list names as ours is removed another time: a list can name a million. */
const MOST_REMOVED = 20;

/**
 * Lists the gateway's webhooks for a trigger, and notes the gateway's time, and the open questions among them: whoever
 * asked may have been another process, and the first thing that the trigger is delivered may be an answer.
 *
 * @param url where the trigger receives
 * @throws GatewayError if the gateway does not answer with a list
 */
export async function observe(
	context: GatewayContext,
	url: string,
	timeoutMs?: number,
): Promise<WebhookList> {
	const account = await openAccount(context);
	const list = await listOf(context, account, { timeoutMs });
	subscriptionOf(context).clock.noteAnswer(list.clockLead);
	noteQuestions(context, account, list, url);
	return list;
}

/**
 * Makes the webhook that is wanted.
 *
 * @param keep is given the record at once, before anything else can go wrong
 * @throws GatewayError if the gateway made none, or none whose secret is safe
 */
export async function makeWebhook(
	context: GatewayContext,
	subscription: Subscription,
	{ url, events }: DesiredWebhook,
	keep: (record: WebhookRecord) => void,
): Promise<void> {
	const gateway = await readGateway(context);
	const creation = createWebhook(context, url, events);
	creation.catch((error: unknown) => {
		if (failureOf(error)?.outcome === 'unknown') subscription.hasUnanswered = true;
	});
	const { id, secret } = await creation;
	if (!isUsableSecret(secret)) {
		await deleteWebhook(context, id);
		throw new NodeOperationError(
			context.getNode(),
			`The gateway created a webhook, but its secret is not safe: ${whySecretUnfit(secret) ?? 'it is not base64'}. It must begin with whsec_ and hold a key of at least 24 bytes in base64. The webhook was deleted again. Ask your gateway’s provider.`,
		);
	}
	keep({ webhookId: id, secret, url, events, gateway });
	if (!subscription.hasUnanswered) return;
	subscription.hasUnanswered = false;
	// A creation that got no answer may still be carried out after the one that followed it.
	await sleep(LATECOMER_WAIT_MS);
	const isLatecomer = (webhook: RemoteWebhook) => isSameUrl(webhook.url, url) && webhook.id !== id;
	// The webhook is made. What cannot be removed now, the next check removes.
	await removeWhere(context, url, isLatecomer).catch(() => {});
}

/**
 * Deletes what this trigger has at the gateway: the webhook of its record, and with automatic webhook setup every other
 * one with this URL; never anybody else's. What may not or cannot be deleted is named in the log.
 *
 * @param kept ID of one that stays
 * @throws GatewayError if the gateway may still have one
 */
export async function removeOwn(
	context: GatewayContext,
	record: Partial<WebhookRecord>,
	url: string,
	webhookSetup: WebhookSetup,
	kept?: string,
): Promise<void> {
	const gateway = await readGateway(context);
	// It came along with a copy of the workflow, or this n8n or the credential has moved: it may be in use elsewhere, and
	// another gateway may give the same ID to somebody else's.
	const isForeign =
		(record.url !== undefined && !isSameUrl(record.url, url)) ||
		(record.gateway !== undefined && record.gateway !== gateway);
	const own = isForeign ? undefined : record.webhookId;
	const list = await removeWhere(
		context,
		url,
		(webhook) =>
			webhook.id !== kept &&
			(webhook.id === own || (webhookSetup === 'automatic' && isSameUrl(webhook.url, url))),
		own,
	);
	const { webhookId } = record;
	if (webhookId === undefined) return;
	if (isForeign) {
		const isRemoved = list.webhooks.some(
			(webhook) => webhook.id === webhookId && isSameUrl(webhook.url, url),
		);
		if (!isRemoved) {
			context.logger.warn(
				`Messaging Gateway Trigger: webhook ${webhookId} for ${record.url} is left at the gateway ${nameGateway(record.gateway ?? gateway)}. If no n8n uses it any more, delete it there.`,
			);
		}
	} else if (!list.webhooks.some(({ id }) => id === webhookId)) {
		await removeUnlisted(context, webhookId, url, list);
	}
}

/** Deletes what is meant of the list, and gives the list as it was. */
async function removeWhere(
	context: GatewayContext,
	url: string,
	isMeant: (webhook: RemoteWebhook) => boolean,
	own?: string,
): Promise<WebhookList> {
	const list = await observe(context, url);
	const meant = list.webhooks.filter(isMeant);
	// The one in use first: there may be more than are removed at once.
	await deleteWebhooks(context, [
		...meant.filter(({ id }) => id === own),
		...meant.filter(({ id }) => id !== own),
	]);
	return list;
}

/**
 * Deletes webhooks that the gateway has listed, one by one.
 *
 * @throws GatewayError at the first that the gateway may still have
 */
export async function deleteWebhooks(
	context: GatewayContext,
	webhooks: RemoteWebhook[],
): Promise<void> {
	const unfound: string[] = [];
	for (const { id } of webhooks.slice(0, MOST_REMOVED))
		if (!(await deleteWebhook(context, id))) unfound.push(id);
	if (unfound.length === 0) return;
	// Mostly it is gone by now. But a gateway that deletes in another way says the same of each.
	context.logger.warn(
		`Messaging Gateway Trigger: the gateway has listed webhook ${unfound.join(', ')}, but says that there is none to delete. If it lists this webhook later too, your gateway deletes webhooks in another way. Then delete it in the gateway’s dashboard, create a webhook yourself, and choose manual webhook setup.`,
	);
}

/**
 * Deletes a webhook that is not in the list: mostly it is gone, and of one that is gone a gateway may say anything; but
 * a list that was cut, with or without a word, does not show it either, nor does that of another account.
 */
async function removeUnlisted(
	context: GatewayContext,
	id: string,
	url: string,
	{ isComplete }: WebhookList,
): Promise<void> {
	const deletion = deleteWebhook(context, id);
	const failure = await deletion.then(() => undefined, failureOf);
	if (!isComplete && failure?.outcome !== 'rejected') await deletion;
	context.logger.warn(
		(await deletion.catch(() => false))
			? `Messaging Gateway Trigger: deleted webhook ${id}, which the gateway did not list. If this repeats, its list does not show all webhooks.`
			: `Messaging Gateway Trigger: webhook ${id} for ${url} is not among those of this account. If the credential was changed to another account, delete it in the old one.`,
	);
}

/** Base URL of the gateway that the credential names now. */
export async function readGateway(context: GatewayContext): Promise<string> {
	const { baseUrl } = await context.getCredentials(CREDENTIAL_TYPES.account);
	return readBaseUrl(baseUrl);
}
