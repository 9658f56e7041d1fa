import type { ITriggerFunctions } from 'n8n-workflow';
import { failureOf } from '../../api/failure';
import {
	findKnown,
	findWanted,
	isUnderway,
	learnRecord,
	whileUnderway,
	type WantedWebhook,
} from '../memory/registrations';
import type { WebhookRecord } from '../record';
import { isSameUrl } from './compare';
import { isInOrder, makeWebhook, removeOwn } from './ownWebhooks';
import { requireReachable } from './requirements';
import { deleteWebhook, listWebhooks, updateWebhook, type RemoteWebhook } from './webhooks';

/** A gateway that does not list what it has must not be asked for a new webhook with every look. */
const madeByLastLook = new WeakMap<ITriggerFunctions, string>();

/**
 * Looks whether the gateway still has the webhook as it should be, and mends what is wrong with it.
 *
 * @param signal comes when the trigger is no longer published: then nothing more is changed
 * @returns what was mended, in words for the log; undefined if all was well
 * @throws NodeApiError or NodeOperationError in a person's words if it could not be looked after
 */
export async function lookAfterWebhook(
	context: ITriggerFunctions,
	signal: AbortSignal,
): Promise<string | undefined> {
	const wanted = findWanted(context);
	if (wanted === undefined || isUnderway(context)) return undefined;
	const record = findKnown(context)?.record;
	const { webhooks, isComplete } = await listWebhooks(context);
	if (signal.aborted) return undefined;

	const own = record && webhooks.find(({ id }) => id === record.webhookId);
	// Made anew because it is on a page that cannot be read, it would be made anew every time.
	if (record && !own && !isComplete) return undefined;
	if (own && isInOrder(own, wanted)) {
		const isLeftOver = ({ id, url }: RemoteWebhook): boolean =>
			isSameUrl(url, wanted.url) && id !== own.id;
		for (const { id } of webhooks.filter(isLeftOver)) await deleteWebhook(context, id);
		return undefined;
	}
	if (record && !own && madeByLastLook.get(context) === record.webhookId) {
		throw new Error(
			`The gateway does not list webhook ${record.webhookId}, which it has made a little while ago. Nobody can tell whether it delivers`,
		);
	}
	const trouble = describeTrouble(record, own, wanted);
	if (own?.enabled && (await updateWebhook(context, own.id, wanted.url, wanted.events))) {
		return `${trouble} It was put right.`;
	}
	await requireReachable(context, wanted.url);
	if (signal.aborted) return undefined;
	const delivers = own !== undefined && own.enabled && isSameUrl(own.url, wanted.url);
	await makeAnew(context, record, wanted, delivers);
	return `${trouble} A new one was made in its place.`;
}

/**
 * Makes a webhook in place of one that is not as it should be: the new one first, so that none is lost if the gateway
 * makes none now. The new secret is known to this process only, until the next delivery writes it into static data.
 *
 * @param delivers whether the old one still delivers something
 */
async function makeAnew(
	context: ITriggerFunctions,
	record: WebhookRecord | undefined,
	wanted: WantedWebhook,
	delivers: boolean,
): Promise<void> {
	const keep = (made: WebhookRecord): void => {
		learnRecord(context, made);
		madeByLastLook.set(context, made.webhookId);
	};
	const removeOld = async (kept?: string): Promise<void> =>
		await removeOwn(context, record ?? {}, wanted.url, 'automatic', kept);
	await whileUnderway(context, async () => {
		const making = makeWebhook(context, wanted, keep);
		const failure = await making.then(() => undefined, failureOf);
		if (failure?.outcome !== 'rejected' || delivers) {
			await making;
			await removeOld(findKnown(context)?.record?.webhookId);
			return;
		}
		// Some gateways take no second webhook for one URL, and nothing is lost with one that delivers nothing.
		await removeOld();
		learnRecord(context, undefined);
		await makeWebhook(context, wanted, keep);
	});
}

function describeTrouble(
	record: WebhookRecord | undefined,
	own: RemoteWebhook | undefined,
	wanted: WantedWebhook,
): string {
	if (record === undefined) return `No webhook for ${wanted.url} was registered.`;
	const name = `Webhook ${record.webhookId} for ${wanted.url}`;
	if (own === undefined) return `${name} was gone from the gateway.`;
	if (!own.enabled) return `${name} was disabled at the gateway.`;
	if (!isSameUrl(own.url, wanted.url)) return `${name} had been given another URL at the gateway.`;
	return `${name} had been given other events at the gateway.`;
}
