import { quote } from '../../gateway/failure';
import { conversationOf, type GatewayEvent } from '../../incoming/event';
import { evictOldest, sharedMap } from '../../n8n/processState';
import type { TriggerSettings } from '../settings/settings';
import type { Alarm } from '../webhook/watch';
import { lanesOf } from './gather';

const DAY_MS = 24 * 60 * 60_000;
const MAX_CONVERSATIONS = 10_000;

interface Starts {
	events: Array<{ id: string; at: number }>;
	alarmedAt: number;
}

/** Counts a start that joins no batch. One too many is `beyond`; once a day an alarm. */
export function countStart(
	{ startLimit: limit }: TriggerSettings,
	event: GatewayEvent,
	trigger: string,
): 'counted' | 'beyond' | Alarm {
	const conversation = conversationOf(event);
	if (limit === undefined || conversation === undefined) return 'counted';
	if (lanesOf(trigger).get(conversation)?.open !== undefined) return 'counted';
	const conversations = sharedMap<Starts>(`starts 2 ${trigger}`);
	const starts = conversations.get(conversation) ?? { events: [], alarmedAt: -Infinity };
	// The conversation that has written last is evicted last.
	conversations.delete(conversation);
	conversations.set(conversation, starts);
	evictOldest(conversations, MAX_CONVERSATIONS);

	const now = Date.now();
	// A repeat of an event that n8n has refused is the same start.
	const isOther = ({ id, at }: Starts['events'][0]) => id !== event.id && now - at < limit.withinMs;
	starts.events = starts.events.filter(isOther);
	if (starts.events.length < limit.maxStarts) {
		starts.events.push({ id: event.id, at: now });
		return 'counted';
	}
	if (now - starts.alarmedAt < DAY_MS) return 'beyond';
	starts.alarmedAt = now;
	const chat = quote(event.chat?.phone ?? event.chat?.id);
	return {
		message: `The chat ${chat} has reached 'Max Starts per Conversation'`,
		advice:
			'Its further messages start nothing for now. If two automatic replies answer each other, stop one of them: the network may ban the number. If a person writes so much, raise the limit.',
	};
}
