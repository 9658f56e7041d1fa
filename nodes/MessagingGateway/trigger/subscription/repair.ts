import { NodeOperationError, type ITriggerFunctions } from 'n8n-workflow';
import { failureOf } from '../../api/failure';
import { openAccount } from '../../question/accounts';
import { deleteWebhook, updateWebhook } from '../../webhooks/records';
import type { WebhookRecord } from '../record';
import type { DesiredWebhook } from './estate';
import { readParked } from './forwarder';
import { deleteWebhooks, makeWebhook, removeOwn } from './ownWebhooks';
import { describeTrouble, type Plan, type Trouble } from './plan';
import { requireReachable } from './requirements';
import type { Subscription } from './subscription';

/** So long a repair that did not last is left to the person. */
const LEFT_ALONE_MS = 24 * 60 * 60_000;

/** What a check does about what it has found, in a turn of its subscription. */
export class Repair {
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
			if (record) subscription.confirm(subscription.ownRecord ?? record);
			// One that no list shows will never be seen, and is not made anew either.
			subscription.repairs.clear();
			if (!plan.isSeen) return undefined;
			await deleteWebhooks(context, plan.leftOver);
			return undefined;
		}
		const { trouble } = plan;
		const words = describeTrouble(trouble, record, desired);
		const latest = subscription.repairs.get(trouble);
		const isRecent = latest !== undefined && Date.now() - latest.at < LEFT_ALONE_MS;
		const before = isRecent ? latest.how : undefined;
		if (before === 'replaced') throw this.giveUp(words);
		await requireReachable(context, desired.url);
		if (signal.aborted) return undefined;
		if (plan.kind === 'change' && before === undefined && (await this.changeInPlace(plan.id))) {
			if (record && !signal.aborted) subscription.confirm(subscription.ownRecord ?? record);
			subscription.repairs.set(trouble, { how: 'changed', at: Date.now() });
			return `${words} The trigger has corrected it.`;
		}
		await this.replace(trouble);
		return signal.aborted ? undefined : `${words} The trigger has created a new one.`;
	}

	private async changeInPlace(id: string): Promise<boolean> {
		const { url, events } = this.desired;
		return (await updateWebhook(this.context, id, url, events)) === 'made';
	}

	/** A new secret with every check would cost messages, and repair nothing. */
	private giveUp(words: string): NodeOperationError {
		return new NodeOperationError(
			this.context.getNode(),
			`${words} The trigger has created a new one, but the repair did not last.`,
			{
				description:
					'Something else changes or deletes the webhooks of this account, or the gateway does not list them as they are. Find out at the gateway. Then unpublish the workflow, and publish it again.',
			},
		);
	}

	/**
	 * Makes a webhook in place of one that is not as it should be: the new one first, so that none is lost if the gateway
	 * makes none now.
	 */
	private async replace(trouble: Trouble): Promise<void> {
		const { subscription, signal } = this;
		const delivers = trouble === 'other events';
		const making = this.make(trouble);
		const failure = await making.then(() => undefined, failureOf);
		if (failure?.outcome === 'rejected' && !delivers && !signal.aborted) {
			// Some gateways take no second webhook for one URL, and nothing is lost with one that delivers nothing.
			await this.removeOld();
			subscription.note('lose');
			if (!signal.aborted) await this.make(trouble);
			return;
		}
		await making;
		if (!signal.aborted) await this.removeOld(subscription.ownRecord?.webhookId);
	}

	private async make(trouble: Trouble): Promise<void> {
		const { subscription, context, signal, desired } = this;
		const account = await openAccount(context);
		let made = '';
		await makeWebhook(context, subscription, desired, (newest) => {
			made = newest.webhookId;
			// Whatever becomes of the old one, which the gateway may not let go.
			subscription.repairs.set(trouble, { how: 'replaced', at: Date.now() });
			if (!signal.aborted) subscription.confirm({ ...newest, ...readParked(account) });
		});
		// Unpublished meanwhile: n8n has deleted what there was before this one.
		if (signal.aborted) await deleteWebhook(context, made);
	}

	private async removeOld(kept?: string): Promise<void> {
		await removeOwn(this.context, this.held, this.desired.url, 'automatic', kept);
	}
}
