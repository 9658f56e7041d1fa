import { sleep, type IHookFunctions } from 'n8n-workflow';
import { nameGateway } from '../../api/address';
import { CREDENTIAL_TYPES } from '../../api/request';
import { isSameChoice, isSameUrl } from '../../webhooks/compare';
import type { WebhookList } from '../../webhooks/records';
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
import { isTest, readRegistration, readSubscribedEvents } from '../settings';
import { isInOrder, listFor, makeWebhook, removeOwn } from './ownWebhooks';
import { endRelay } from './relaying';
import { refusal, requireReachable, requireSecret, warnOfSavedSecret } from './requirements';

const SECOND_TRY_AFTER_MS = 1_000;
const TIMEOUT_AT_START_MS = 3_000;
const SILENT_FOR_MS = 60_000;

/** By base URL: when a gateway did not answer at a start of n8n. */
const silentAt = new Map<string, number>();

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
	if (readRegistration(this) === 'manual') {
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
	const registration = readRegistration(context);
	// With manual registration there is a record only if automatic registration came before and could not end it.
	if (registration === 'manual' && record.webhookId === undefined) return;
	await removeOwn(context, record, url, registration);
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

/**
 * Lists the webhooks. At a start of n8n, many triggers may ask a gateway that does not answer, and everything else
 * waits for them: so the first one that waits in vain waits for all.
 *
 * @returns undefined if the gateway does not answer at a start
 */
async function listAtStart(context: IHookFunctions, url: string): Promise<WebhookList | undefined> {
	if (!isStart(context)) return await listFor(context, url);
	const { baseUrl } = await context.getCredentials(CREDENTIAL_TYPES.account);
	const gateway = String(baseUrl);
	if (Date.now() - (silentAt.get(gateway) ?? -Infinity) < SILENT_FOR_MS) return undefined;
	const list = await tolerateAtStart(context, listFor(context, url, TIMEOUT_AT_START_MS));
	if (list === undefined) silentAt.set(gateway, Date.now());
	return list;
}

/**
 * At a start of n8n nobody looks on, and a trigger whose hook throws is given up for good. So what goes wrong then is
 * a line in the log: the trigger itself looks again soon.
 *
 * @returns undefined if it went wrong
 */
async function tolerateAtStart<T>(
	context: IHookFunctions,
	work: Promise<T>,
): Promise<T | undefined> {
	if (!isStart(context)) return await work;
	return await work.catch(({ message }: Error) => {
		context.logger.warn(
			`Messaging Gateway Trigger: the webhook could not be looked after at the start of n8n, and will be soon: ${message}`,
			{ workflowId: context.getWorkflow().id },
		);
		return undefined;
	});
}

function isStart(context: IHookFunctions): boolean {
	return ['init', 'leadershipChange'].includes(context.getActivationMode());
}

function urlOf(context: IHookFunctions): string {
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) throw refusal(context, 'n8n gives this trigger no URL');
	return url;
}
