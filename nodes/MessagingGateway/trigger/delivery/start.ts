import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { conversationOf, type GatewayEvent } from '../../incoming/event';
import {
	detachResponse,
	followResponse,
	respondLater,
	responseOf,
	type Settlement,
} from '../../incoming/respond';
import { evictOldest, sharedMap } from '../../processState';
import { waitUntil } from '../../waits';
import type { TriggerSettings } from '../settings/settings';
import { registrationOf } from '../webhook/registration';
import { gather, type BatchOptions, type Lane } from './gather';
import { combineMessages, present } from './present';

export type Arrival = ReturnType<typeof makeArrival>;

/** If n8n has not refused a start within this time, the execution has started. */
const START_WITHIN_MS = 1_000;
/** A lane waits no longer than this for a start. */
const MAX_START_MS = 9_000;
const MAX_MESSAGES = 100;
const WHOLE_TRIGGER = '';
const AT_ONCE = { quietMs: 0, maxWaitMs: 0 };
const DAY_MS = 24 * 60 * 60_000;
const MAX_CONVERSATIONS = 10_000;

const lanesOf = (trigger: string): Map<string, Lane<Arrival>> =>
	sharedMap<Lane<Arrival>>(`lanes 2 ${trigger}`);

/** An event that is to start an execution. `arrivedAt` is in milliseconds; `onSettled` is called once. */
export function makeArrival(
	event: GatewayEvent,
	arrivedAt: number,
	onSettled: (settlement: Settlement) => void = () => {},
) {
	const { promise: settled, resolve: settle } = Promise.withResolvers<Settlement>();
	void settled.then(onSettled);
	return { event, arrivedAt, settled, settle };
}

/**
 * Starts an execution with an event, at once or together with others of its lane; n8n's response settles all of them. With
 * *One Turn at a Time* it comes after minutes: then the trigger responds to the sender. A test event has no `trigger`.
 */
export async function start(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	arrival: Arrival,
	trigger?: string,
): Promise<IWebhookResponseData> {
	const { confirmWhen, maxTurnMs } = settings;
	const response = responseOf(context);
	const isDetached = maxTurnMs !== undefined || confirmWhen === 'received';
	const detached = isDetached ? detachResponse(response, confirmWhen) : undefined;
	if (confirmWhen === 'received') arrival.settle('accepted');
	const respondToSender = (): IWebhookResponseData =>
		respondLater(detached?.sender ?? response, arrival.arrivedAt, arrival.settled);
	const responding = detached && respondToSender();

	const options = batchOptionsFor(arrival.event, settings);
	const isGathered = options !== undefined && trigger !== undefined;
	const batch = isGathered
		? await gather(lanesOf(trigger), arrival, options)
		: { entries: [arrival], release: () => {} };
	if (batch === undefined) return responding ?? respondToSender();

	const { responded } = detached ?? followResponse(response, confirmWhen);
	const outcome =
		detached && confirmWhen === 'started'
			? waitUntil(Date.now() + START_WITHIN_MS, responded)
			: responded;
	void responded.then(batch.release);
	void outcome.then((settlement = 'accepted') => {
		for (const { settle } of batch.entries) settle(settlement);
	});
	const items = itemsOf(batch.entries, settings);
	const isConversation = options !== undefined && options.lane !== WHOLE_TRIGGER;
	const output = isConversation ? [combineMessages(items, settings.isRaw)] : items;
	return { workflowData: [output.map((json) => ({ json }))] };
}

/** The events that have started executions of a conversation, and its last alarm; times as of `Date.now`. */
interface Starts {
	events: Array<{ id: string; at: number }>;
	alarmedAt: number;
}

/** Whether an event would start one execution too many of its conversation. One alarm a day says so. */
export function exceedsLimit(
	context: IWebhookFunctions,
	{ startLimit: limit }: TriggerSettings,
	event: GatewayEvent,
	trigger: string,
): boolean {
	const conversation = conversationOf(event);
	if (limit === undefined || conversation === undefined) return false;
	const isJoining = lanesOf(trigger).get(conversation)?.open !== undefined;
	if (isJoining) return false;
	const conversations = sharedMap<Starts>(`starts 2 ${trigger}`);
	const starts = conversations.get(conversation) ?? { events: [], alarmedAt: -Infinity };
	const now = Date.now();
	// A repeat of an event that n8n has refused is the same start.
	starts.events = starts.events.filter(
		({ id, at }) => id !== event.id && now - at < limit.withinMs,
	);
	const isBeyond = starts.events.length >= limit.maxStarts;
	if (!isBeyond) starts.events.push({ id: event.id, at: now });
	else if (now - starts.alarmedAt > DAY_MS) {
		starts.alarmedAt = now;
		const message = `The chat ${event.chat?.phone ?? event.chat?.id} has reached 'Max Starts per Conversation'`;
		const advice =
			'Its further messages start nothing for now. If two automatic replies answer each other, stop one of them: the network may ban the number. If a person writes so much, raise the limit.';
		const { raiseAlarm } = registrationOf(context);
		if (raiseAlarm) raiseAlarm({ message, advice });
		else context.logger.error(`Messaging Gateway Trigger: ${message}. ${advice}`);
	}
	conversations.set(conversation, starts);
	evictOldest(conversations, MAX_CONVERSATIONS);
	return isBeyond;
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
