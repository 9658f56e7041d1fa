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
 * decides about all of them. A test event has no `trigger`, and waits for no other.
 */
export async function start(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	arrival: Arrival,
	trigger?: string,
): Promise<IWebhookResponseData> {
	const { event, arrivedAt, decided, decide } = arrival;
	const { confirmWhen } = settings;
	const options = laneFor(event, settings);
	const isConversation = options !== undefined && options.lane !== WHOLE_TRIGGER;
	const lane = trigger === undefined ? undefined : options;

	const { sender, responded } = followResponse(responseOf(context), confirmWhen);
	if (trigger && lane && isConversation && !hasRoom(trigger, lane.lane)) {
		decide('deferred');
		sender.defer();
		return NO_RESPONSE;
	}

	if (confirmWhen === 'received') decide('accepted');
	const isDecidedInTime = lane === undefined && confirmWhen === 'started';
	if (isDecidedInTime) respondWhen(sender, decided);
	else respondInTime(sender, arrivedAt, decided);

	const alone = { entries: [arrival], release: () => {} };
	const batch = trigger && lane ? await gather(trigger, arrival, lane) : alone;
	if (batch === undefined) return NO_RESPONSE;

	void responded.then(batch.release);
	void decisionOf(responded, settings).then((decision) => {
		for (const each of batch.entries) each.decide(decision);
	});

	const items = itemsOf(batch.entries, settings);
	const output = isConversation ? [combineMessages(items, settings.isRaw)] : items;
	return { workflowData: [output.map((json) => ({ json }))] };
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
