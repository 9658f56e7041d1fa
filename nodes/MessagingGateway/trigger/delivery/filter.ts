import { chatTypeOf, dataOf, type GatewayEvent } from '../../deliveries/event';
import { objectIn, textIn } from '../../json';
import { phoneKeyOf } from '../../phone';
import type { TriggerSettings } from '../settings/settings';

/**
 * Whether the person asked for this event. Chat type, message type and *Only Quoted Replies* filter events that belong to a
 * chat; events without one pass, such as a connection that broke. *Only From* filters all events that a person wrote.
 */
export function isWanted(event: GatewayEvent, settings: TriggerSettings): boolean {
	const { events, instanceIds, chatTypes, messageTypes, onlyQuotedReplies, senders } = settings;
	if (!events.includes(event.type)) return false;
	if (instanceIds.length > 0 && !instanceIds.includes(textIn(event, 'instanceId') ?? ''))
		return false;

	if (senders && isWritten(event) && !isFrom(event, senders)) return false;
	const data = dataOf(event);
	const chatType = chatTypeOf(event);
	if (chatType === undefined) return true;
	if (chatTypes.length > 0 && !chatTypes.includes(chatType)) return false;
	const messageType = textIn(data, 'messageType')?.toUpperCase() ?? '';
	if (messageTypes.length > 0 && !messageTypes.includes(messageType)) return false;
	return !onlyQuotedReplies || data.quotedMessageId !== undefined;
}

/** Whether a person wrote the event: a message, or an event that names a chat or a sender. */
function isWritten(event: GatewayEvent): boolean {
	const { chat, sender } = dataOf(event);
	return event.type === 'MESSAGE.RECEIVED' || chat !== undefined || sender !== undefined;
}

/** Whether one of these people wrote the message. Your own messages have no sender (API document, "Event types", rule 1). */
function isFrom(event: GatewayEvent, people: string[]): boolean {
	const sender = objectIn(dataOf(event), 'sender');
	const id = textIn(sender, 'id');
	const phone = textIn(sender, 'phone');
	return (
		(id !== undefined && people.includes(id)) ||
		(phone !== undefined && people.includes(phoneKeyOf(phone)))
	);
}
