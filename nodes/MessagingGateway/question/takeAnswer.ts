import type { IWebhookFunctions } from 'n8n-workflow';
import { openGateway } from '../gateway/call';
import type { GatewayEvent } from '../incoming/event';
import { isWaiting } from '../n8n/waitingExecution';
import { findMeant, isListable, readMeant } from './isMeant';
import {
	findHolder,
	forget,
	isAnyKnown,
	isBusy,
	isListedForAny,
	noteList,
	take,
	unsettled,
} from './known';
import { accountOf } from './question';

/**
 * Whether a trigger keeps a message from its workflow: it is the answer to an open question of its account,
 * or its lines are listed again for it. The trigger knows the questions of its process alone.
 */
export async function takeAnswer(
	context: IWebhookFunctions,
	event: GatewayEvent,
): Promise<boolean> {
	// Opening the account costs n8n a query for each message.
	if (event.type !== 'MESSAGE.RECEIVED' || !isAnyKnown()) return false;
	const gateway = await openGateway(context, 'account').catch(() => undefined);
	if (gateway === undefined) return false;

	const account = accountOf(gateway);
	if (findHolder(account, event) !== undefined || isListedForAny(account, event)) return true;

	const meant = findMeant(event, unsettled(account));
	if (meant === undefined || isBusy(meant, event)) return false;
	const reading = readMeant(meant, event);
	if (reading === undefined) return false;
	if (reading === 'unclear' && !isListable(meant, event)) return false;

	// A person may have stopped the execution, or deleted it. The question's own webhook may have taken the
	// message meanwhile: then n8n says the same.
	const waits = await isWaiting(context, meant.url);
	if (findHolder(account, event) !== undefined) return true;
	if (!waits) {
		forget(meant);
		return false;
	}
	return reading === 'unclear' ? noteList(meant, event) : take(meant, event);
}
