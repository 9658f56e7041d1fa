import { sleep, type IHookFunctions } from 'n8n-workflow';
import { nameGateway } from '../../api/address';
import { isSameChoice, isSameUrl } from '../../webhooks/compare';
import { identify } from '../memory/identity';
import { forget } from '../memory/memory';
import {
	expectNothing,
	expectWebhook,
	findKnown,
	findWanted,
	learnRecord,
	learnUnconfirmed,
	whileUnderway,
} from '../memory/registrations';
import {
	clearStaticRecord,
	isComplete,
	readStaticRecord,
	writeStaticRecord,
	type WebhookRecord,
} from '../record';
import { isTest, readSubscribedEvents, readWebhookSetup } from '../settings';
import { isAtStart, listAtStart, tolerateAtStart } from './atStart';
import { isInOrder, makeWebhook, removeOwn } from './ownWebhooks';
import { endRelay } from './relaying';
import {
	refusal,
	requireNoResponder,
	requireReachable,
	requireSecret,
	warnOfSavedSecret,
} from './requirements';

const SECOND_TRY_AFTER_MS = 1_000;

/**
 * The webhook's life at the gateway, as n8n calls it when a workflow is published, changed and unpublished, at every
 * start of n8n, and when the editor listens for a test event.
 */
export const subscription = { checkExists, create, delete: remove };

/** Whether exactly the webhook that is wanted exists, and its secret is held. */
async function checkExists(this: IHookFunctions): Promise<boolean> {
	if (isTest(this)) {
		forget({ ...identify(this), test: true });
	}
	const url = urlOf(this);
	const events = readSubscribedEvents(this);
	if (events.length === 0) throw refusal(this, 'Choose at least one event to listen to');
	if (!isTest(this) && !isAtStart(this)) requireNoResponder(this);
	if (readWebhookSetup(this) === 'manual') {
		await requireSecret(this);
		await removeAll(this, url);
		return true;
	}
	if (!isTest(this)) expectWebhook(this, { url, events });
	const record = readRecord(this, url);
	const isAsked =
		isComplete(record) && isSameUrl(record.url, url) && isSameChoice(record.events, events);
	if (!isAsked) return false;
	const kept = await whileUnderway(this, async () => await isKept(this, record));
	if (kept !== false) keepRecord(this, record);
	if (kept === 'unknown') learnUnconfirmed(this);
	return kept !== false;
}

/** Whether the gateway has the webhook of the record, as it should be, and no second one for this URL. */
async function isKept(
	context: IHookFunctions,
	record: WebhookRecord,
): Promise<boolean | 'unknown'> {
	const list = await listAtStart(context, record.url);
	if (list === undefined) return 'unknown';
	const ours = list.webhooks.filter(({ url }) => isSameUrl(url, record.url));
	// Made anew because it is on a page that cannot be read, it would be made anew every time.
	if (ours.length === 0 && !list.isComplete) return true;
	// A second one with our URL is left over from a creation whose answer got lost.
	return ours.length === 1 && ours[0].id === record.webhookId && isInOrder(ours[0], record);
}

/** Makes the webhook, after removing whatever was left behind under this URL. */
async function create(this: IHookFunctions): Promise<boolean> {
	const url = urlOf(this);
	const events = readSubscribedEvents(this);
	const isPublished = isProduction(this, url);
	const register = async (): Promise<void> => {
		await requireReachable(this, url);
		if (isPublished) warnOfSavedSecret(this);
		await removeAll(this, url);
		await makeWebhook(this, { url, events }, (record) => keepRecord(this, record));
	};
	if (!isPublished) {
		await register();
		return true;
	}
	await tolerateAtStart(this, whileUnderway(this, register));
	if (findKnown(this) === undefined) learnUnconfirmed(this);
	return true;
}

/** Removes the webhook. Throws if the gateway may still have it, so that n8n tries again. */
async function remove(this: IHookFunctions): Promise<boolean> {
	const url = urlOf(this);
	if (isProduction(this, url)) await endRelay(this, url);
	if (!(await isRemoved(this, url))) {
		// On n8n's older publication path there is no other try than this one.
		await sleep(SECOND_TRY_AFTER_MS);
		await removeAll(this, url);
	}
	if (isProduction(this, url)) expectNothing(this);
	return true;
}

async function isRemoved(context: IHookFunctions, url: string): Promise<boolean> {
	try {
		await removeAll(context, url);
		return true;
	} catch (error) {
		const { webhookId, gateway } = readRecord(context, url);
		context.logger.warn(
			`Messaging Gateway Trigger: webhook ${webhookId ?? ''} for ${url} could not be deleted yet at the gateway ${nameGateway(gateway)}: ${(error as Error).message}`,
		);
		return false;
	}
}

async function removeAll(context: IHookFunctions, url: string): Promise<void> {
	const record = readRecord(context, url);
	const webhookSetup = readWebhookSetup(context);
	// With manual webhook setup there is a record only if automatic webhook setup came before and could not end it.
	if (webhookSetup === 'manual' && record.webhookId === undefined) return;
	await removeOwn(context, record, url, webhookSetup);
	clearStaticRecord(context);
	if (isProduction(context, url)) learnRecord(context, undefined);
}

/** What this process knows counts; static data may have been overwritten. */
function readRecord(context: IHookFunctions, url: string): Partial<WebhookRecord> {
	const known = isProduction(context, url) ? findKnown(context) : undefined;
	return known ? (known.record ?? {}) : readStaticRecord(context);
}

/** Also where the record is known already: static data may have been overwritten since. */
function keepRecord(context: IHookFunctions, record: WebhookRecord): void {
	writeStaticRecord(context, { ...record });
	if (isProduction(context, record.url)) learnRecord(context, { ...record });
}

/**
 * Whether a hook is about the webhook of the published workflow, and not about the one for which the editor listens:
 * when n8n deletes that one, its address is all that tells.
 */
function isProduction(context: IHookFunctions, url: string): boolean {
	return !isTest(context) && findWanted(context)?.url === url;
}

function urlOf(context: IHookFunctions): string {
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) throw refusal(context, 'n8n gives this trigger no URL');
	return url;
}
