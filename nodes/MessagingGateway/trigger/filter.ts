import { chatTypeOf, dataOf, textIn, type GatewayEvent } from '../webhooks/event';
import { isFrom, isWritten } from './senders';
import type { TriggerSettings } from './settings';

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
