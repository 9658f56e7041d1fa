import { dataOf, isGroup, recordIn, textIn, type GatewayEvent } from '../../webhooks/event';
import { isFrom, isWritten } from '../senders';
import type { ChatType, TriggerSettings } from '../settings';

/**
 * Whether the user asked for this event. Chat type, message type and "only quoted replies" judge events that belong to a chat
 * and let the others pass, such as a connection that broke. Who wrote it is judged wherever somebody may have.
 */
export function isWanted(event: GatewayEvent, settings: TriggerSettings): boolean {
	const { events, instanceIds, chatTypes, messageTypes, onlyQuotedReplies, senders } = settings;
	if (!events.includes(event.type)) return false;
	if (instanceIds.length > 0 && !instanceIds.includes(textIn(event, 'instanceId') ?? ''))
		return false;

	if (senders && isWritten(event) && !isFrom(event, senders)) return false;
	const data = dataOf(event);
	if (recordIn(data, 'chat') === undefined) return true;
	if (chatTypes.length > 0 && !chatTypes.includes(chatTypeOf(event))) return false;
	const messageType = textIn(data, 'messageType')?.toUpperCase() ?? '';
	if (messageTypes.length > 0 && !messageTypes.includes(messageType)) return false;
	return !onlyQuotedReplies || data.quotedMessageId !== undefined;
}

/** The document names `GROUP` and `STATUS`; of the rest it says only that channel ids end in `@newsletter`. */
function chatTypeOf(event: GatewayEvent): ChatType {
	if (isGroup(event)) return 'group';
	const chat = recordIn(dataOf(event), 'chat');
	if (chat?.type === 'STATUS') return 'status';
	return textIn(chat, 'id')?.endsWith('@newsletter') ? 'channel' : 'person';
}
