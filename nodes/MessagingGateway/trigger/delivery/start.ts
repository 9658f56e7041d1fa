import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { conversationOf, type GatewayEvent } from '../../incoming/event';
import {
	defer,
	detachResponse,
	followResponse,
	NO_RESPONSE,
	respondLater,
	responseOf,
	type Decision,
} from '../../n8n/respond';
import { waitUntil } from '../../n8n/waits';
import type { TriggerSettings } from '../settings/settings';
import { gather, hasRoom, type BatchOptions } from './gather';
import { combineMessages, present } from './present';

export type Arrival = ReturnType<typeof makeArrival>;

/** Until then n8n has refused a start, or saved it: its response waits for capacity or the end. */
const START_MS = 5_000;
const START_OF_TURN_MS = 1_000;
/** A lane waits no longer than this for a start. */
const MAX_START_MS = 9_000;
const MAX_MESSAGES = 100;
const WHOLE_TRIGGER = '';
const AT_ONCE = { quietMs: 0, maxWaitMs: 0 };

/** An event that is to start an execution. */
export function makeArrival(context: IWebhookFunctions, event: GatewayEvent, arrivedAt: number) {
	const { promise: decided, resolve: decide } = Promise.withResolvers<Decision>();
	const { rawBody } = context.getRequestObject();
	return { event, arrivedAt, bytes: rawBody.length, decided, decide };
}

/**
 * Starts an execution with an event, at once or together with others of its lane; n8n's response
 * decides about all of them. A test event has no `trigger`.
 */
export async function start(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	arrival: Arrival,
	trigger?: string,
): Promise<IWebhookResponseData> {
	const { confirmWhen, maxTurnMs } = settings;
	const { event, arrivedAt, bytes, decided, decide } = arrival;
	const isDetached = confirmWhen !== 'succeeded' || maxTurnMs !== undefined;
	const take = isDetached ? detachResponse : followResponse;
	const { sender, responded } = take(responseOf(context), confirmWhen);
	const options = batchOptionsFor(event, settings);
	const isConversation = options !== undefined && options.lane !== WHOLE_TRIGGER;
	if (trigger && isConversation && !hasRoom(trigger, options.lane, bytes)) {
		decide('deferred');
		return defer(sender);
	}
	if (confirmWhen === 'received') decide('accepted');
	if (isDetached) respondLater(sender, arrivedAt, decided);

	const alone = { entries: [arrival], release: () => {} };
	const batch = trigger && options ? await gather(trigger, arrival, options) : alone;
	if (!batch) return isDetached ? NO_RESPONSE : respondLater(sender, arrivedAt, decided);
	void responded.then(batch.release);
	const startMs = maxTurnMs === undefined ? START_MS : START_OF_TURN_MS;
	const isStarted = confirmWhen === 'started';
	const decision = isStarted ? waitUntil(Date.now() + startMs, responded) : responded;
	void decision.then((value = 'accepted') => {
		for (const each of batch.entries) each.decide(value);
	});
	const items = itemsOf(batch.entries, settings);
	const output = isConversation ? [combineMessages(items, settings.isRaw)] : items;
	return { workflowData: [output.map((json) => ({ json }))] };
}

function batchOptionsFor(event: GatewayEvent, settings: TriggerSettings): BatchOptions | undefined {
	const { debounce, maxTurnMs, maxPerExecution, confirmWhen } = settings;
	const conversation = debounce || maxTurnMs ? conversationOf(event) : undefined;
	if (conversation !== undefined) {
		const waiting = debounce ?? AT_ONCE;
		return { lane: conversation, ...waiting, maxHoldMs: maxTurnMs ?? 0, size: MAX_MESSAGES };
	}
	// An execution whose response comes at its end would hold up the whole trigger.
	if (maxPerExecution === 1 || confirmWhen === 'succeeded' || maxTurnMs) return undefined;
	return { lane: WHOLE_TRIGGER, ...AT_ONCE, maxHoldMs: MAX_START_MS, size: maxPerExecution };
}

/** The items of the events in the order of their timestamps (API document, "Delivery", rule 4). */
function itemsOf(arrivals: Arrival[], { isRaw }: TriggerSettings): IDataObject[] {
	const timeOfArrival = ({ event, arrivedAt }: Arrival): number => event.at ?? arrivedAt;
	const sorted = [...arrivals].sort((one, other) => timeOfArrival(one) - timeOfArrival(other));
	return sorted.flatMap(({ event }) => present(event, isRaw));
}
