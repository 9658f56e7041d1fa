import type { EventDraft, GatewayEvent } from '../event';
import type { Gateway } from '../gateway';
import { makeMessageId, type Button, type Chat, type Message, type MessageStatus } from './chats';
import { drawLoaf, recordVoice } from './media';
import type { Person } from './people';

/** What somebody does who writes to the number. */
export interface Writing {
	/** Conversation to write in, or of the person who posts a status; without it the one found by phone. */
	chatId?: string;
	/** Number of the writer: in a group the participant, else the conversation itself. */
	phone?: string;
	/** The number that is written to, the first one if left out. */
	instanceId?: string;
	/** Shown on the page only: the API has no names in events. */
	name?: string;
	quotedMessageId?: string;
	messageType?: string;
	buttonReplyId?: string;
	/** True: not a message but a status update of a contact. */
	isStatus?: boolean;
	/** A picture beside the text, which may be empty; or a voice message that says the text, which the event then lacks. */
	as?: 'picture' | 'voice';
}

/** The document shows no type of these messages: the names are the simulator's. */
const TYPES = { text: 'TEXT', picture: 'IMAGE', voice: 'AUDIO' };
const FIRST_PERSON = 'Ana Souza';
const STATUS_CHAT_ID = 'status@broadcast';

/** `chat` of an event (API document, Events, rule 2); a hidden number is left out. */
function describeChat(gateway: Gateway, chat: Chat): Record<string, unknown> {
	const type = chat.kind === 'PERSON' ? gateway.settings.personChatType : chat.kind;
	return { id: chat.id, type, ...(chat.phone !== undefined && { phone: chat.phone }) };
}

function describeSender({ id, phone }: Person): Record<string, unknown> {
	return { id, ...(phone !== undefined && { phone }) };
}

function findChat({ chats }: Gateway, { chatId, phone, name, isStatus }: Writing): Chat {
	if (isStatus)
		return (
			chats.find(STATUS_CHAT_ID) ??
			chats.add({ id: STATUS_CHAT_ID, kind: 'STATUS', name: 'Status' })
		);
	const recipient = chatId ?? phone;
	const known = chats.find(recipient ?? '');
	if (known) return known;
	const chat = recipient
		? chats.openFor(recipient)
		: chats.list().find((candidate) => candidate.name === FIRST_PERSON);
	if (!chat) throw new Error('Nobody is there to write');
	const details = { ...(name !== undefined && { name }), ...(chatId && phone && { phone }) };
	if (chat.kind === 'PERSON' && Object.keys(details).length > 0) chats.update(chat, details);
	return chat;
}

function findSender(
	{ chats }: Gateway,
	chat: Chat,
	{ chatId, phone, name, isStatus }: Writing,
): Person {
	const poster = isStatus && chatId !== undefined ? chats.find(chatId) : undefined;
	if (poster) return { id: poster.id, name: poster.name, phone: poster.phone };
	if (chat.kind === 'PERSON') return { id: chat.id, name: chat.name, phone: chat.phone };
	const member = chat.members.find(
		(candidate) => candidate.name === name || (phone && candidate.phone === phone),
	);
	if (member) return member;
	if (!phone && chat.members[0]) return chat.members[0];
	const person = phone ? chats.openFor(phone) : chats.list()[0];
	return { id: person.id, name: name ?? person.name, phone: person.phone };
}

/** Somebody writes to the number: `MESSAGE.RECEIVED`. */
export function receiveMessage(
	gateway: Gateway,
	text: string,
	writing: Writing = {},
): GatewayEvent {
	const chat = findChat(gateway, writing);
	const sender = findSender(gateway, chat, writing);
	const { quotedMessageId, buttonReplyId, instanceId = gateway.instance.id } = writing;
	const messageType =
		writing.messageType ??
		(buttonReplyId === undefined ? TYPES[writing.as ?? 'text'] : 'BUTTON_REPLY');
	const message: Message = {
		id: makeMessageId(),
		chatId: chat.id,
		instanceId,
		fromMe: false,
		sender,
		text,
		at: gateway.clock.now().toISOString(),
		messageType,
		quotedMessageId,
		...(writing.as === 'picture' && { picture: drawLoaf() }),
		...(writing.as === 'voice' && { recording: recordVoice(text) }),
		labels: [],
	};
	const isWritten = writing.as === undefined || (writing.as === 'picture' && text !== '');
	gateway.chats.keep(message);
	return gateway.events.emitFromNetwork({
		type: 'MESSAGE.RECEIVED',
		instanceId,
		timestamp: message.at,
		data: {
			messageId: message.id,
			chat: describeChat(gateway, chat),
			fromMe: false,
			sender: describeSender(sender),
			...(isWritten && { text }),
			...(quotedMessageId !== undefined && { quotedMessageId }),
			messageType,
			...(buttonReplyId !== undefined && { buttonReply: { id: buttonReplyId } }),
		},
	});
}

/** What the owner of the number writes on the phone itself. */
export interface OwnWriting {
	/** Conversation to write in; without it the one found by phone, or else the first person's. */
	chatId?: string;
	phone?: string;
	/** The number that writes, the first one if left out. */
	instanceId?: string;
	quotedMessageId?: string;
	/** The document shows no operation that sends buttons: the owner does it by hand. */
	buttons?: Button[];
}

/**
 * The owner of the number writes on the phone itself: a message that no send of the API has made. Assumed: it emits
 * what a send emits. The API document says of `MESSAGE.SENT` only that the message left the number.
 */
export function writeAsOwner(gateway: Gateway, text: string, writing: OwnWriting = {}): Message {
	const { quotedMessageId, buttons, instanceId } = writing;
	const details = { byHand: true, quotedMessageId, buttons, instanceId };
	return sendMessage(gateway, findChat(gateway, writing), text, details);
}

/**
 * The number writes: the message is queued and leaves later, which `MESSAGE.SENT` and then
 * `MESSAGE.STATUS_UPDATED` tell (API document, Events, rule 4). Buttons make it `INTERACTIVE`.
 */
export function sendMessage(
	gateway: Gateway,
	chat: Chat,
	text: string,
	details: Pick<Message, 'byHand' | 'quotedMessageId' | 'buttons' | 'picture' | 'instanceId'> = {},
): Message {
	const message: Message = {
		id: makeMessageId(),
		chatId: chat.id,
		fromMe: true,
		text,
		at: gateway.clock.now().toISOString(),
		messageType: details.buttons ? 'INTERACTIVE' : 'TEXT',
		status: 'PENDING',
		...details,
		instanceId: details.instanceId ?? gateway.instance.id,
		labels: [],
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
	return {
		type: 'MESSAGE.SENT',
		instanceId: message.instanceId,
		data: {
			messageId: message.id,
			chat: describeChat(gateway, chat),
			fromMe: true,
			text: message.text,
			...(message.quotedMessageId !== undefined && { quotedMessageId: message.quotedMessageId }),
			messageType: message.messageType,
		},
	};
}

function advanceTo(gateway: Gateway, message: Message, status: MessageStatus): EventDraft {
	gateway.chats.advance(message, status);
	const { instanceId } = message;
	return { type: 'MESSAGE.STATUS_UPDATED', instanceId, data: { messageIds: [message.id], status } };
}
