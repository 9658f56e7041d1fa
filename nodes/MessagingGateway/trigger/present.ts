import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../api/answer';
import { keyOf } from '../phone';
import {
	dataOf,
	isGroup,
	messageIdsOf,
	recordIn,
	textIn,
	type GatewayEvent,
} from '../webhooks/event';
import type { TriggerSettings } from './settings';
import { statusRankOf } from './statusOrder';

/** The first fields of an item: the text or status, the person, and where to answer. */
const FIRST = [
	'text',
	'buttonId',
	'status',
	'reason',
	'phone',
	'senderPhone',
	'isGroup',
	'replyTo',
	'senderId',
];

/** Objects of the API document whose fields come flat, each with this before its name: `chat.id` becomes `chatId`. */
const PREFIXES = new Map([
	['chat', 'chat'],
	['sender', 'sender'],
	['buttonReply', 'button'],
]);

/** Turns an event into the items of the workflow: one, and of a simplified status event one for each message. */
export function present(event: GatewayEvent, output: TriggerSettings['output']): IDataObject[] {
	// The envelope comes last: a field that the gateway adds one day must not be covered by ours.
	if (output === 'raw') return [{ ...derive(event), ...event }];
	const { messageIds, ...data } = dataOf(event);
	const ids = messageIdsOf(event);
	const isListed = Array.isArray(messageIds) && ids.length > 0;
	const events = isListed
		? ids.map((messageId) => ({ ...event, data: { ...data, messageId } }))
		: [event];
	return events.map((each) => simplify(each, derive(each)));
}

/** Fields that workflows need and the envelope only implies; those without a value are left out. */
function derive(event: GatewayEvent): IDataObject {
	const data = dataOf(event);
	const chat = recordIn(data, 'chat');
	const phone = phoneOf(data);
	return filledIn({
		replyTo: textIn(chat, 'id'),
		statusRank: statusRankOf(event),
		isGroup: isGroup(event),
		isReply: chat && data.quotedMessageId !== undefined,
		phoneKey: phone === undefined ? undefined : keyOf(phone),
	});
}

/** The phone of the sender, else of the chat, else of the connected number. */
function phoneOf(data: IDataObject): string | undefined {
	return (
		textIn(recordIn(data, 'sender'), 'phone') ??
		textIn(recordIn(data, 'chat'), 'phone') ??
		textIn(data, 'phone')
	);
}

function filledIn(fields: Record<string, unknown>): IDataObject {
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	) as IDataObject;
}

/**
 * One flat object, with the two fields that n8n's AI nodes look for. It has every field of the event; a field whose name is
 * taken is in `data`.
 */
function simplify(event: GatewayEvent, derived: IDataObject): IDataObject {
	const { id, type, instanceId, timestamp, data, ...beside } = event;
	const own = new Map<string, unknown>(
		Object.entries({ ...derived, ...converse(event), type, timestamp, instanceId, eventId: id }),
	);
	const told = new Map<string, unknown>();
	const left: Array<[string, unknown]> = [];
	for (const [name, value] of [...fieldsOf(data), ...Object.entries(beside)]) {
		const fields = flatten(name, value);
		const isTaken = fields.some(([key]) => key === 'data' || own.has(key) || told.has(key));
		if (isTaken) left.push([name, value]);
		else for (const [key, each] of fields) told.set(key, each);
	}
	if (left.length > 0) told.set('data', Object.fromEntries(left));
	else if (!isObject(data)) told.set('data', data);

	const all = new Map([...told, ...own]);
	const names = [...FIRST, ...all.keys()].filter((name) => all.get(name) !== undefined);
	return Object.fromEntries(names.map((name) => [name, all.get(name)])) as IDataObject;
}

/** The fields of n8n's AI nodes; empty for an event that belongs to no chat. */
function converse(event: GatewayEvent): IDataObject {
	const data = dataOf(event);
	const chat = recordIn(data, 'chat');
	const chatId = textIn(chat, 'id');
	return {
		chatInput: chat && (textIn(data, 'text') ?? textIn(recordIn(data, 'buttonReply'), 'id')),
		// The same person may write to two numbers: that is two conversations.
		sessionId: chatId && [textIn(event, 'instanceId'), chatId].filter(Boolean).join(':'),
	};
}

/** The fields of `data`, first those of the API document: another one of the same name comes after them. */
function fieldsOf(data: unknown): Array<[string, unknown]> {
	const fields = Object.entries(isObject(data) ? data : {});
	const isPrefixed = ([name]: [string, unknown]): boolean => PREFIXES.has(name);
	return [...fields.filter(isPrefixed), ...fields.filter((field) => !isPrefixed(field))];
}

function flatten(name: string, value: unknown): Array<[string, unknown]> {
	const prefix = PREFIXES.get(name);
	if (prefix === undefined || !isObject(value)) return [[name, value]];
	return Object.entries(value).map(([inner, each]) => [
		prefix + inner.charAt(0).toUpperCase() + inner.slice(1),
		each,
	]);
}
