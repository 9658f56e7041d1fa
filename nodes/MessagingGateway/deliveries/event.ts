import type { IDataObject } from 'n8n-workflow';
import { isObject, objectIn, parseTime, textIn } from '../json';

/** One event as the gateway delivers it (API document, "Envelope"); all other fields are optional. */
export interface GatewayEvent extends IDataObject {
	id: string;
	type: string;
}

/** n8n cannot save an execution with deeper objects. */
const MAX_DEPTH = 100;

/** Whether a verified body is the event of its `webhook-id` header (API document, "Webhook delivery signing" and "Envelope"). */
export function isEvent(body: unknown, id: string): body is GatewayEvent {
	return (
		isObject(body) && body.id === id && typeof body.type === 'string' && isShallow(body, MAX_DEPTH)
	);
}

function isShallow(value: unknown, depth: number): boolean {
	if (typeof value !== 'object' || value === null) return true;
	return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}

/** The event's `data`; empty if it has none. */
export function dataOf(event: GatewayEvent): IDataObject {
	return objectIn(event, 'data') ?? {};
}

/** The message IDs of a `MESSAGE.STATUS_UPDATED`, each once; empty for other events. */
export function messageIdsOf(event: GatewayEvent): string[] {
	const { messageIds } = dataOf(event);
	if (!Array.isArray(messageIds)) return [];
	return [...new Set(messageIds.filter((id): id is string => typeof id === 'string'))];
}

/** Milliseconds at which the event happened; undefined if it does not say so. */
export function timeOf(event: GatewayEvent): number | undefined {
	return parseTime(textIn(event, 'timestamp'));
}

/** The type of the event's chat (API document, "Identifiers" and "Event types", rule 2); undefined without a chat. */
export function chatTypeOf(
	event: GatewayEvent,
): 'channel' | 'group' | 'person' | 'status' | undefined {
	const chat = objectIn(dataOf(event), 'chat');
	if (chat === undefined) return undefined;
	const id = textIn(chat, 'id');
	if (chat.type === 'GROUP' || id?.endsWith('@g.us')) return 'group';
	if (chat.type === 'STATUS') return 'status';
	return id?.endsWith('@newsletter') ? 'channel' : 'person';
}
