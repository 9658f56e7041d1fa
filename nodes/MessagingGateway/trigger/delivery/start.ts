import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { conversationOf, type GatewayEvent } from '../../incoming/event';
import {
	followResponse,
	NO_RESPONSE,
	respondInTime,
	respondWhen,
	responseOf,
	type Decision,
} from '../../n8n/respond';
import { waitUntil } from '../../n8n/waits';
import type { TriggerSettings } from '../settings/settings';
import { gather, hasRoom, type BatchOptions } from './gather';
import { combineMessages, present } from './present';

/** An event that is to start an execution, and the decision about it. The first decision counts. */
export interface Arrival {
	event: GatewayEvent;
	arrivedAt: number;
	decided: Promise<Decision>;
	decide(decision: Decision): void;
}

/**
 * n8n saves an execution, or refuses it, within this time after it was handed over. Its response
 * may come later, because it waits for capacity.
 */
const START_MS = 5_000;
/** With *One Turn at a Time*, n8n responds at the end of the execution, which may be long. */
const START_OF_TURN_MS = 1_000;
/** The lane of the whole trigger waits no longer than this for n8n's response. */
const MAX_START_MS = 9_000;

const MAX_MESSAGES = 100;
const WHOLE_TRIGGER = '';
const AT_ONCE = { quietMs: 0, maxWaitMs: 0 };

export function makeArrival(event: GatewayEvent, arrivedAt: number): Arrival {
	const { promise: decided, resolve: decide } = Promise.withResolvers<Decision>();
	return { event, arrivedAt, decided, decide };
}

/**
 * Starts an execution with an event, at once or together with others of its lane. n8n's response
 * decides about all of them.
 */
export async function start(
	context: IWebhookFunctions,
	trigger: string,
	settings: TriggerSettings,
	arrival: Arrival,
): Promise<IWebhookResponseData> {
	const { event, arrivedAt, decided, decide } = arrival;
	const lane = laneFor(event, settings);
	if (lane === undefined) return startAlone(context, settings, arrival);

	const { sender, responded } = followResponse(responseOf(context), settings.confirmWhen);
	if (isConversation(lane) && !hasRoom(trigger, lane.lane)) {
		decide('deferred');
		sender.defer();
		return NO_RESPONSE;
	}

	if (settings.confirmWhen === 'received') decide('accepted');
	respondInTime(sender, arrivedAt, decided);

	const batch = await gather(trigger, arrival, lane);
	// A newer event of the batch starts it.
	if (batch === undefined) return NO_RESPONSE;

	void responded.then(batch.release);
	void decisionOf(responded, settings).then((decision) => {
		for (const each of batch.entries) each.decide(decision);
	});
	return outputOf(batch.entries, settings, lane);
}

/** Starts an execution with an event that shares it with no other. */
function startAlone(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	arrival: Arrival,
): IWebhookResponseData {
	const { confirmWhen } = settings;
	const { arrivedAt, decided, decide } = arrival;
	const { sender, responded } = followResponse(responseOf(context), confirmWhen);

	if (confirmWhen === 'received') decide('accepted');
	void decisionOf(responded, settings).then(decide);

	// With When Execution Starts, `decisionOf` comes in time for the gateway.
	if (confirmWhen === 'started') respondWhen(sender, decided);
	else respondInTime(sender, arrivedAt, decided);
	return outputOf([arrival], settings);
}

/**
 * Starts an execution with a test event: it waits for no other, and leaves nothing in memory. Its item
 * has the form of production.
 */
export function startTest(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	arrival: Arrival,
): IWebhookResponseData {
	startAlone(context, settings, arrival);
	return outputOf([arrival], settings, laneFor(arrival.event, settings));
}

/** One item of a conversation, or the items of all events. */
function outputOf(
	arrivals: Arrival[],
	settings: TriggerSettings,
	lane?: BatchOptions,
): IWebhookResponseData {
	const items = itemsOf(arrivals, settings);
	const output = isConversation(lane) ? [combineMessages(items, settings.isRaw)] : items;
	return { workflowData: [output.map((json) => ({ json }))] };
}

function isConversation(lane: BatchOptions | undefined): lane is BatchOptions {
	return lane !== undefined && lane.lane !== WHOLE_TRIGGER;
}

/** n8n's decision about a start. If it does not come in time, n8n has saved the execution. */
async function decisionOf(
	responded: Promise<Decision>,
	{ confirmWhen, maxTurnMs }: TriggerSettings,
): Promise<Decision> {
	if (confirmWhen !== 'started') return await responded;

	const startMs = maxTurnMs === undefined ? START_MS : START_OF_TURN_MS;
	return (await waitUntil(Date.now() + startMs, responded)) ?? 'accepted';
}

/** The lane of an event; undefined if it starts an execution of its own. */
function laneFor(event: GatewayEvent, settings: TriggerSettings): BatchOptions | undefined {
	const { debounce, maxTurnMs, maxPerExecution, confirmWhen } = settings;
	const isByConversation = debounce !== undefined || maxTurnMs !== undefined;
	const conversation = isByConversation ? conversationOf(event) : undefined;
	if (conversation !== undefined) {
		return {
			lane: conversation,
			...(debounce ?? AT_ONCE),
			maxHoldMs: maxTurnMs ?? 0,
			size: MAX_MESSAGES,
		};
	}

	// n8n responds at the end of such an execution, which would hold up the whole trigger.
	const isHeldForLong = confirmWhen === 'succeeded' || maxTurnMs !== undefined;
	if (maxPerExecution === 1 || isHeldForLong) return undefined;
	return { lane: WHOLE_TRIGGER, ...AT_ONCE, maxHoldMs: MAX_START_MS, size: maxPerExecution };
}

/** The items of the events in the order of their timestamps (API 7.4). */
function itemsOf(arrivals: Arrival[], { isRaw }: TriggerSettings): IDataObject[] {
	const timeOf = ({ event, arrivedAt }: Arrival): number => event.at ?? arrivedAt;
	const inOrder = [...arrivals].sort((one, other) => timeOf(one) - timeOf(other));
	return inOrder.flatMap(({ event }) => present(event, isRaw));
}
