import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import {
	accept,
	defer,
	followResponse,
	refuse,
	respondInTime,
	responseOf,
	type WebhookResponse,
} from '../../n8n/respond';
import { startAlarmByDelivery } from '../../n8n/startExecution';
import { takeAnswer } from '../../question/takeAnswer';
import { isTest, readSettings, type TriggerSettings } from '../settings/settings';
import { isAlarmDue } from '../webhook/alarms';
import { NOT_WANTED } from '../webhook/deliverToSelf';
import { triggerKeyOf } from '../webhook/state';
import { admit } from './admit';
import { isFromN8n, passesFilters } from './filter';
import { countStart } from './limit';
import { remember } from './seen';
import { makeArrival, start, startTest, type Arrival } from './start';
import { advance } from './statusOrder';

/** Receives a delivery (API 7). Never throws: that would fail an execution. */
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

	// Read once, since n8n copies the whole node for it.
	const trigger = triggerKeyOf(context);

	const admitted = await admit(context, trigger);
	if (admitted === 'refused') return refuse(response);
	if (admitted === 'deferred') return defer(response);

	const settings = readSettingsOf(context);
	if (settings instanceof Error) return deferWithAlarm(context, trigger, settings);

	if (!passesFilters(admitted, settings)) return accept(response, NOT_WANTED);

	const isOwn = await isFromN8n(admitted, settings, arrivedAt);
	if (isOwn === undefined) return defer(response);
	if (isOwn) return accept(response, NOT_WANTED);

	const isAnswer = settings.ignoreAnswers && (await takeAnswer(context, admitted));
	if (isAnswer) return accept(response, NOT_WANTED);

	const arrival = makeArrival(admitted, arrivedAt);
	if (isTest(context)) return startTest(context, settings, arrival);

	const seen = remember(trigger, admitted.id, arrival.decided);
	if (seen === 'done') return accept(response, 'Already received');
	// A gateway may disable a webhook that defers too often: so a repeat waits like the first.
	if (seen !== 'new') return respondInTime(response, arrivedAt, seen);

	const { ignoreOutdatedStatuses } = settings;
	const event = ignoreOutdatedStatuses ? advance(trigger, admitted, arrival.decided) : admitted;
	if (event === undefined) return drop(response, arrival);

	const counted = countStart(trigger, event, settings);
	if (counted.kind === 'beyond') return drop(response, arrival);
	if (counted.kind === 'alarm') {
		arrival.decide('accepted');
		followResponse(response, 'received').sender.accept();
		return startAlarmByDelivery(counted.alarm);
	}

	const started = start(context, trigger, settings, { ...arrival, event });
	// If anything fails, the event must not stay pending.
	started.catch(() => arrival.decide('deferred'));
	return await started;
}

/** Responds 200 to an event that starts nothing, and to its repeats. */
function drop(response: WebhookResponse, { decide }: Arrival): IWebhookResponseData {
	decide('accepted');
	return accept(response, NOT_WANTED);
}

/** The settings, or why an expression in them gives nothing that can be used. */
function readSettingsOf(context: IWebhookFunctions): TriggerSettings | Error {
	try {
		return readSettings(context);
	} catch (error) {
		return error as Error;
	}
}

/** Lets the gateway send the event again. The first such delivery in an hour raises the alarm. */
function deferWithAlarm(
	context: IWebhookFunctions,
	trigger: string,
	{ message }: Error,
): IWebhookResponseData {
	context.logger.error(`Messaging Gateway Trigger: a delivery could not be processed: ${message}`);
	const response = responseOf(context);
	if (isTest(context) || !isAlarmDue(trigger, 'setting')) return defer(response);

	followResponse(response, 'received').sender.defer();
	return startAlarmByDelivery({
		message: `A setting of the trigger cannot be used any more: ${message}`,
		advice:
			'Its expression gives another value than at the publication. Until this is fixed, no event starts the workflow. The gateway sends each event again, until it gives up. Correct the field in the trigger and publish, or correct what its expression reads.',
	});
}
