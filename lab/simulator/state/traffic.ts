import type { GatewayEvent } from '../event';
import type { EventDraft } from '../events';
import type { Gateway } from '../gateway';
import type { AcceptedSend, RecordedRequest } from '../recorder';
import {
	makeMessageId,
	type Chat,
	type MediaFile,
	type Message,
	type MessageStatus,
} from './chats';
import type { Person } from './people';

/** Details of a message that somebody writes to the number. */
export interface Writing {
	/** Conversation to write in; without it the one found by phone, or else the first person's. */
	chatId?: string;
	/** Number of the writer: in a group the participant, else the conversation itself. */
	phone?: string;
	/** The number that is written to, the first one if left out. */
	instanceId?: string;
	/** Shown on the page only: the API has no names in events. */
	name?: string;
	quotedMessageId?: string;
	buttonReplyId?: string;
}

/** `chat` of an event (API 9.8; the type of a person is a gap); a hidden number is left out. */
function describeChat({ settings }: Gateway, { kind, ...chat }: Chat): Record<string, unknown> {
	return { ...describePerson(chat), type: kind === 'PERSON' ? settings.personType : kind };
}

function describePerson({ id, phone }: Person): Record<string, unknown> {
	return { id, ...(phone !== undefined && { phone }) };
}

function findChat({ chats }: Gateway, { chatId, phone, name }: Writing): Chat {
	const recipient = chatId ?? phone;
	if (recipient === undefined) return chats.list()[0];
	const known = chats.find(recipient);
	if (known) return known;
	const chat = chats.openFor(recipient);
	if (chat.kind === 'PERSON')
		chats.update(chat, { ...(name !== undefined && { name }), ...(phone && { phone }) });
	return chat;
}

function findSender({ chats }: Gateway, chat: Chat, { phone, name }: Writing): Person {
	if (chat.kind === 'PERSON') return chat;
	const member = chat.members.find(
		(candidate) => candidate.name === name || (phone && candidate.phone === phone),
	);
	if (member) return member;
	if (!phone && chat.members[0]) return chat.members[0];
	const person = phone ? chats.openFor(phone) : chats.list()[0];
	return { ...person, name: name ?? person.name };
}

/** Somebody writes to the number: `MESSAGE.RECEIVED`. */
export function receiveMessage(
	gateway: Gateway,
	text: string,
	writing: Writing = {},
): GatewayEvent {
	const chat = findChat(gateway, writing);
	const { id, name, phone } = findSender(gateway, chat, writing);
	const { quotedMessageId, buttonReplyId, instanceId = gateway.instance.id } = writing;

	const message: Message = {
		id: makeMessageId(),
		chatId: chat.id,
		instanceId,
		fromMe: false,
		sender: { id, name, phone },
		text,
		at: gateway.clock.now().toISOString(),
		messageType: buttonReplyId === undefined ? 'TEXT' : 'BUTTON_REPLY',
		quotedMessageId,
	};
	gateway.chats.keep(message);

	return gateway.events.emitFromNetwork({
		type: 'MESSAGE.RECEIVED',
		instanceId,
		timestamp: message.at,
		data: {
			messageId: message.id,
			chat: describeChat(gateway, chat),
			fromMe: false,
			sender: describePerson({ id, name, phone }),
			text,
			...(quotedMessageId !== undefined && { quotedMessageId }),
			messageType: message.messageType,
			...(buttonReplyId !== undefined && { buttonReply: { id: buttonReplyId } }),
		},
	});
}

/** The owner of the number writes on the phone itself: the same events as of a send, and no send. */
export function writeOnPhone(gateway: Gateway, text: string, writing: Writing = {}): string {
	const { instanceId = gateway.instance.id } = writing;
	return sendMessage(gateway, findChat(gateway, writing), text, { instanceId }).id;
}

/** The number accepts a send of the API, which the records then show. */
export function acceptSend(
	gateway: Gateway,
	record: RecordedRequest,
	chat: Chat,
	{ picture, ...send }: Omit<AcceptedSend, 'messageId' | 'at'> & { picture?: MediaFile },
): { messageId: string } {
	const { instanceId, text } = send;
	const { id: messageId } = sendMessage(gateway, chat, text, { picture, instanceId });
	record.accepted = true;
	gateway.recorder.keepSend({ ...send, messageId, at: Date.now() });
	return { messageId };
}

/** The number writes: `MESSAGE.SENT` and then `MESSAGE.STATUS_UPDATED` (API 9.10). */
function sendMessage(
	gateway: Gateway,
	chat: Chat,
	text: string,
	details: Pick<Message, 'picture' | 'instanceId'>,
): Message {
	const message: Message = {
		id: makeMessageId(),
		chatId: chat.id,
		fromMe: true,
		text,
		at: gateway.clock.now().toISOString(),
		messageType: 'TEXT',
		status: 'PENDING',
		...details,
	};
	gateway.chats.keep(message);

	const { sent, delivered, read } = gateway.settings.statusDelaysMs;
	gateway.events.emitLater(sent, () => describeSent(gateway, chat, message));
	gateway.events.emitLater(delivered, () => advanceTo(gateway, message, 'DELIVERED'));
	gateway.events.emitLater(read, () => advanceTo(gateway, message, 'READ'));
	return message;
}

function describeSent(gateway: Gateway, chat: Chat, message: Message): EventDraft {
	gateway.chats.advance(message, 'SENT');
	const { id: messageId, instanceId, text, quotedMessageId, messageType } = message;

	return {
		type: 'MESSAGE.SENT',
		instanceId,
		data: {
			messageId,
			chat: describeChat(gateway, chat),
			fromMe: true,
			text,
			...(quotedMessageId !== undefined && { quotedMessageId }),
			messageType,
		},
	};
}

function advanceTo({ chats }: Gateway, message: Message, status: MessageStatus): EventDraft {
	chats.advance(message, status);
	const { instanceId } = message;
	return { type: 'MESSAGE.STATUS_UPDATED', instanceId, data: { messageIds: [message.id], status } };
}
