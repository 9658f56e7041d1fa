import type { GatewayEvent } from '../../incoming/event';
import { phoneKeyOf } from '../../values/phone';
import type { TriggerSettings } from '../settings/settings';

/** Whether the person asked for this event. Filters of chats let an event without one pass. */
export function passesFilters(event: GatewayEvent, settings: TriggerSettings): boolean {
	const { events, instanceIds, chatTypes, messageTypes, onlyQuotedReplies, senders, maxAgeMs } =
		settings;
	const { type, instanceId = '', chat, messageType = '', quotedMessageId, at = Date.now() } = event;
	if (!events.includes(type)) return false;
	// A workflow that answers would answer itself.
	if (type === 'MESSAGE.RECEIVED' && event.fromMe) return false;
	if (instanceIds.length > 0 && !instanceIds.includes(instanceId)) return false;
	if (maxAgeMs > 0 && Date.now() - at > maxAgeMs) return false;
	if (senders && event.isWritten && !isFrom(event, senders)) return false;
	if (chat === undefined) return true;
	if (chatTypes.length > 0 && !chatTypes.includes(chat.type)) return false;
	if (messageTypes.length > 0 && !messageTypes.includes(messageType.toUpperCase())) return false;
	return !onlyQuotedReplies || quotedMessageId !== undefined;
}

/** Your own messages have no sender (API document, "Event types" 1). */
function isFrom({ sender }: GatewayEvent, people: string[]): boolean {
	const { id, phone } = sender ?? {};
	return [id, phone && phoneKeyOf(phone)].some((name = '') => people.includes(name));
}
