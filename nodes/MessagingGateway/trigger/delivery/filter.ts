import { dataOf, isGroup, recordIn, textIn, type GatewayEvent } from '../../webhooks/event';
import type { ChatKind, TriggerSettings } from '../settings';

/**
 * Whether the user asked for this event. Chat kind, message type and "only replies" judge events that belong to a
 * chat and let the others pass, such as a connection that broke.
 */
export function isWanted(event: GatewayEvent, settings: TriggerSettings): boolean {
	const { events, instanceIds, chatKinds, messageTypes, onlyReplies } = settings;
	if (!events.includes(event.type)) return false;
	if (instanceIds.length > 0 && !instanceIds.includes(textIn(event, 'instanceId') ?? ''))
		return false;

	const data = dataOf(event);
	if (recordIn(data, 'chat') === undefined) return true;
	const kind = chatKindOf(event);
	if (chatKinds.length > 0 && !(kind && chatKinds.includes(kind))) return false;
	const messageType = textIn(data, 'messageType')?.toUpperCase() ?? '';
	if (messageTypes.length > 0 && !messageTypes.includes(messageType)) return false;
	return !onlyReplies || data.quotedMessageId !== undefined;
}

/** The document names `GROUP` and `STATUS`; of the rest it says only that channel ids end in `@newsletter`. */
function chatKindOf(event: GatewayEvent): ChatKind | undefined {
	if (isGroup(event)) return 'group';
	const chat = recordIn(dataOf(event), 'chat');
	if (chat?.type === 'STATUS') return 'status';
	return textIn(chat, 'id')?.endsWith('@newsletter') ? undefined : 'person';
}
