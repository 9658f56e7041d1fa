import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../api/answer';
import { keyOf } from '../../phone';
import { dataOf, isGroup, recordIn, textIn, timeOf, type GatewayEvent } from '../../webhooks/event';
import type { BatchEntry } from '../memory/batcher';
import { statusRankOf } from '../memory/statusOrder';
import type { TriggerSettings } from '../settings';

/** What a person looks for first: what was written or happened, who it was, and where to answer. */
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

/** Turns an event into the item that the workflow gets. */
export function present(event: GatewayEvent, output: TriggerSettings['output']): BatchEntry {
	// The envelope comes last: a field that the gateway adds one day must not be covered by ours.
	const json =
		output === 'simplified' ? simplify(event, derive(event)) : { ...derive(event), ...event };
	return { item: { json }, time: timeOf(event) ?? Date.now() };
}

/** What workflows need at every turn and the envelope only implies; fields without a value are left out. */
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

/** Whose event it is: who wrote, else whose chat it is, else the connected number itself. */
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
 * One flat object, with the two fields that n8n's AI nodes look for. Nothing of the event is dropped: what the API
 * document does not name comes along, in `data` where its name is taken.
 *
 * @param derived what the envelope only implies
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

/** What was said, and in which conversation; nothing where an event belongs to none. */
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

/** Those of the document first: another one of the same name comes after them. */
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
