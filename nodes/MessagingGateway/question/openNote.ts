import { dataOf, recordIn, type GatewayEvent } from '../webhooks/event';
import { isSame } from './question';
import type { Note } from './url';

/** n8n looks for executions whose time is over once a minute; until then an answer is still one. */
const LATE_MS = 2 * 60_000;

/** Whether nobody can be waiting for the answer any more. */
export function isOver({ until }: Note, now: number): boolean {
	return until + LATE_MS < now;
}

/** Whether a question is open, and was asked by the number that a message has come to. */
export function isOpenAt(note: Note, { type, instanceId }: GatewayEvent): boolean {
	if (type !== 'MESSAGE.RECEIVED' || isOver(note, Date.now())) return false;
	return note.instanceId === undefined || note.instanceId === instanceId;
}

/** Whether a message was written in the chat in which a question was asked, as far as its note tells. */
export function isInChat({ to, chatId }: Note, event: GatewayEvent): boolean {
	const chat = recordIn(dataOf(event), 'chat');
	return isSame(to, chat) || (chatId !== undefined && chat?.id === chatId);
}
