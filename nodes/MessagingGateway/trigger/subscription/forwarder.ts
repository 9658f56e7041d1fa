import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import type { Account } from '../../question/account';
import { findForwarded, openAccount, setForwarder } from '../../question/accounts';
import { arrangeQuestions, sweepQuestions } from '../../question/sweep';
import { deliversAll } from '../../webhooks/compare';
import type { WebhookList } from '../../webhooks/records';
import type { WebhookRecord } from '../record';
import { findTroubleOf } from './plan';
import { probe } from './probe';
import type { Subscription } from './subscription';
import { keyOfNode, nameOfKey, subscriptionOf } from './subscriptions';

/**
 * Checks the webhooks of questions: removes those of questions that are over, and forwards the messages of the others if this
 * trigger receives them all. If that fails, the next check does it. Unproven, the trigger leaves until then.
 *
 * @param signal comes when the trigger is no longer published
 * @param isProven whether deliveries to this n8n's own address arrive
 */
export async function checkQuestions(
	context: ITriggerFunctions,
	signal: AbortSignal,
	isProven: boolean,
): Promise<void> {
	const wanted = subscriptionOf(context).desired;
	if (wanted === undefined || signal.aborted) return;
	if (isProven) await joinForwarding(context, signal, true);
	else leaveForwarding(context);
	await sweepQuestions(context, wanted.url).catch(() => {});
}

/**
 * Notes that this trigger forwards messages, or will as soon as its self-test has arrived. While its credential cannot be
 * read, it does so for the account that was noted before.
 */
export async function joinForwarding(
	context: ITriggerFunctions,
	signal: AbortSignal,
	isProven = false,
): Promise<void> {
	const name = nameOfKey(keyOfNode(context));
	const account = await openAccount(context).catch(() => findForwarded(name));
	if (signal.aborted) return;
	const subscription = subscriptionOf(context);
	subscription.account = account?.fingerprint ?? subscription.account;
	const events = subscription.desired?.events ?? [];
	const isFit = deliversAll(events, ['MESSAGE.RECEIVED']);
	const noteParked = async () => await noteByProbe(context, signal);
	const isListed = (list: WebhookList) => isListedOwn(subscriptionOf(context), list);
	setForwarder(name, isFit ? account : undefined, { isProven, noteParked, isListed });
}

/** Whether a list of webhooks shows the trigger's own without trouble. If not, this asks for a check, after which the trigger joins again. */
function isListedOwn(subscription: Subscription, { webhooks, isComplete }: WebhookList): boolean {
	const { ownRecord, desired, standing } = subscription;
	if (ownRecord === undefined || desired === undefined || standing === 'changing') return true;
	const own = webhooks.find(({ id }) => id === ownRecord.webhookId);
	const isThere = own ? findTroubleOf(own, desired) === undefined : !isComplete;
	if (!isThere) subscription.askForCheck();
	return isThere;
}

/**
 * Notes in the record that questions may be parked. n8n saves that only with a delivery that starts nothing. So
 * this sends a self-test, and `saveParked` writes the note as it arrives.
 *
 * @returns whether the record says so now
 */
async function noteByProbe(context: ITriggerFunctions, signal: AbortSignal): Promise<boolean> {
	const subscription = subscriptionOf(context);
	const record = subscription.ownRecord;
	if (record && !record.parked) await probe(context, record, signal);
	return subscription.ownRecord?.parked === true;
}

/** What an account knows at this moment of parked questions, for the record. */
export function readParked({ parked }: Account): Pick<WebhookRecord, 'parked'> {
	return { parked: parked.size > 0 || undefined };
}

/** Notes that this trigger forwards no messages now. */
export function leaveForwarding(context: ITriggerFunctions): void {
	setForwarder(nameOfKey(keyOfNode(context)));
}

/** Lets the questions get their messages themselves again, unless there is another trigger that gets them. */
export async function endForwarding(context: IHookFunctions, url: string): Promise<void> {
	const name = nameOfKey(keyOfNode(context));
	const forwarded = findForwarded(name);
	setForwarder(name);
	const account = await openAccount(context).catch(() => forwarded);
	if (account === undefined || account.parked.size === 0) return;
	await arrangeQuestions(context, url).catch(({ message }: Error) => {
		context.logger.warn(
			`Messaging Gateway Trigger: the webhooks of open questions could not be changed, so the questions get their answers only after the next question or publication: ${message}`,
		);
	});
}
