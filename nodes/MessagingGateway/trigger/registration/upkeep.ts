import type { ITriggerFunctions } from 'n8n-workflow';
import { failureOf } from '../../api/failure';
import { isSameUrl } from '../../webhooks/compare';
import { deleteWebhook, updateWebhook, type RemoteWebhook } from '../../webhooks/records';
import {
	findKnown,
	findWanted,
	isUnderway,
	learnRecord,
	whileUnderway,
	type WantedWebhook,
} from '../memory/registrations';
import { isUnconfirmed } from '../memory/unconfirmed';
import { readStaticRecord, type WebhookRecord } from '../record';
import {
	deleteWebhooks,
	isInOrder,
	listFor,
	makeWebhook,
	readGateway,
	removeOwn,
} from './ownWebhooks';
import { requireReachable } from './requirements';

/** What a look found wrong with the webhook. */
type Trouble = 'unregistered' | 'gone' | 'disabled' | 'elsewhere' | 'other events';

/** When something was mended: what is wrong again soon after is not mended for good, and must not be for ever. */
const mended = new WeakMap<ITriggerFunctions, { trouble: Trouble; at: number }>();
const MENDED_FOR_MS = 50 * 60_000;

/**
 * Looks whether the gateway still has the webhook as it should be, and mends what is wrong with it.
 *
 * @param signal comes when the trigger is no longer published: then nothing more is changed
 * @returns what was mended, in words for the log; undefined if all was well
 * @throws Error in a person's words if it could not be looked after, or is not mended for good
 */
export async function lookAfterWebhook(
	context: ITriggerFunctions,
	signal: AbortSignal,
): Promise<string | undefined> {
	const wanted = findWanted(context);
	if (wanted === undefined || isUnderway(context)) return undefined;
	const record = findKnown(context)?.record;
	const { webhooks, isComplete } = await listFor(context, wanted.url);
	const own = await findOwn(context, record, webhooks);
	if (signal.aborted) return undefined;
	// Made anew because it is on a page that cannot be read, it would be made anew every time.
	if (record && !own && !isComplete) {
		learnRecord(context, record);
		return undefined;
	}
	if (record && own && isInOrder(own, wanted)) {
		learnRecord(context, record);
		const isLeftOver = ({ id, url }: RemoteWebhook): boolean =>
			isSameUrl(url, wanted.url) && id !== own.id;
		await deleteWebhooks(context, webhooks.filter(isLeftOver));
		return undefined;
	}
	const trouble = nameTrouble(record, own, wanted);
	const words = describeTrouble(trouble, record, wanted);
	const before = mended.get(context);
	if (before?.trouble === trouble && Date.now() - before.at < MENDED_FOR_MS) {
		throw new Error(`${words} It was mended a little while ago, and is not as it should be again`);
	}
	await requireReachable(context, wanted.url);
	if (signal.aborted) return undefined;
	mended.set(context, { trouble, at: Date.now() });
	if (own?.enabled && (await updateWebhook(context, own.id, wanted.url, wanted.events))) {
		if (!signal.aborted) learnRecord(context, record);
		return `${words} It was put right.`;
	}
	const delivers = trouble === 'other events';
	const making = makeAnew(context, { record, wanted, signal, delivers });
	// What a passing failure has kept from being mended is tried again.
	making.catch((error: unknown) => {
		if (failureOf(error)?.passing) mended.delete(context);
	});
	await making;
	return signal.aborted ? undefined : `${words} A new one was made in its place.`;
}

/** The webhook of the record; at another gateway the same ID would be somebody else's. */
async function findOwn(
	context: ITriggerFunctions,
	record: WebhookRecord | undefined,
	webhooks: RemoteWebhook[],
): Promise<RemoteWebhook | undefined> {
	if (!record) return undefined;
	if (record.gateway !== undefined && record.gateway !== (await readGateway(context))) {
		return undefined;
	}
	return webhooks.find(({ id }) => id === record.webhookId);
}

interface Making {
	record: WebhookRecord | undefined;
	wanted: WantedWebhook;
	signal: AbortSignal;
	/** Whether the old one still delivers something. */
	delivers: boolean;
}

/**
 * Makes a webhook in place of one that is not as it should be: the new one first, so that none is lost if the gateway
 * makes none now. The new secret is known to this process only, until the next delivery writes it into static data.
 */
async function makeAnew(
	context: ITriggerFunctions,
	{ record, wanted, signal, delivers }: Making,
): Promise<void> {
	const make = async (): Promise<void> => {
		let made = '';
		await makeWebhook(context, wanted, (newest) => {
			made = newest.webhookId;
			if (!signal.aborted) learnRecord(context, newest);
		});
		// Unpublished meanwhile: n8n has deleted what there was before this one.
		if (signal.aborted) await deleteWebhook(context, made);
	};
	// After a start that could not make it, n8n still holds the one for the address that it had before.
	const old = record ?? (isUnconfirmed(context) ? readStaticRecord(context) : {});
	const removeOld = async (kept?: string): Promise<void> =>
		await removeOwn(context, old, wanted.url, 'automatic', kept);
	await whileUnderway(context, async () => {
		const making = make();
		const failure = await making.then(() => undefined, failureOf);
		if (failure?.outcome === 'rejected' && !delivers && !signal.aborted) {
			// Some gateways take no second webhook for one URL, and nothing is lost with one that delivers nothing.
			await removeOld();
			// For as long as this process looks after it: n8n's static data still holds the record.
			learnRecord(context, undefined, Infinity);
			if (!signal.aborted) await make();
			return;
		}
		await making;
		if (!signal.aborted) await removeOld(findKnown(context)?.record?.webhookId);
	});
}

function nameTrouble(
	record: WebhookRecord | undefined,
	own: RemoteWebhook | undefined,
	wanted: WantedWebhook,
): Trouble {
	if (record === undefined) return 'unregistered';
	if (own === undefined) return 'gone';
	if (!own.enabled) return 'disabled';
	return isSameUrl(own.url, wanted.url) ? 'other events' : 'elsewhere';
}

function describeTrouble(
	trouble: Trouble,
	record: WebhookRecord | undefined,
	{ url }: WantedWebhook,
): string {
	const name = `Webhook ${record?.webhookId} for ${url}`;
	return {
		unregistered: `No webhook for ${url} was registered.`,
		gone: `${name} was gone from the gateway.`,
		disabled: `${name} was disabled at the gateway.`,
		elsewhere: `${name} had been given another URL at the gateway.`,
		'other events': `${name} had been given other events at the gateway.`,
	}[trouble];
}
