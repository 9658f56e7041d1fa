import type { IDataObject } from 'n8n-workflow';
import { changeData, type GatewayEvent } from '../../incoming/event';
import { isObject, objectIn } from '../../values/json';
import { phoneKeyOf } from '../../values/phone';
import { statusStepOf } from './statusOrder';

/** With a `+`, a node can send to them whatever its *Default Country* is. */
const PHONES = ['phone', 'senderPhone', 'chatPhone'];

const FIRST_FIELDS = ['text', 'status', 'reason', ...PHONES, 'chatType', 'replyTo'];

/** Objects of an event (API 9.2) whose fields come flat: `chat.name` becomes `chatName`. */
const PREFIXES = new Map(Object.entries({ chat: 'chat', sender: 'sender', buttonReply: 'button' }));

/** The item has these values elsewhere: as `replyTo`, and as its own `chatType`. */
const REPEATED = ['chatId', 'chatType'];

/** The items of an event: one, or one for each message of a simplified status event. */
export function present(event: GatewayEvent, isRaw: boolean): IDataObject[] {
	// The event's own fields win: a field that the gateway adds one day must not be lost.
	if (isRaw) return [{ ...omitMissing(Object.entries(derive(event))), ...event.raw }];
	if (event.messageIds.length === 0) return [flattenEvent(event)];
	return event.messageIds.map((messageId) =>
		flattenEvent(changeData(event, { messageId, messageIds: null })),
	);
}

/** One item of several, in the order of their messages: the last one, with all and their texts. */
export function combineMessages(messages: IDataObject[], isRaw: boolean): IDataObject {
	const last = messages.at(-1);
	if (isRaw) {
		const texts = messages.map((message) => objectIn(message, 'data')?.text);
		return omitMissing(Object.entries({ messages, allText: join(texts), ...last }));
	}

	const text = join(messages.map((message) => message.text));
	const chatInput = join(messages.map((message) => message.chatInput));
	// `text` comes first, also if the last message has none.
	const item = { text, ...last, chatInput, messages };
	return omitMissing(Object.entries({ ...item, text }));
}

/** All texts, one a line; undefined if there is none, as for pictures without a text. */
function join(texts: unknown[]): string | undefined {
	const written = texts.filter((text) => typeof text === 'string' && text !== '');
	return written.length === 0 ? undefined : written.join('\n');
}

function derive(event: GatewayEvent): IDataObject {
	return {
		chatType: event.chat?.type,
		replyTo: event.chat?.id,
		personKey: personKeyOf(event),
		statusStep: statusStepOf(event),
	};
}

function omitMissing(fields: Array<[string, unknown]>): IDataObject {
	return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as IDataObject;
}

/** One value for each person: the phone in one spelling, or the ID if the phone is hidden. */
function personKeyOf({ chat, sender }: GatewayEvent): string | undefined {
	const person = chat?.type === 'person' ? chat : undefined;
	const phone = sender?.phone ?? person?.phone;
	return phone === undefined ? (sender?.id ?? person?.id) : phoneKeyOf(phone);
}

/**
 * One flat object, in which the text and the people come first. A field of the gateway whose name is
 * taken is in `data`.
 */
function flattenEvent(event: GatewayEvent): IDataObject {
	const { id: eventId, type, instanceId, timestamp, data, ...others } = event.fields;
	const own: IDataObject = {
		...derive(event),
		...deriveForAgents(event),
		type,
		timestamp,
		instanceId,
		eventId,
	};

	// Maps, since a field of the gateway may have any name, also `__proto__`.
	const item = new Map<string, unknown>(FIRST_FIELDS.map((name) => [name, undefined]));
	const hidden = new Map<string, unknown>();
	for (const [name, value] of [...flatten(data, event), ...Object.entries(others)]) {
		const isTaken = name === 'data' || Object.hasOwn(own, name) || item.get(name) !== undefined;
		if (isTaken) hidden.set(name, value);
		else item.set(name, value);
	}
	if (hidden.size > 0) item.set('data', Object.fromEntries(hidden));
	else if (!isObject(data)) item.set('data', data);

	for (const [name, value] of Object.entries(own)) item.set(name, value);
	for (const name of PHONES) item.set(name, withPlus(item.get(name)));
	return omitMissing([...item]);
}

function withPlus(phone: unknown): unknown {
	return typeof phone === 'string' && /^\d+$/.test(phone) ? `+${phone}` : phone;
}

/** The fields that n8n's AI nodes read by themselves. */
function deriveForAgents(event: GatewayEvent): IDataObject {
	const { type, instanceId, chat, text, buttonId } = event;
	const isToBeAnswered = chat !== undefined && type !== 'MESSAGE.SENT';
	const chatInput = isToBeAnswered ? text || buttonId : undefined;
	if (chat?.id === undefined) return { chatInput };

	// The same person may write to two numbers: that is two conversations.
	const sessionId = [instanceId, chat.id].filter(Boolean).join(':');
	return { chatInput, sessionId };
}

/** The fields of `data`, those of its chat, sender and button with a prefix. */
function flatten(data: unknown, { type, sender }: GatewayEvent): Array<[string, unknown]> {
	const { fromMe, ...others } = isObject(data) ? data : {};
	// The type says it of these.
	const isOneSided = type === 'MESSAGE.RECEIVED' || type === 'MESSAGE.SENT';
	const fields = isOneSided ? others : { ...others, fromMe };
	const repeated = sender?.phone === undefined ? REPEATED : [...REPEATED, 'chatPhone'];

	return Object.entries(fields).flatMap(([name, value]) => {
		const prefix = PREFIXES.get(name);
		if (prefix === undefined || !isObject(value)) return [[name, value]];

		const inner = Object.entries(value).map(([field, each]): [string, unknown] => [
			joinNames(prefix, field),
			each,
		]);
		return inner.filter(([flat]) => !repeated.includes(flat));
	});
}

function joinNames(prefix: string, field: string): string {
	return prefix + field.charAt(0).toUpperCase() + field.slice(1);
}
