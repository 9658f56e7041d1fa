import { NodeOperationError, sleep, type IHookFunctions } from 'n8n-workflow';
import { failureOf } from '../../api/failure';
import { CREDENTIAL_TYPES } from '../../api/request';
import { forget } from '../memory/memory';
import { clearRecord, keepRecord, readRecord } from '../record';
import { isTest, readRegistration, readSubscribedEvents } from '../settings';
import { isUsableSecret } from '../signature';
import { isReadableOnTheWay, whyUnreachable } from './reach';
import {
	createWebhook,
	deleteUnlisted,
	deleteWebhook,
	deliversAll,
	isSameUrl,
	listWebhooks,
	type RemoteWebhook,
	type WebhookList,
} from './webhooks';

const LATECOMER_WAIT_MS = 3_000;
const SECOND_TRY_AFTER_MS = 1_000;

// URLs for which a creation was sent and not answered.
const unanswered = new Set<string>();

/**
 * The webhook's life at the gateway, as n8n calls it when a workflow is published, changed and unpublished, and when
 * the editor listens for a test event. Only here is static data written.
 */
export const subscription = { checkExists, create, delete: remove };

/** Whether exactly the webhook that is wanted exists, and its secret is held. */
async function checkExists(this: IHookFunctions): Promise<boolean> {
	if (isTest(this)) {
		forget({ workflowId: this.getWorkflow().id ?? '', nodeId: this.getNode().id, test: true });
	}
	const url = urlOf(this);
	const events = readSubscribedEvents(this);
	if (events.length === 0) throw refusal(this, 'Choose at least one event to listen to');
	if (readRegistration(this) === 'manual') {
		await requireSecret(this);
		await removeAll(this, url);
		return true;
	}
	const record = readRecord(this);
	const held = record.webhookId !== undefined && record.secret !== undefined;
	const asked = held && record.url !== undefined && isSameUrl(record.url, url);
	if (!asked || !sameEvents(record.events, events)) return false;

	const { webhooks, isComplete } = await listWebhooks(this);
	const ours = webhooks.filter((webhook) => isSameUrl(webhook.url, url));
	// Made anew because it is on a page that cannot be read, it would be made anew every time.
	if (ours.length === 0 && !isComplete) return true;
	// A second one with our URL is left over from a creation whose answer got lost.
	return (
		ours.length === 1 &&
		ours[0].id === record.webhookId &&
		ours[0].enabled &&
		deliversAll(ours[0].events, events)
	);
}

/** Makes the webhook, after removing whatever was left behind under this URL. */
async function create(this: IHookFunctions): Promise<boolean> {
	const url = urlOf(this);
	const events = readSubscribedEvents(this);
	await requireReachable(this, url);
	await removeAll(this, url);
	const { id, secret } = await createAndNoteLoss(this, url, events);
	keepRecord(this, { webhookId: id, secret, url, events });
	if (unanswered.delete(url)) await removeLatecomers(this, url, id);
	return true;
}

async function createAndNoteLoss(context: IHookFunctions, url: string, events: string[]) {
	const creation = createWebhook(context, url, events);
	creation.catch((error: unknown) => {
		if (failureOf(error)?.outcome === 'unknown') unanswered.add(url);
	});
	return await creation;
}

/** A creation that got no answer may still be carried out after the one that followed it. */
async function removeLatecomers(context: IHookFunctions, url: string, id: string): Promise<void> {
	await sleep(LATECOMER_WAIT_MS);
	await removeWhere(context, (webhook) => isSameUrl(webhook.url, url) && webhook.id !== id);
}

/** Removes the webhook. Throws if the gateway may still have it, so that n8n tries again. */
async function remove(this: IHookFunctions): Promise<boolean> {
	const url = urlOf(this);
	if (await isRemoved(this, url)) return true;
	// On n8n's older publication path there is no other try than this one.
	await sleep(SECOND_TRY_AFTER_MS);
	await removeAll(this, url);
	return true;
}

