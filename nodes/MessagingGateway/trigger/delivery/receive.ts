import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { acknowledge, defer, refuse, respondLater, responseOf } from '../../incoming/respond';
import { takeAnswer } from '../../question/knownQuestions';
import { isTest, readSettings } from '../settings/settings';
import { triggerKeyOf } from '../webhook/registration';
import { admit } from './admit';
import { passesFilters } from './filter';
import { claim, settle } from './seen';
import { exceedsLimit, makeArrival, start } from './start';
import { advance } from './statusOrder';

const NOT_WANTED = 'Not subscribed to';

/** Receives one delivery (API document, "Delivery"). Never throws: a stranger must not cause a failed execution. */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handle(this);
	} catch (error) {
		this.logger.error('Messaging Gateway Trigger: a delivery could not be processed', { error });
		return defer(responseOf(this));
	}
}

// The signature comes first: nothing of a stranger's request may be remembered. Filters come before repeats: only events that
// start an execution fill the memory. Repeats come before statuses: a status counts only if its event is new.
async function handle(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const arrivedAt = Date.now();
	const admitted = await admit(context);
	if (admitted === 'refused') return refuse(responseOf(context));
	if (admitted === 'deferred') return defer(responseOf(context));

	const settings = readSettings(context);
	if (!passesFilters(admitted, settings)) return acknowledge(NOT_WANTED);
	if (settings.ignoreAnswers && takeAnswer(admitted)) return acknowledge(NOT_WANTED);

	// A test event leaves nothing in memory, and waits for no other.
	if (isTest(context)) return await start(context, settings, makeArrival(admitted, arrivedAt));
	const trigger = triggerKeyOf(context);
	const claimed = claim(trigger, admitted.id);
	if (claimed === 'done') return acknowledge('Already received');
	// A gateway may disable a webhook that defers too often: so a repeat waits like the first delivery.
	if (claimed !== 'new') return respondLater(responseOf(context), arrivedAt, claimed);

	const advanced = settings.ignoreOutdatedStatuses
		? advance(trigger, admitted)
		: { event: admitted, takeBack: undefined };
	if (advanced === undefined || exceedsLimit(context, settings, admitted, trigger)) {
		settle(trigger, admitted.id, 'accepted');
		return acknowledge(NOT_WANTED);
	}
	const arrival = makeArrival(advanced.event, arrivedAt, (settlement) => {
		settle(trigger, admitted.id, settlement);
		if (settlement === 'deferred') advanced.takeBack?.();
	});
	const started = start(context, settings, arrival, trigger);
	// If anything fails, the event must not stay pending.
	started.catch(() => arrival.settle('deferred'));
	return await started;
}
