import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { openAccount } from '../../question/accounts';
import { isSameChoice, isSameUrl } from '../../webhooks/compare';
import {
	clearStaticRecord,
	isComplete,
	readStaticRecord,
	writeStaticRecord,
	type WebhookRecord,
} from '../record';
import { readWebhookSetup } from '../settings';
import { observeAtStart, tolerateAtStart } from './atStart';
import type { DesiredWebhook } from './estate';
import { readParked } from './forwarder';
import { deleteWebhooks, makeWebhook, observe, readGateway, removeOwn } from './ownWebhooks';
import { planFor } from './plan';
import { Repair } from './repair';
import { requireReachable, warnOfSavedSecret } from './requirements';
import type { Subscription } from './subscription';

// All changes of the trigger's own webhook happen here or in Repair, one after the other. They go by what the gateway lists,
// not by what has happened, so that nothing depends on hearing of a change. Everybody else only asks for a check.

/**
 * Whether the gateway has exactly the webhook that n8n asks for, and its secret is held. Others with its URL are removed.
 *
 * @returns true also where a secret is held and the gateway does not answer at a start of n8n: then n8n must not make
 * another one
 * @throws GatewayError if it cannot be told at any other time
 */
export async function inspect(
	subscription: Subscription,
	context: IHookFunctions,
	desired: DesiredWebhook,
): Promise<boolean> {
	subscription.want(desired);
	return await subscription.inTurn(async () => {
		// A check that came before may have made another one.
		const record = subscription.recordAmong(readStaticRecord(context));
		if (!isFor(record, desired)) return false;
		const list = await observeAtStart(context, desired.url);
		if (list === undefined) {
			writeStaticRecord(context, record);
			subscription.note('unanswered');
			return true;
		}
		const plan = planFor(desired, record, list, await readGateway(context));
		if (plan.kind !== 'keep') return false;
		// Nobody can tell which one counts where the list shows another one with our URL, and not our own.
		if (plan.leftOver.length > 0 && !plan.isSeen) return false;
		// Beside our own, a second one is left over from a creation whose answer got lost.
		await tolerateAtStart(context, deleteWebhooks(context, plan.leftOver));
		const account = await openAccount(context);
		keepRecord(subscription, context, { ...record, ...readParked(account) });
		return true;
	});
}

/**
 * Makes the webhook that n8n asks for, after removing whatever was left behind under its URL. What goes wrong at a start
 * of n8n, the next check does.
 *
 * @throws GatewayError if there is none at any other time
 */
export async function register(
	subscription: Subscription,
	context: IHookFunctions,
	desired: DesiredWebhook,
): Promise<void> {
	const making = subscription.inTurn(async () => {
		await requireReachable(context, desired.url);
		if (!subscription.key.test) warnOfSavedSecret(context);
		await remove(subscription, context, desired.url);
		subscription.note('lose');
		const account = await openAccount(context);
		await makeWebhook(context, subscription, desired, (record) =>
			keepRecord(subscription, context, { ...record, ...readParked(account) }),
		);
	});
	await tolerateAtStart(context, making);
	// This changes nothing if the webhook was made, or had to be removed: see `TRANSITIONS`.
	subscription.note('unanswered');
}

/**
 * Removes the webhook, since n8n asks for none.
 *
 * @throws GatewayError if the gateway may still have it
 */
export async function withdraw(
	subscription: Subscription,
	context: IHookFunctions,
	url: string,
): Promise<void> {
	await subscription.inTurn(async () => {
		if (await remove(subscription, context, url)) subscription.note('delete');
	});
}

/** @returns whether there was anything that could be removed */
async function remove(
	subscription: Subscription,
	context: IHookFunctions,
	url: string,
): Promise<boolean> {
	const record = subscription.recordAmong(readStaticRecord(context));
	const webhookSetup = readWebhookSetup(context);
	// With manual webhook setup there is a record only if automatic webhook setup came before and could not end it.
	if (webhookSetup === 'manual' && record.webhookId === undefined) return false;
	await removeOwn(context, record, url, webhookSetup);
	clearStaticRecord(context);
	return true;
}

/** Also where the record is known already: static data may have been overwritten since. */
function keepRecord(
	subscription: Subscription,
	context: IHookFunctions,
	record: WebhookRecord,
): void {
	writeStaticRecord(context, record);
	subscription.confirm(record);
}

/** Whether a record is complete, and of what is wanted. */
function isFor(record: Partial<WebhookRecord>, desired: DesiredWebhook): record is WebhookRecord {
	return (
		isComplete(record) &&
		isSameUrl(record.url, desired.url) &&
		isSameChoice(record.events, desired.events)
	);
}

/**
 * Checks whether the gateway still has the webhook as it should be, and repairs what is wrong with it. A new secret is
 * known to this process only, until the next delivery writes it into static data.
 *
 * @param signal comes when the trigger is no longer published: then nothing more is changed
 * @returns what was repaired, in words for the log; undefined if all was well
 * @throws Error in a person's words if it could not be checked, or is not repaired for good
 */
export async function check(
	subscription: Subscription,
	context: ITriggerFunctions,
	signal: AbortSignal,
): Promise<string | undefined> {
	const { desired } = subscription;
	if (desired === undefined || subscription.standing === 'changing') return undefined;
	const held = subscription.recordAmong(readStaticRecord(context));
	const { ownRecord } = subscription;
	const record = ownRecord ?? (isFor(held, desired) ? held : undefined);
	const list = await observe(context, desired.url);
	const plan = planFor(desired, record, list, await readGateway(context));
	return await subscription.inTurn(async () => {
		// Somebody has published or unpublished meanwhile.
		if (signal.aborted || subscription.desired !== desired) return undefined;
		if (subscription.ownRecord?.webhookId !== ownRecord?.webhookId) return undefined;
		const repair = new Repair(subscription, context, signal, desired, held);
		return await repair.apply(plan, record);
	});
}
