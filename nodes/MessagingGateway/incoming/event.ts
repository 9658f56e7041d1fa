import type { IDataObject } from 'n8n-workflow';
import { isObject, objectIn, parseTime, textIn } from '../values/json';

type RawEvent = IDataObject & { id: string; type: string };

/** Whether a verified body is the event of its `webhook-id` header (API 9.1). */
export function isEvent(body: unknown, id: string): body is RawEvent {
	return isObject(body) && body.id === id && typeof body.type === 'string';
}

export type GatewayEvent = ReturnType<typeof readEvent>;

/** Reads an event (API 9). An empty text or null is undefined. */
export function readEvent(raw: RawEvent) {
	const fields = omitEmpty(raw);
	const data = objectIn(fields, 'data') ?? {};
	const chat = objectIn(data, 'chat');

	return {
		raw,
		fields,
		id: raw.id,
		type: raw.type,
		instanceId: textIn(fields, 'instanceId'),
		at: parseTime(textIn(fields, 'timestamp')),

		chat: chat && { ...readAddress(chat), type: chatTypeOf(chat) },
		sender: readAddress(objectIn(data, 'sender')),
		/** Whether people write such events: messages, and events that name a chat or a sender. */
		isWritten: raw.type === 'MESSAGE.RECEIVED' || 'chat' in data || 'sender' in data,
		fromMe: data.fromMe === true,

		text: textIn(data, 'text'),
		buttonId: textIn(objectIn(data, 'buttonReply'), 'id'),
		messageType: textIn(data, 'messageType'),
		messageId: textIn(data, 'messageId'),
		quotedMessageId: textIn(data, 'quotedMessageId'),
		/** The messages of a status event, each once. */
		messageIds: [...new Set(textsIn(data, 'messageIds'))],
		status: textIn(data, 'status'),
		/** The step that the message of `MESSAGE.SENT` has reached, if that is known. */
		reachedStep: undefined as number | undefined,
	};
}

/** The texts of a list; none if the field is no list. */
function textsIn(object: IDataObject, name: string): string[] {
	const list: unknown = object[name];
	return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}

/** The event as it would be with other fields in its `data`. */
export function changeData({ raw }: GatewayEvent, change: IDataObject): GatewayEvent {
	return readEvent({ ...raw, data: { ...objectIn(raw, 'data'), ...change } });
}

/** The conversation of a received message; undefined for any other event. */
export function conversationOf(event: GatewayEvent): string | undefined {
	return event.type === 'MESSAGE.RECEIVED' ? chatKeyOf(event) : undefined;
}

/**
 * The key that received and sent messages of a chat share; undefined without a chat. In a group each
 * member has a key, and so has the number itself.
 */
export function chatKeyOf({ instanceId, chat, sender }: GatewayEvent): string | undefined {
	if (chat?.id === undefined) return undefined;

	// Several people write in a group, and all status updates may come in one chat.
	const senderId = chat.type !== 'person' && (sender?.id ?? sender?.phone);
	return JSON.stringify([instanceId, chat.id, senderId]);
}

/** A copy without empty texts and nulls, also in the objects inside. A name may be `__proto__`. */
function omitEmpty(object: IDataObject): IDataObject {
	const kept: Array<[string, unknown]> = [];
	for (const [name, value] of Object.entries(object)) {
		if (value === null || value === '') continue;
		kept.push([name, isObject(value) ? omitEmpty(value) : value]);
	}
	return Object.fromEntries(kept) as IDataObject;
}

function readAddress(from: IDataObject | undefined) {
	if (from === undefined) return undefined;
	return {
		id: textIn(from, 'id'),
		phone: textIn(from, 'phone'),
		name: textIn(from, 'name'),
	};
}

/** The kind of a chat, by its ID if its type does not say it (API 2.2 and 9.8). Networks also have `status@broadcast`. */
function chatTypeOf(chat: IDataObject): 'channel' | 'group' | 'person' | 'status' {
	const id = textIn(chat, 'id');
	if (chat.type === 'GROUP' || id?.endsWith('@g.us')) return 'group';
	if (chat.type === 'STATUS' || id?.endsWith('@broadcast')) return 'status';
	return id?.endsWith('@newsletter') ? 'channel' : 'person';
}
