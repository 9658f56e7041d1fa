import { randomBytes } from 'node:crypto';
import type { Changes } from '../changes';
import { GROUP_NAMES, groupIdAt, lineOf, PEOPLE, type Person } from './people';

type ChatType = 'PERSON' | 'GROUP' | 'STATUS' | 'CHANNEL';

export interface Chat {
	id: string;
	kind: ChatType;
	name: string;
	/** The person's number as registered; absent for groups and when the network hides it. */
	phone?: string;
	/** People who may write in a group. */
	members: Person[];
}

/** PENDING until the message has left the number; then as in API 10.1. */
export type MessageStatus = 'PENDING' | 'SENT' | 'DELIVERED' | 'READ';

/** A picture, with its content as base64. */
export interface MediaFile {
	fileName: string;
	mediaType: string;
	base64: string;
}

export interface Message {
	id: string;
	chatId: string;
	/** The number that it went to, or that sent it; absent in the sample chats. */
	instanceId?: string;
	fromMe: boolean;
	sender?: Person;
	text: string;
	/** ISO 8601. */
	at: string;
	messageType: string;
	/** Status of a message of the number itself. */
	status?: MessageStatus;
	quotedMessageId?: string;
	picture?: MediaFile;
}

const RANKS: Record<MessageStatus, number> = { PENDING: 0, SENT: 1, DELIVERED: 2, READ: 3 };
const MESSAGES_KEPT_PER_CHAT = 500;

export function makeMessageId(): string {
	return randomBytes(10).toString('hex').toUpperCase();
}

function kindOf(chatId: string): ChatType {
	if (chatId.endsWith('@g.us')) return 'GROUP';
	if (chatId.endsWith('@newsletter')) return 'CHANNEL';
	return 'PERSON';
}

/** The conversations of the number, as they look on the phones of the others. */
export class Chats {
	private readonly chats = new Map<string, Chat>();
	private readonly chatsByLine = new Map<string, Chat>();
	private readonly messages = new Map<string, Message[]>();

	constructor(private readonly changes: Changes) {
		this.addPeople();
	}

	/** Conversation that a recipient stands for: an id exactly as given, or a phone in any spelling. */
	openFor(recipient: string): Chat {
		const known = this.find(recipient);
		if (known) return known;
		if (recipient.includes('@'))
			return this.add({ id: recipient, kind: kindOf(recipient), name: recipient });
		const phone = recipient.replace(/\D/g, '');
		return this.add({ id: this.makePersonId(), kind: 'PERSON', name: `+${phone}`, phone });
	}

	find(recipient: string): Chat | undefined {
		return this.chats.get(recipient) ?? this.chatsByLine.get(lineOf(recipient));
	}

	add(chat: Pick<Chat, 'id' | 'kind' | 'name'> & Partial<Chat>): Chat {
		const added: Chat = { members: [], ...chat };
		this.chats.set(added.id, added);
		if (added.phone) this.chatsByLine.set(lineOf(added.phone), added);
		this.changes.tell('chat', added);
		return added;
	}

	update(chat: Chat, changes: Partial<Chat>): void {
		Object.assign(chat, changes);
		this.changes.tell('chat', chat);
	}

	list(): Chat[] {
		return [...this.chats.values()];
	}

	listWithMessages(): Array<Chat & { messages: Message[] }> {
		return this.list().map((chat) => ({ ...chat, messages: this.messagesOf(chat.id) }));
	}

	messagesOf(chatId: string): Message[] {
		return this.messages.get(chatId) ?? [];
	}

	findMessage(messageId: string): Message | undefined {
		return [...this.messages.values()].flat().find(({ id }) => id === messageId);
	}

	keep(message: Message): void {
		const messages = this.messages.get(message.chatId);
		if (!messages) this.messages.set(message.chatId, [message]);
		else if (messages.push(message) > MESSAGES_KEPT_PER_CHAT) messages.shift();
		this.changes.tell('message', message);
	}

	/** A status only moves forward (API 10.1). */
	advance(message: Message, status: MessageStatus): void {
		if (RANKS[status] <= RANKS[message.status ?? 'PENDING']) return;
		message.status = status;
		this.changes.tell('message', message);
	}

	tellPresence(chat: Chat, presence: string, isAudio: boolean): void {
		this.changes.tell('presence', { chatId: chat.id, presence, isAudio });
	}

	/** Everything as plain data, and back. */
	save(): { chats: Chat[]; messages: Message[] } {
		return { chats: this.list(), messages: [...this.messages.values()].flat() };
	}

	restore(saved: { chats: Chat[]; messages: Message[] }): void {
		this.clear();
		for (const chat of saved.chats) this.add(chat);
		for (const message of saved.messages) this.keep(message);
	}

	reset(): void {
		this.clear();
		this.addPeople();
	}

	private clear(): void {
		this.chats.clear();
		this.chatsByLine.clear();
		this.messages.clear();
	}

	private addPeople(): void {
		for (const person of PEOPLE) this.add({ ...person, kind: 'PERSON' });
		GROUP_NAMES.slice(0, 2).forEach((name, position) => {
			this.add({
				id: groupIdAt(position),
				kind: 'GROUP',
				name,
				members: PEOPLE.slice(position, position + 3),
			});
		});
	}

	private makePersonId(): string {
		return `${BigInt(`0x${randomBytes(6).toString('hex')}`)}@lid`;
	}
}
