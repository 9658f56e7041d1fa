import { isSentHere } from '../../gateway/sentMessages';
import type { GatewayEvent } from '../../incoming/event';
import { RESPOND_WITHIN_MS } from '../../n8n/respond';
import { phoneKeyOf } from '../../values/phone';
import type { TriggerSettings } from '../settings/settings';

/** Whether the person asked for this event. */
export function passesFilters(event: GatewayEvent, settings: TriggerSettings): boolean {
	if (!settings.events.includes(event.type)) return false;
	// A workflow that answers would answer itself.
	if (event.type === 'MESSAGE.RECEIVED' && event.fromMe) return false;

	const { instanceIds, senders } = settings;
	if (instanceIds.length > 0 && !instanceIds.includes(event.instanceId ?? '')) return false;
	if (isTooOld(event, settings)) return false;
	if (senders !== undefined && event.isWritten && !isFrom(event, senders)) return false;

	return event.chat === undefined || passesFiltersOfChats(event, event.chat.type, settings);
}

/** The filters that let an event without a chat pass. */
function passesFiltersOfChats(
	{ messageType = '', quotedMessageId }: GatewayEvent,
	chatType: string,
	{ chatTypes, messageTypes, onlyQuotedReplies }: TriggerSettings,
): boolean {
	if (chatTypes.length > 0 && !chatTypes.includes(chatType)) return false;
	if (messageTypes.length > 0 && !messageTypes.includes(messageType.toUpperCase())) return false;
	return !onlyQuotedReplies || quotedMessageId !== undefined;
}

function isTooOld({ at = Date.now() }: GatewayEvent, { maxAgeMs }: TriggerSettings): boolean {
	return maxAgeMs > 0 && Date.now() - at > maxAgeMs;
}

/** Your own messages have no sender (API 9.7). */
function isFrom({ sender }: GatewayEvent, people: string[]): boolean {
	const { id, phone } = sender ?? {};
	const names = [id, phone && phoneKeyOf(phone)];
	return names.some((name) => name !== undefined && people.includes(name));
}

/**
 * Whether the person ignores this event because n8n has sent its message. Waits for the sends under
 * way: the event may be faster than their responses, as on a fast network.
 *
 * @param arrivedAt as of `Date.now`
 * @returns undefined if a send has no response while the gateway waits for its own
 */
export async function isFromN8n(
	{ type, messageId }: GatewayEvent,
	{ ignoreMessagesFromN8n }: TriggerSettings,
	arrivedAt: number,
): Promise<boolean | undefined> {
	if (!ignoreMessagesFromN8n || type !== 'MESSAGE.SENT') return false;
	return await isSentHere(messageId, arrivedAt + RESPOND_WITHIN_MS);
}
