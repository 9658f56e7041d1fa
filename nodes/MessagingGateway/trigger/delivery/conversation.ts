import type { IDataObject } from 'n8n-workflow';
import { chatTypeOf, dataOf, type GatewayEvent } from '../../deliveries/event';
import { objectIn, textIn } from '../../json';

/** The conversation of a received message; undefined for any other event. */
export function conversationOf(event: GatewayEvent): string | undefined {
	const data = dataOf(event);
	const chatId = textIn(objectIn(data, 'chat'), 'id');
	if (event.type !== 'MESSAGE.RECEIVED' || chatId === undefined) return undefined;
	// Several people write in a group, and all status updates may come in one chat.
	const isShared = chatTypeOf(event) !== 'person';
	const sender = objectIn(data, 'sender');
	const senderId = isShared && (textIn(sender, 'id') ?? textIn(sender, 'phone'));
	return JSON.stringify([textIn(event, 'instanceId'), chatId, senderId]);
}

/**
 * Makes one item of several messages: the last one, with all of them and their texts.
 *
 * @param messages in the order in which they were written, each as it would be an item by itself
 */
export function combineMessages(messages: IDataObject[], isRaw: boolean): IDataObject {
	const last = messages[messages.length - 1];
	if (isRaw) {
		const texts = messages.map((message) => objectIn(message, 'data')?.text);
		return { messages, allText: join(texts), ...last };
	}
	const [text, chatInput] = ['text', 'chatInput'].map((field) =>
		join(messages.map((message) => message[field])),
	);
	return Object.assign({ text }, last, { text, chatInput, messages });
}

function join(texts: unknown[]): string {
	return texts.filter((text) => typeof text === 'string' && text !== '').join('\n');
}
