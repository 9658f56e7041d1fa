import type { IWebhookFunctions } from 'n8n-workflow';
import { startedAt } from '../../processState';
import { AWAITED_FOR_MS, type Account } from '../../question/account';
import { accountOf, findForwarded, openAccount, setForwarder } from '../../question/accounts';
import { forwardMessage } from '../../question/parking';
import { deliversAll } from '../../webhooks/compare';
import type { GatewayEvent } from '../../webhooks/event';
import { readStaticRecord } from '../record';
import { readWebhookSetup } from '../settings';
import type { Subscription } from '../subscription/subscription';
import { nameOfKey } from '../subscription/subscriptions';

const MESSAGE = 'MESSAGE.RECEIVED';

const NOT_LISTED =
	'The gateway has not listed its webhooks since n8n started, so the trigger does not know the questions.';
const NOT_CONFIRMED =
	'The gateway has not confirmed the webhook of the trigger since n8n started, so the trigger does not forward the message.';
const UNREADABLE =
	'n8n has not been able to read the credential since it started, so the trigger does not know the questions.';

/**
 * Whether a trigger may forward messages to the questions of its account. Whoever sets a webhook up by hand types its secret,
 * and could sign anybody's answer with it: so only a webhook that this trigger has made, and that the gateway has confirmed,
 * counts, for the events that it was made for.
 */
function mayForward(context: IWebhookFunctions, subscription: Subscription): boolean {
	const { desired, ownRecord } = subscription;
	if (!ownsWebhook(context, subscription) || ownRecord === undefined) return false;
	return deliversAll(desired?.events ?? [], [MESSAGE]);
}

function ownsWebhook(context: IWebhookFunctions, { key }: Subscription): boolean {
	return !key.test && readWebhookSetup(context) === 'automatic';
}

/** What a trigger knows at this moment of its part in forwarding. */
function readDuty(context: IWebhookFunctions, subscription: Subscription) {
	return {
		/** Whether questions may be parked, whose messages it has to forward. */
		parked: subscription.recordAmong(readStaticRecord(context)).parked === true,
		may: mayForward(context, subscription),
		awaitsGateway: subscription.awaitsGateway,
	};
}

/**
 * Forwards a message to the questions that it may answer.
 *
 * @param toAll whether also questions get it that the gateway delivers to; see `isAnswerHere`
 * @returns whether the message may go on: each of them has it, or nobody waits for that any longer. Otherwise the gateway has
 * to repeat it, as while nobody knows which questions are parked, though the record says that some may be
 */
export async function forwardToQuestions(
	context: IWebhookFunctions,
	subscription: Subscription,
	event: GatewayEvent,
	toAll: boolean,
): Promise<boolean> {
	if (event.type !== MESSAGE || !ownsWebhook(context, subscription)) return true;
	const before = readDuty(context, subscription);
	if (!before.parked && !before.may && !before.awaitsGateway) return true;
	const account = await findAccount(context, subscription);
	// The gateway may have confirmed the webhook meanwhile: from here on, everything is judged by one moment.
	const { parked, may, awaitsGateway } = readDuty(context, subscription);
	if (account === undefined) {
		if (!parked) return true;
		if ((!may && !awaitsGateway) || Date.now() >= startedAt + AWAITED_FOR_MS) {
			return accept(subscription, UNREADABLE);
		}
		subscription.warn(
			'deferred a message that may be the answer to an open question, because n8n cannot read the credential now.',
		);
		return false;
	}
	if (parked && account.parkedAre === 'awaited') {
		subscription.askForCheck();
		return false;
	}
	const isTaken = may
		? await forwardMessage(context, account, event, toAll)
		: !account.findAnswered(event).some(({ isParked }) => isParked);
	if (!isTaken && (may || awaitsGateway)) return false;
	if (!isTaken) return accept(subscription, NOT_CONFIRMED);
	return !parked || account.parkedAre !== 'overdue' || accept(subscription, NOT_LISTED);
}

/** Says that a message is taken for good, though a question may have waited for it. */
function accept(subscription: Subscription, reason: string): true {
	subscription.warn(
		`the trigger accepted a message that may be the answer to an open question. ${reason} If it was the answer, the person has to write it again.`,
	);
	return true;
}

/** Whether an open question of the trigger's account has taken a message for its answer, after it was forwarded to all of them. */
export async function isAnswerHere(
	context: IWebhookFunctions,
	subscription: Subscription,
	event: GatewayEvent,
): Promise<boolean> {
	const account = await findAccount(context, subscription);
	return account?.looks.at(event).isTaken === true;
}

/**
 * The trigger's account. To read the credential costs as much as to verify, so which it is stays noted while the trigger
 * forwards. Until the gateway confirms the webhook, the credential is read for each message. While it cannot be read, the
 * account is the one that it named before.
 */
async function findAccount(
	context: IWebhookFunctions,
	subscription: Subscription,
): Promise<Account | undefined> {
	const name = nameOfKey(subscription.key);
	const noted = findForwarded(name);
	if (noted !== undefined) return noted;
	const { account: before } = subscription;
	const account = await openAccount(context).catch(() =>
		before === undefined ? undefined : accountOf(before),
	);
	subscription.account = account?.fingerprint;
	// A check may have noted it meanwhile, and that it is proven.
	if (account !== undefined && mayForward(context, subscription) && !findForwarded(name))
		setForwarder(name, account);
	return account;
}
