import { NodeOperationError, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { pauseFor } from '../../webhooks/patience';
import { isTest, readWebhookSetup } from '../settings';
import { isPassing, isWell, type Findings, type Outage } from './conditions';
import type { Estate, SwitchedOn } from './estate';
import { findBrokenDelivery, findTrouble } from './findings';
import { checkQuestions, joinForwarding, leaveForwarding } from './forwarder';
import type { Subscription } from './subscription';
import { subscriptionOf } from './subscriptions';

const MINUTE_MS = 60_000;
/** By then n8n has saved what the publication has registered. */
const PROBE_AFTER_MS = 5_000;
/** After a start at which the gateway could not be asked: it may be starting itself. */
const EARLY_CHECK_AFTER_MS = 12_000;
const FIRST_CHECK_AFTER_MS = 2 * MINUTE_MS;
const CHECK_EVERY_MS = 60 * MINUTE_MS;
/** During an outage, and after a repair: until then nobody knows whether it lasts. */
const CHECK_OFTEN_EVERY_MS = 5 * MINUTE_MS;
/** Many triggers that were started together must not check together for ever. */
const IRREGULARITY = 0.2;

/**
 * Checks the webhook for as long as the workflow is published: after some minutes, and then every hour, or every five minutes
 * during an outage and after a repair. Before that comes a self-test; while the gateway has not confirmed the webhook, early
 * checks follow, each after twice the time. A check that a delivery asks for changes nothing about these times. What can be
 * repaired is repaired. What cannot, becomes one failed execution, so that the error workflow of the person runs.
 */
export async function watch(this: ITriggerFunctions): Promise<ITriggerResponse> {
	if (isTest(this) || readWebhookSetup(this) === 'manual') return {};
	const watching = new Watch(subscriptionOf(this), this);
	watching.begin();
	return { closeFunction: async () => await watching.close() };
}

/** Goes on with what was switched on in an older load of the package. */
export function goOn(heir: Subscription, { switchedOn }: Estate): void {
	if (!switchedOn) return;
	const watching = new Watch(heir, switchedOn.context);
	switchedOn.passOn(watching);
	watching.begin(true);
}

class Watch implements SwitchedOn {
	private readonly closing = new AbortController();
	private checking: Promise<Findings> | undefined;
	private heir: { close(): Promise<void> } | undefined;

	constructor(
		private readonly subscription: Subscription,
		readonly context: ITriggerFunctions,
	) {
		// After a publication that failed, n8n switches on anew what it has not switched off, and closes only the new one.
		subscription.switchedOn?.end();
		subscription.switchedOn = this;
		subscription.repairs.clear();
		subscription.conditions.clear();
	}

	/** @param isHeir whether to check first: nobody can tell what older code has left undone */
	begin(isHeir = false): void {
		void this.keep(isHeir).catch(this.tell);
	}

	checkSoon(): void {
		if (!this.closing.signal.aborted) void this.checkEarly().catch(this.tell);
	}

	end(): void {
		this.closing.abort();
	}

	passOn(heir: { close(): Promise<void> }): void {
		this.heir = heir;
	}

	/** Switches the trigger off, as n8n asks for it. */
	async close(): Promise<void> {
		if (this.heir) return await this.heir.close();
		this.end();
		const { subscription } = this;
		// A webhook that is just being made has to be known before it can be deleted; nothing else is worth waiting for.
		if (subscription.standing === 'changing') await this.checking?.catch(this.tell);
		if (subscription.switchedOn !== this) return;
		subscription.switchedOn = undefined;
		subscription.note('release');
		leaveForwarding(this.context);
	}

	private async keep(isHeir: boolean): Promise<void> {
		const { subscription, context } = this;
		const { signal } = this.closing;
		// While n8n loads the newer code, it does not know this type of node, and gives no credential.
		if (isHeir && (await pauseFor(varied(PROBE_AFTER_MS), signal))) await this.checkEarly();
		await joinForwarding(context, signal);
		if (await pauseFor(varied(PROBE_AFTER_MS), signal)) {
			const findings = await findBrokenDelivery(subscription, context, signal);
			this.report(findings);
			await checkQuestions(context, signal, this.isProven(findings));
		}
		let pauseMs = EARLY_CHECK_AFTER_MS;
		for (; pauseMs < FIRST_CHECK_AFTER_MS && !subscription.ownRecord; pauseMs *= 2) {
			if (await pauseFor(varied(pauseMs), signal)) await this.checkEarly();
		}
		pauseMs = FIRST_CHECK_AFTER_MS;
		while (await pauseFor(varied(pauseMs), signal)) {
			const findings = await this.check();
			this.report(findings);
			await checkQuestions(context, signal, this.isProven(findings));
			const isUnsettled = subscription.conditions.hasOutage || subscription.repairs.size > 0;
			pauseMs = isUnsettled ? CHECK_OFTEN_EVERY_MS : CHECK_EVERY_MS;
		}
	}

	/** Two checks at once could make two webhooks. */
	private async check(): Promise<Findings> {
		const { signal } = this.closing;
		this.checking ??= findTrouble(this.subscription, this.context, signal).finally(
			() => (this.checking = undefined),
		);
		return await this.checking;
	}

	private async checkEarly(): Promise<void> {
		const findings = await this.check();
		// What may be over a little later counts as an outage with the usual checks.
		if (!isPassing(findings)) this.report(findings);
		if (this.isProven(findings)) await joinForwarding(this.context, this.closing.signal, true);
	}

	/** Whether deliveries are known to arrive through the webhook. */
	private isProven(findings: Findings): boolean {
		return isWell(findings) && this.subscription.ownRecord !== undefined;
	}

	/** Says what is new about the conditions: nothing else writes the alarm. */
	private report(findings: Findings): void {
		// Found out about a trigger that is no longer published.
		if (this.closing.signal.aborted) return;
		for (const news of this.subscription.conditions.note(findings)) {
			if ('alarm' in news) this.raiseAlarm(news.alarm);
			else this.context.logger[news.log](`Messaging Gateway Trigger: ${news.text}`);
		}
	}

	private raiseAlarm({ message, advice }: Outage): void {
		const { context } = this;
		const error = new NodeOperationError(context.getNode(), message, { description: advice });
		// Older versions of n8n have no such thing: there it is in the log alone.
		const { saveFailedExecution } = context as Partial<ITriggerFunctions>;
		saveFailedExecution?.call(context, error);
	}

	/** Nothing that goes wrong here may keep n8n from switching the trigger off. */
	private readonly tell = (error: Error): void => {
		this.context.logger.error(`Messaging Gateway Trigger: ${error.message}`, { error });
	};
}

function varied(milliseconds: number): number {
	return Math.round(milliseconds * (1 + (Math.random() - 0.5) * IRREGULARITY));
}