async function isRemoved(context: IHookFunctions, url: string): Promise<boolean> {
	try {
		await removeAll(context, url);
		return true;
	} catch (error) {
		context.logger.warn('Messaging Gateway Trigger: the webhook could not be deleted yet', {
			reason: (error as Error).message,
		});
		return false;
	}
}

/**
 * Deletes what this trigger has at the gateway: the webhook of its record, and with automatic registration every other
 * one with this URL; never anybody else's.
 */
async function removeAll(context: IHookFunctions, url: string): Promise<void> {
	const record = readRecord(context);
	const manual = readRegistration(context) === 'manual';
	// With manual registration there is a record only if automatic registration came before and could not end it.
	if (manual && record.webhookId === undefined) return;
	const same = record.url !== undefined && isSameUrl(record.url, url);
	const own = same ? record.webhookId : undefined;
	if (record.url !== undefined && !same) {
		// It came along with a copy of the workflow, or this n8n has moved: the webhook may be in use elsewhere.
		context.logger.warn(
			`Messaging Gateway Trigger: the webhook for ${record.url} is left at the gateway. If no n8n uses it any more, delete it there.`,
		);
	}
	const list = await removeWhere(
		context,
		(webhook) => webhook.id === own || (!manual && isSameUrl(webhook.url, url)),
	);
	if (own !== undefined && !list.webhooks.some(({ id }) => id === own)) {
		await deleteUnlisted(context, own, list);
	}
	clearRecord(context);
}

/** Deletes what is meant of the list, and gives the list as it was. */
async function removeWhere(
	context: IHookFunctions,
	isMeant: (webhook: RemoteWebhook) => boolean,
): Promise<WebhookList> {
	const list = await listWebhooks(context);
	for (const webhook of list.webhooks) {
		if (isMeant(webhook)) await deleteWebhook(context, webhook.id);
	}
	return list;
}

async function requireSecret(context: IHookFunctions): Promise<void> {
	const { webhookSecret } = await context.getCredentials(CREDENTIAL_TYPES.account);
	const secret = String(webhookSecret ?? '').trim();
	if (secret === '') {
		throw refusal(
			context,
			'The credential holds no webhook secret. With manual registration, create the webhook at your gateway with the URL of this trigger, and enter the secret it shows (whsec_…) as Webhook Secret in the account credential.',
		);
	}
	if (!isUsableSecret(secret)) {
		throw refusal(
			context,
			'The webhook secret in the credential cannot be right. It begins with whsec_ and goes on in base64. Copy it again, whole.',
		);
	}
}

async function requireReachable(context: IHookFunctions, url: string): Promise<void> {
	const { baseUrl } = await context.getCredentials(CREDENTIAL_TYPES.account);
	const reason = whyUnreachable(url, String(baseUrl));
	if (isReadableOnTheWay(url, String(baseUrl))) {
		context.logger.warn(
			`Messaging Gateway Trigger: deliveries to ${url} cross the internet unencrypted, so that messages can be read on their way. Set N8N_WEBHOOK_URL (in n8n 1: WEBHOOK_URL) to an https address.`,
		);
	}
	if (reason === undefined) return;
	throw refusal(
		context,
		`The gateway cannot reach this n8n at ${url}: ${reason}. Whoever runs this n8n sets N8N_WEBHOOK_URL (in n8n 1: WEBHOOK_URL) to its public https address and restarts it. If the gateway can reach this address all the same, create the webhook there yourself and choose manual registration.`,
	);
}

/** Of what keeps a workflow from being published, n8n shows the message and nothing else: it holds the advice too. */
function refusal(context: IHookFunctions, message: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), message);
}

function urlOf(context: IHookFunctions): string {
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) throw refusal(context, 'n8n gives this trigger no URL');
	return url;
}

function sameEvents(first: string[] | undefined, second: string[]): boolean {
	return JSON.stringify([...(first ?? [])].sort()) === JSON.stringify([...second].sort());
}
