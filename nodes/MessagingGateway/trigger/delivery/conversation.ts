import type { IDataObject } from 'n8n-workflow';
import type { GatewayEvent } from '../../deliveries/event';
import { objectIn } from '../../json';

/** The conversation of a received message; undefined for any other event. */
export function conversationOf(event: GatewayEvent): string | undefined {
	const { type, instanceId, chat, sender } = event;
	if (type !== 'MESSAGE.RECEIVED' || chat?.id === undefined) return undefined;
	// Several people write in a group, and all status updates may come in one chat.
	const senderId = chat.type !== 'person' && (sender?.id ?? sender?.phone);
	return JSON.stringify([instanceId, chat.id, senderId]);
}

/** Makes one item of several, which are in the order of their messages: the last one, with all of them and their texts. */
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
