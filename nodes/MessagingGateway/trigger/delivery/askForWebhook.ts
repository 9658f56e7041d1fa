import type { IWebhookFunctions } from 'n8n-workflow';
import { CREDENTIAL_TYPES } from '../../api/request';
import { nameOf } from '../memory/identity';
import { readStaticRecord } from '../record';
import { listFor } from '../registration/ownWebhooks';

interface Doubt {
	webhookId?: string;
	/** When the first delivery came that verifies with what static data holds. */
	since: number;
	askedAt: number;
	isListed: boolean;
	listing?: Promise<boolean>;
}

/** Of triggers after whose webhook this process has not looked, by trigger. */
const doubts = new Map<string, Doubt>();

const LIST_WITHIN_MS = 3_000;
const ASKED_EVERY_MS = 10_000;
/** A gateway that delivers for so long, but cannot be asked, must not make the trigger deaf. */
const HELD_BACK_FOR_MS = 5 * 60_000;

/**
 * Whether the gateway still has the webhook that static data names, for a process that knows nothing else: it never looks
 * after webhooks, as in queue mode, or n8n starts and has taken longer to let it look than the gateway to deliver. What
 * static data holds may be the secret of a deleted webhook, and the list names the questions that wait for a message.
 *
 * @returns `later` while the gateway has not said so: then the delivery has to be sent again; `unsaid` after some minutes
 */
export async function askForWebhook(
	context: IWebhookFunctions,
): Promise<'listed' | 'later' | 'unsaid'> {
	const url = context.getNodeWebhookUrl('default');
	const { webhookId } = readStaticRecord(context);
	const hasAccount = context.getNode().credentials?.[CREDENTIAL_TYPES.account] !== undefined;
	// There is nobody to ask.
	if (url === undefined || !hasAccount) return 'listed';
	const now = Date.now();
	let doubt = doubts.get(nameOf(context));
	if (!doubt || doubt.webhookId !== webhookId) {
		doubt = { webhookId, since: now, askedAt: -Infinity, isListed: false };
		doubts.set(nameOf(context), doubt);
	}
	if (doubt.isListed) return 'listed';
	if (now - doubt.askedAt >= ASKED_EVERY_MS) {
		doubt.askedAt = now;
		doubt.listing = isListed(context, url, webhookId);
	}
	doubt.isListed = (await doubt.listing) ?? false;
	if (doubt.isListed) return 'listed';
	return Date.now() - doubt.since < HELD_BACK_FOR_MS ? 'later' : 'unsaid';
}

async function isListed(
	context: IWebhookFunctions,
	url: string,
	webhookId: string | undefined,
): Promise<boolean> {
	try {
		const { webhooks, isComplete } = await listFor(context, url, LIST_WITHIN_MS);
		return !isComplete || webhooks.some(({ id }) => id === webhookId);
	} catch {
		return false;
	}
}
