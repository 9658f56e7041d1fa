import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../api/answer';
import { keyOf } from '../phone';
import {
	chatTypeOf,
	dataOf,
	messageIdsOf,
	recordIn,
	textIn,
	type GatewayEvent,
} from '../webhooks/event';
import { statusStepOf } from './statusOrder';

/** The first fields of a simplified item: the text or status, the person, and where to answer. */
const FIRST = [
	'text',
	'status',
	'reason',
	'phone',
	'senderPhone',
	'chatPhone',
	'chatType',
	'replyTo',
];

/** Objects of the API document whose fields come flat, each with this before its name: `chat.name` becomes `chatName`. */
const PREFIXES = new Map([
	['chat', 'chat'],
	['sender', 'sender'],
	['buttonReply', 'button'],
]);

/** The item has these as `replyTo`, as its own `chatType`, in `personKey` and as `chatInput`. */
const REPEATED = ['chatId', 'chatType', 'senderId', 'buttonId'];

/** Turns an event into the items of the workflow: one, and of a simplified status event one for each message. */
export function present(event: GatewayEvent, isRaw: boolean): IDataObject[] {
	// The envelope comes last: a field that the gateway adds one day must not be covered by ours.
	if (isRaw) return [{ ...derive(event), ...event }];
	const ids = messageIdsOf(event);
	if (ids.length === 0) return [simplify(event)];
	const data = { ...dataOf(event), messageIds: undefined };
	return ids.map((messageId) => simplify({ ...event, data: { ...data, messageId } }));
}

function derive(event: GatewayEvent): IDataObject {
	const fields = {
		chatType: chatTypeOf(event),
		replyTo: textIn(recordIn(dataOf(event), 'chat'), 'id'),
		personKey: personKeyOf(event),
		statusStep: statusStepOf(event),
	};
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	) as IDataObject;
}

/** One value for each person who wrote, or was written to: the phone in one spelling, or the ID if the phone is hidden. */
function personKeyOf(event: GatewayEvent): string | undefined {
	const chat = chatTypeOf(event) === 'person' ? recordIn(dataOf(event), 'chat') : undefined;
	const phone = senderPhoneOf(event) ?? textIn(chat, 'phone');
	if (phone !== undefined) return keyOf(phone);
	return textIn(recordIn(dataOf(event), 'sender'), 'id') ?? textIn(chat, 'id');
}

function senderPhoneOf(event: GatewayEvent): string | undefined {
	return textIn(recordIn(dataOf(event), 'sender'), 'phone');
}

// Each value once; a field of the gateway whose name is taken is in `data`.
function simplify(event: GatewayEvent): IDataObject {
	const { id, type, instanceId, timestamp, data, ...beside } = event;
	const ours = { ...derive(event), ...converse(event) };
	const own = new Map<string, unknown>(
		Object.entries({ ...ours, type, timestamp, instanceId, eventId: id }),
	);
	const theirs = new Map<string, unknown>();
	const left = new Map<string, unknown>();
	for (const [name, value] of [...flatten(event), ...Object.entries(beside)]) {
		const isTaken = name === 'data' || own.has(name) || theirs.has(name);
		(isTaken ? left : theirs).set(name, value);
	}
	if (left.size > 0) theirs.set('data', Object.fromEntries(left));
	else if (!isObject(data)) theirs.set('data', data);

	const all = new Map([...theirs, ...own]);
	const names = [...FIRST, ...all.keys()].filter((name) => all.get(name) !== undefined);
	return Object.fromEntries(names.map((name) => [name, all.get(name)])) as IDataObject;
}

/** The fields of n8n's AI nodes. */
function converse(event: GatewayEvent): IDataObject {
	const data = dataOf(event);
	const chat = recordIn(data, 'chat');
	const chatId = textIn(chat, 'id');
	const isOwn = event.type === 'MESSAGE.SENT';
	// A workflow branches on the ID of a button, which its author has chosen, and not on its text.
	const input = textIn(recordIn(data, 'buttonReply'), 'id') ?? textIn(data, 'text');
	return {
		chatInput: chat && !isOwn ? input : undefined,
		// The same person may write to two numbers: that is two conversations.
		sessionId: chatId && [textIn(event, 'instanceId'), chatId].filter(Boolean).join(':'),
	};
}

/** The fields of `data` that the item does not have under another name. */
function flatten(event: GatewayEvent): Array<[string, unknown]> {
	const { fromMe, ...data } = dataOf(event);
	const isOneSided = ['MESSAGE.RECEIVED', 'MESSAGE.SENT'].includes(event.type);
	const repeated = senderPhoneOf(event) === undefined ? REPEATED : [...REPEATED, 'chatPhone'];
	return Object.entries(isOneSided ? data : { ...data, fromMe }).flatMap(([name, value]) => {
		const prefix = PREFIXES.get(name);
		if (prefix === undefined || !isObject(value)) return [[name, value]];
		return Object.entries(value)
			.map(([field, each]): [string, unknown] => [prefix + capitalize(field), each])
			.filter(([flat]) => !repeated.includes(flat));
	});
}

function capitalize(field: string): string {
	return field.charAt(0).toUpperCase() + field.slice(1);
}
