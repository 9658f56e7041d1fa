import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../api/answer';
import { dataOf, isGroup, recordIn, textIn, type GatewayEvent } from '../../webhooks/event';
import type { Turn } from '../memory/conversations';
import type { TriggerSettings } from '../settings';
import type { Said } from '../subscription/estate';

/** In which conversation an event is a message received; undefined for any other event. */
export function conversationOf(event: GatewayEvent): string | undefined {
	const data = dataOf(event);
	const chat = recordIn(data, 'chat');
	const chatId = textIn(chat, 'id');
	if (event.type !== 'MESSAGE.RECEIVED' || chatId === undefined) return undefined;
	// Several people write in a group, and all status updates may come in one chat.
	const isShared = isGroup(event) || chat?.type === 'STATUS';
	const sender = recordIn(data, 'sender');
	const senderId = isShared && (textIn(sender, 'id') ?? textIn(sender, 'phone'));
	return JSON.stringify([textIn(event, 'instanceId'), chatId, senderId]);
}

/** Makes one item of all that was said, and lets it be settled as one. What settles it ends the turn. */
export function combine({ said: all, end }: Turn<Said>, output: TriggerSettings['output']): Said {
	const entries = all.map(({ entry }) => entry).sort((one, other) => one.time - other.time);
	const messages = entries.map(({ item }) => item.json);
	return {
		ids: all.flatMap(({ ids }) => ids),
		entry: {
			item: { json: combineMessages(messages, output) },
			time: entries[entries.length - 1].time,
		},
		// The last one to come is the one whose delivery starts the execution.
		settle: (settlement) => {
			const settled = all.map(({ settle }) => settle(settlement));
			end();
			return settled[all.length - 1];
		},
	};
}

/**
 * The last message, with all of them and their texts in it.
 *
 * @param messages in the order in which they were written, each as it would come by itself
 */
export function combineMessages(
	messages: IDataObject[],
	output: TriggerSettings['output'],
): IDataObject {
	const last = messages[messages.length - 1];
	if (output === 'raw') {
		const texts = messages.map((message) => recordIn(message, 'data')?.text);
		return { messages, allText: join(texts), ...last };
	}
	const [text, chatInput] = ['text', 'chatInput'].map((field) =>
		join(messages.map((message) => message[field])),
	);
	return Object.assign({ text }, last, { text, chatInput, messages });
}

/** The messages in an item that was combined; else the item itself. */
export function messagesIn(json: IDataObject): IDataObject[] {
	const messages: unknown = json.messages;
	const said = Array.isArray(messages) ? messages.filter(isObject) : [];
	const last = said.at(-1);
	return last && idOf(last) === idOf(json) ? said : [json];
}

/** The event's id, in either output. */
export function idOf({ eventId, id }: IDataObject): string {
	return String(eventId ?? id ?? '');
}

function join(texts: unknown[]): string {
	return texts.filter((text) => typeof text === 'string' && text !== '').join('\n');
}
