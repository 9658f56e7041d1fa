import type { IWebhookFunctions } from 'n8n-workflow';
import type { Account } from '../../question/account';
import { findForwarded, openAccount, setForwarder } from '../../question/accounts';
import { forwardMessage } from '../../question/relay';
import { learnQuestions } from '../../question/sweep';
import { deliversAll } from '../../webhooks/compare';
import type { GatewayEvent } from '../../webhooks/event';
import { nameOf } from '../memory/identity';
import { findKnown, findWanted } from '../memory/registrations';
import { isUnconfirmed } from '../memory/unconfirmed';
import { isTest, readWebhookSetup } from '../settings';

/**
 * Whether a trigger may forward an event to the questions of its account. Whoever sets a webhook up by hand types its
 * secret, and could sign anybody's answer with it: so only a webhook that this trigger has made, and that the gateway has
 * confirmed, counts, for the events that it was made for.
 *
 * @returns `unconfirmed` where the gateway has not said yet
 */
export function mayForward(
	context: IWebhookFunctions,
	{ type }: GatewayEvent,
): 'yes' | 'no' | 'unconfirmed' {
	if (isTest(context) || readWebhookSetup(context) === 'manual') return 'no';
	if (!deliversAll(findWanted(context)?.events ?? [], [type])) return 'no';
	const known = findKnown(context);
	// After a start, a delivery may come before n8n has let the trigger check its webhook.
	if (isUnconfirmed(context) || known === undefined) return 'unconfirmed';
	return known.record === undefined ? 'no' : 'yes';
}

/**
 * Forwards a message to the questions that it may answer.
 *
 * @returns whether each of them has it; otherwise the gateway has to repeat it, as while nobody knows which questions there are
 */
export async function forwardToQuestions(
	context: IWebhookFunctions,
	event: GatewayEvent,
): Promise<boolean> {
	const may = event.type === 'MESSAGE.RECEIVED' ? mayForward(context, event) : 'no';
	const account = may === 'no' ? undefined : await findAccount(context);
	if (account === undefined) return true;
	if (account.isUnknown()) {
		learnQuestions(context, account, findWanted(context)?.url ?? '');
		return false;
	}
	if (may === 'unconfirmed') return account.findParked(event).length === 0;
	return await forwardMessage(context, account, event);
}

/** Whether a message is the answer to an open question of the trigger's account; see `Account.isAnswer`. */
export async function isAnswerHere(
	context: IWebhookFunctions,
	event: GatewayEvent,
	deadline: number,
): Promise<boolean> {
	return (await (await findAccount(context))?.isAnswer(event, deadline)) ?? false;
}

/** The trigger's account. Which it is was noted at its publication: to read the credential costs as much as to verify. */
async function findAccount(context: IWebhookFunctions): Promise<Account | undefined> {
	const name = nameOf(context);
	const noted = isTest(context) ? undefined : findForwarded(name);
	if (noted !== undefined) return noted;
	const account = await openAccount(context).catch(() => undefined);
	const may = mayForward(context, { id: '', type: 'MESSAGE.RECEIVED' });
	if (account !== undefined && may === 'yes') setForwarder(name, account);
	return account;
}
