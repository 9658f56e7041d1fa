import { NodeOperationError, sleep, type IHookFunctions } from 'n8n-workflow';

import { failureOf } from '../api/failure';
import { CREDENTIAL_TYPES } from '../api/request';
import { forget } from './memory';
import { whyUnreachable } from './reach';
import { clearRecord, keepRecord, readRecord } from './record';
import { readEvents, readRegistration } from './settings';
import { createVerifier } from './verify';
import { createWebhook, deleteWebhook, listWebhooks } from './webhooks';

const LATECOMER_WAIT = 3_000;
const SECOND_TRY_AFTER = 1_000;

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
	if (readRegistration(this) === 'manual') {
		await requireSecret(this);
		return true;
	}
	const url = urlOf(this);
	const events = readEvents(this);
	const record = readRecord(this);
	const held = record.webhookId !== undefined && record.secret !== undefined;
	if (!held || record.url !== url || !sameEvents(record.events, events)) return false;

	const ours = (await listWebhooks(this)).filter((webhook) => webhook.url === url);
	// A second one with our URL is left over from a creation whose answer got lost.
	return (
		ours.length === 1 &&
		ours[0].id === record.webhookId &&
		ours[0].enabled &&
		sameEvents(ours[0].events, events)
	);
}

/** Makes the webhook, after removing whatever was left behind under this URL. */
async function create(this: IHookFunctions): Promise<boolean> {
	const url = urlOf(this);
	const events = readEvents(this);
	await requireReachable(this, url);
	if (events.length === 0) {
		throw new NodeOperationError(this.getNode(), 'Choose at least one event to listen to');
	}
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
	await sleep(LATECOMER_WAIT);
	for (const webhook of await listWebhooks(context)) {
		if (webhook.url === url && webhook.id !== id) await deleteWebhook(context, webhook.id);
	}
}

/** Removes the webhook. Throws if the gateway may still have it, so that n8n tries again. */
async function remove(this: IHookFunctions): Promise<boolean> {
	if (readRegistration(this) === 'manual') return true;
	const url = urlOf(this);
	if (await isRemoved(this, url)) return true;
	// On n8n's older publication path there is no other try than this one.
	await sleep(SECOND_TRY_AFTER);
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

/** Deletes the webhook of the record and every other one with exactly this URL; never anybody else's. */
async function removeAll(context: IHookFunctions, url: string): Promise<void> {
	const { webhookId } = readRecord(context);
	const leftovers = (await listWebhooks(context)).filter((webhook) => webhook.url === url);
	const ids = new Set(leftovers.map(({ id }) => id));
	if (webhookId !== undefined) ids.add(webhookId);
	for (const id of ids) await deleteWebhook(context, id);
	clearRecord(context);
}

async function requireSecret(context: IHookFunctions): Promise<void> {
	const { webhookSecret } = await context.getCredentials(CREDENTIAL_TYPES.account);
	const secret = String(webhookSecret ?? '').trim();
	if (secret === '') {
		throw new NodeOperationError(context.getNode(), 'The credential holds no webhook secret', {
			description:
				'With manual registration, create the webhook at your gateway with the URL of this trigger, and enter the secret it shows (whsec_…) as Webhook Secret in the account credential.',
		});
	}
	try {
		createVerifier(secret);
	} catch {
		throw new NodeOperationError(context.getNode(), 'The webhook secret in the credential cannot be right', {
			description: 'It begins with whsec_ and goes on in base64. Copy it again, whole.',
		});
	}
}

async function requireReachable(context: IHookFunctions, url: string): Promise<void> {
	const { baseUrl } = await context.getCredentials(CREDENTIAL_TYPES.account);
	const reason = whyUnreachable(url, String(baseUrl));
	if (reason === undefined) return;
	throw new NodeOperationError(
		context.getNode(),
		`The gateway cannot reach this n8n at ${url}: ${reason}. Set N8N_WEBHOOK_URL to the public https address of this n8n.`,
		{
			description:
				'Whoever runs this n8n sets the environment variable N8N_WEBHOOK_URL (in n8n 1: WEBHOOK_URL) and restarts it. If the gateway can reach this address all the same, create the webhook there yourself and choose manual registration.',
		},
	);
}

function urlOf(context: IHookFunctions): string {
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) throw new NodeOperationError(context.getNode(), 'n8n gives this trigger no URL');
	return url;
}

function isTest(context: IHookFunctions): boolean {
	return context.getMode() === 'manual';
}

function sameEvents(first: string[] | undefined, second: string[]): boolean {
	return JSON.stringify([...(first ?? [])].sort()) === JSON.stringify([...second].sort());
}
