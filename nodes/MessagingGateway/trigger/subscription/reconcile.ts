import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { failureOf } from '../../api/failure';
import { isSameChoice, isSameUrl } from '../../webhooks/compare';
import { deleteWebhook, updateWebhook } from '../../webhooks/records';
import {
	clearStaticRecord,
	isComplete,
	readStaticRecord,
	writeStaticRecord,
	type WebhookRecord,
} from '../record';
import { readRegistration } from '../settings';
import { observeAtStart, tolerateAtStart } from './atStart';
import { deleteWebhooks, makeWebhook, observe, readGateway, removeOwn } from './ownWebhooks';
import { describeTrouble, planFor, type Plan } from './plan';
import { findParked } from './relaying';
import { requireReachable, warnOfSavedSecret } from './requirements';
import type { DesiredWebhook, Subscription } from './subscription';

// The only writer of webhooks at the gateway, and of the record. It looks at what is, not at what has happened, so that
// nothing is lost by not hearing of something. One change after the other; everybody else only asks for it.

/** What is wrong again so soon after its repair is not repaired for good, and must not be for ever. */
const REPAIRED_FOR_MS = 50 * 60_000;

/**
 * Whether the gateway has exactly the webhook that n8n asks for, and its secret is held. Changes nothing there.
 *
 * @returns true also where the gateway does not answer at a start of n8n: then n8n must not make another one
 */
export async function inspect(
	subscription: Subscription,
	context: IHookFunctions,
	desired: DesiredWebhook,
): Promise<boolean> {
	subscription.desired = desired;
	const record = subscription.recordAmong(readStaticRecord(context));
	if (!isFor(record, desired)) return false;
	return await subscription.inTurn(async () => {
		const list = await observeAtStart(context, desired.url);
		if (list === undefined) {
			writeStaticRecord(context, record);
			subscription.note('unanswered');
			return true;
		}
		const plan = planFor(desired, record, list, await readGateway(context));
		// A second one with our URL is left over from a creation whose answer got lost.
		if (plan.kind !== 'keep' || plan.leftOver.length > 0) return false;
		keepRecord(subscription, context, { ...record, ...findParked() });
		return true;
	});
}

/**
 * Makes the webhook that n8n asks for, after removing whatever was left behind under its URL. What goes wrong at a start
 * of n8n, the next check does.
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
		await makeWebhook(context, subscription, desired, (record) =>
			keepRecord(subscription, context, { ...record, ...findParked() }),
		);
	});
	await tolerateAtStart(context, making);
	subscription.note('unanswered');
}

/** Removes the webhook, since n8n asks for none. Throws if the gateway may still have it. */
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
	const registration = readRegistration(context);
	// With manual registration there is a record only if automatic registration came before and could not end it.
	if (registration === 'manual' && record.webhookId === undefined) return false;
	await removeOwn(context, record, url, registration);
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
	const record = subscription.ownRecord ?? (isFor(held, desired) ? held : undefined);
	const list = await observe(context, desired.url);
	const plan = planFor(desired, record, list, await readGateway(context));
	return await subscription.inTurn(async () => {
		// Somebody has published or unpublished meanwhile.
		if (signal.aborted || subscription.desired !== desired) return undefined;
		const repair = new Repair(subscription, context, signal, desired, held);
		return await repair.apply(plan, record);
	});
}

/** What a check does about what it has found. */
class Repair {
	constructor(
		private readonly subscription: Subscription,
		private readonly context: ITriggerFunctions,
		private readonly signal: AbortSignal,
		private readonly desired: DesiredWebhook,
		/** What is left of the webhook before, at whatever address. */
		private readonly held: Partial<WebhookRecord>,
	) {}

	async apply(plan: Plan, record: WebhookRecord | undefined): Promise<string | undefined> {
		const { subscription, context, signal, desired } = this;
		if (plan.kind === 'keep') {
			if (record) subscription.confirm(record);
			if (plan.isSeen) await deleteWebhooks(context, plan.leftOver);
			return undefined;
		}
		const { trouble } = plan;
		const words = describeTrouble(trouble, record, desired);
		const before = subscription.repaired;
		if (before?.trouble === trouble && Date.now() - before.at < REPAIRED_FOR_MS) {
			throw new Error(
				`${words} It was mended a little while ago, and is not as it should be again`,
			);
		}
		await requireReachable(context, desired.url);
		if (signal.aborted) return undefined;
		subscription.repaired = { trouble, at: Date.now() };
		if (
			plan.kind === 'change' &&
			(await updateWebhook(context, plan.id, desired.url, desired.events))
		) {
			if (record && !signal.aborted) subscription.confirm(record);
			return `${words} It was put right.`;
		}
		const replacing = this.replace(trouble === 'other events');
		// What a passing failure has kept from being repaired is tried again.
		replacing.catch((error: unknown) => {
			if (failureOf(error)?.passing) subscription.repaired = undefined;
		});
		await replacing;
		return signal.aborted ? undefined : `${words} A new one was made in its place.`;
	}

	/**
	 * Makes a webhook in place of one that is not as it should be: the new one first, so that none is lost if the gateway
	 * makes none now.
	 *
	 * @param delivers whether the old one still delivers something
	 */
	private async replace(delivers: boolean): Promise<void> {
		const { subscription, signal } = this;
		const making = this.make();
		const failure = await making.then(() => undefined, failureOf);
		if (failure?.outcome === 'rejected' && !delivers && !signal.aborted) {
			// Some gateways take no second webhook for one URL, and nothing is lost with one that delivers nothing.
			await this.removeOld();
			subscription.note('lose');
			if (!signal.aborted) await this.make();
			return;
		}
		await making;
		if (!signal.aborted) await this.removeOld(subscription.ownRecord?.webhookId);
	}

	private async make(): Promise<void> {
		const { subscription, context, signal, desired } = this;
		let made = '';
		await makeWebhook(context, subscription, desired, (newest) => {
			made = newest.webhookId;
			if (!signal.aborted) subscription.confirm({ ...newest, ...findParked() });
		});
		// Unpublished meanwhile: n8n has deleted what there was before this one.
		if (signal.aborted) await deleteWebhook(context, made);
	}

	private async removeOld(kept?: string): Promise<void> {
		await removeOwn(this.context, this.held, this.desired.url, 'automatic', kept);
	}
}
