import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import {
	accept,
	acknowledge,
	defer,
	detachResponse,
	refuse,
	respondLater,
	responseOf,
} from '../../n8n/respond';
import { takeAnswer } from '../../question/knownQuestions';
import { isTest, readSettings } from '../settings/settings';
import { NOT_WANTED } from '../webhook/deliverToSelf';
import { triggerKeyOf } from '../webhook/state';
import { alarmItem } from '../webhook/watch';
import { admit } from './admit';
import { passesFilters } from './filter';
import { countStart } from './limit';
import { remember } from './seen';
import { makeArrival, start } from './start';
import { advance } from './statusOrder';

/** Receives a delivery (API document, "Delivery"). Never throws: that would fail an execution. */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handle(this);
	} catch (error) {
		this.logger.error('Messaging Gateway Trigger: a delivery could not be processed', { error });
		return defer(responseOf(this));
	}
}

// The signature comes first: a stranger's request leaves nothing in memory. Filters come before
// repeats, which then remember fewer events. Statuses count only if their event is new.
async function handle(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const arrivedAt = Date.now();
	const response = responseOf(context);
	const admitted = await admit(context);
	if (admitted === 'refused') return refuse(response);
	if (admitted === 'deferred') return defer(response);

	const settings = readSettings(context);
	if (!passesFilters(admitted, settings)) return acknowledge(NOT_WANTED);
	if (settings.ignoreAnswers && (await takeAnswer(context, admitted)))
		return acknowledge(NOT_WANTED);

	const arrival = makeArrival(context, admitted, arrivedAt);
	const { decided, decide } = arrival;
	// A test event leaves nothing in memory, and waits for no other.
	if (isTest(context)) return await start(context, settings, arrival);
	const trigger = triggerKeyOf(context);
	const seen = remember(trigger, admitted.id, decided);
	if (seen === 'done') return acknowledge('Already received');
	// A gateway may disable a webhook that defers too often: so a repeat waits like the first.
	if (seen !== 'new') return respondLater(response, arrivedAt, seen);

	const { ignoreOutdatedStatuses } = settings;
	const event = ignoreOutdatedStatuses ? advance(trigger, admitted, decided) : admitted;
	const counted = event ? countStart(settings, event, trigger) : 'beyond';
	if (event && counted === 'counted') {
		const started = start(context, settings, { ...arrival, event }, trigger);
		// If anything fails, the event must not stay pending.
		started.catch(() => decide('deferred'));
		return await started;
	}
	decide('accepted');
	if (typeof counted === 'string') return acknowledge(NOT_WANTED);
	accept(detachResponse(response, 'received').sender);
	return { workflowData: [[alarmItem(counted)]] };
}
