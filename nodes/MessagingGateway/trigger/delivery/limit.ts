import { quote } from '../../gateway/failure';
import { chatKeyOf, conversationOf, type GatewayEvent } from '../../incoming/event';
import { evictOldest, sharedMap } from '../../n8n/processState';
import type { Alarm } from '../../n8n/startExecution';
import type { TriggerSettings } from '../settings/settings';
import { lanesOf } from './gather';

const DAY_MS = 24 * 60 * 60_000;
const MAX_CONVERSATIONS = 10_000;

/** Received messages bring an answer, and sent ones may be that answer: both make a loop. */
const COUNTED = ['MESSAGE.RECEIVED', 'MESSAGE.SENT'];

interface Starts {
	/** The events that have started something, from the oldest to the newest. */
	events: Array<{ id: string; at: number }>;
	alarmedAt: number;
}

/**
 * The event may start something, or it is one too many. Then the first one in a day raises an alarm in
 * its place.
 */
type Counted = { kind: 'counted' } | { kind: 'beyond' } | { kind: 'alarm'; alarm: Alarm };

/**
 * Counts a start of a chat, received and sent messages together. For example, with *Max Starts* 4 a
 * workflow that answers *Message Sent* in the same chat sends four messages.
 *
 * A message that joins an open batch is no start of its own.
 */
export function countStart(
	trigger: string,
	event: GatewayEvent,
	{ startLimit: limit }: TriggerSettings,
): Counted {
	const chat = COUNTED.includes(event.type) ? chatKeyOf(event) : undefined;
	if (limit === undefined || chat === undefined) return { kind: 'counted' };
	if (joinsBatch(trigger, event)) return { kind: 'counted' };

	const now = Date.now();
	const starts = startsOf(trigger, chat);
	// A repeat of an event that n8n has refused is the same start.
	starts.events = starts.events.filter(
		({ id, at }) => id !== event.id && now - at < limit.withinMs,
	);
	if (starts.events.length < limit.maxStarts) {
		starts.events.push({ id: event.id, at: now });
		return { kind: 'counted' };
	}

	if (now - starts.alarmedAt < DAY_MS) return { kind: 'beyond' };
	starts.alarmedAt = now;
	return { kind: 'alarm', alarm: explainLimit(event) };
}

function joinsBatch(trigger: string, event: GatewayEvent): boolean {
	const conversation = conversationOf(event);
	return conversation !== undefined && lanesOf(trigger).get(conversation)?.open !== undefined;
}

function startsOf(trigger: string, chat: string): Starts {
	const chats = sharedMap<Starts>(`starts 2 ${trigger}`);
	const starts = chats.get(chat) ?? { events: [], alarmedAt: -Infinity };

	// The chat that has started last is evicted last.
	chats.delete(chat);
	chats.set(chat, starts);
	evictOldest(chats, MAX_CONVERSATIONS);
	return starts;
}

function explainLimit({ chat }: GatewayEvent): Alarm {
	const name = quote(chat?.phone ?? chat?.id);
	return {
		message: `The chat ${name} has reached 'Max Starts per Conversation'`,
		advice:
			"Its further messages start nothing for now. If two automatic replies answer each other, stop one of them: the network may ban the number. If a workflow answers what n8n has sent, add 'Ignore Messages From n8n'. If a person writes so much, raise the limit.",
	};
}
