import { dataOf, recordIn, textIn, type GatewayEvent } from '../webhooks/event';
import { defer, waitUntil, type Deferred } from '../webhooks/patience';
import { isHidden, isSame, type Place } from './question';
import type { Note } from './url';

const MOST_KEPT = 10_000;

/** What this process knows of the questions that are open, by webhook ID. Its loss costs no answer. */
const questions = new Map<string, Note>();

/** URLs of the questions to which a trigger of this process has to hand their messages, by webhook ID. */
export const relayed = new Map<string, string>();

/** The message with which each question was asked: webhook ID by message ID. */
const asked = new Map<string, string>();

/** IDs of the events that resume an execution, or have resumed it, by webhook ID. */
export const resumed = new Map<string, string>();

/** What open questions made of a message. */
interface Look {
	/** The questions that have looked at it, by webhook ID. */
	by: Set<string>;
	isTaken: boolean;
	/** The questions to which a trigger has handed it, by webhook ID. */
	handed: Set<string>;
	/** When this process has first seen it. */
	since: number;
	/** Comes true with the next question that has looked. */
	next: Deferred<true>;
}

const looks = new Map<string, Look>();

/** n8n looks for executions whose time is over once a minute; until then an answer is still one. */
const LATE_MS = 2 * 60_000;

/** Notes that somebody is being asked, with which message if that is known, and gives what is known of where. */
export function noteQuestion(webhookId: string, note: Note, messageId?: string): Place {
	if (!questions.has(webhookId)) forgetOver();
	const known = { ...questions.get(webhookId), ...note };
	questions.set(webhookId, known);
	const [oldest] = questions.keys();
	if (questions.size > MOST_KEPT) forgetQuestion(oldest);
	if (messageId !== undefined) keep(asked, messageId, webhookId);
	return known;
}

export function forgetQuestion(webhookId: string): void {
	questions.delete(webhookId);
	relayed.delete(webhookId);
}

/** Notes whether a question has taken a message for its answer. */
export function noteLook(webhookId: string, event: GatewayEvent, isTaken: boolean): void {
	const look = lookAt(event);
	look.by.add(webhookId);
	look.isTaken ||= isTaken;
	const { next } = look;
	look.next = defer();
	next.resolve(true);
}

/**
 * Whether a message is the answer to an open question. The gateway delivers it to the question too, and that is waited
 * for: nobody else can tell whether an execution is still waiting for it.
 *
 * @param deadline until when there is time to wait, in milliseconds
 */
export async function isAnswer(event: GatewayEvent, deadline: number): Promise<boolean> {
	const look = lookAt(event);
	while (!look.isTaken) {
		const missing = [...questions].filter(([id, note]) => !look.by.has(id) && isAsked(note, event));
		if (missing.length === 0) return false;
		if (await waitUntil(deadline, look.next.promise)) continue;
		// What does not hear is not waited for again before it is heard of.
		for (const [id] of missing) if (!relayed.has(id)) questions.delete(id);
		return false;
	}
	return true;
}

/** The questions to which a message has to be handed: webhook IDs and URLs. */
export function findRelayed(event: GatewayEvent): Array<[string, string]> {
	const quoted = textIn(dataOf(event), 'quotedMessageId');
	const known = quoted === undefined ? undefined : new Set(asked.values());
	return [...relayed].filter(([id]) => {
		const note = questions.get(id);
		if (note === undefined || !isOpenAt(note, event)) return false;
		if (isThere(note, event)) return true;
		// Whose chat it is nobody can tell then, but for the question that is quoted.
		if (quoted === undefined || !isHidden(note, event)) return false;
		return asked.has(quoted) ? asked.get(quoted) === id : known?.has(id) === false;
	});
}

function forgetOver(): void {
	const now = Date.now();
	for (const [id, note] of questions) if (isOver(note, now)) forgetQuestion(id);
}

/** Whether nobody can be waiting for the answer any more. */
export function isOver({ until }: Note, now: number): boolean {
	return until + LATE_MS < now;
}

function isAsked(note: Note, event: GatewayEvent): boolean {
	return isOpenAt(note, event) && isThere(note, event);
}

/** Whether a question is open, and was asked by the number that a message has come to. */
function isOpenAt(note: Note, { type, instanceId }: GatewayEvent): boolean {
	if (type !== 'MESSAGE.RECEIVED' || isOver(note, Date.now())) return false;
	return note.instanceId === undefined || note.instanceId === instanceId;
}

function isThere({ to, chatId }: Note, event: GatewayEvent): boolean {
	const chat = recordIn(dataOf(event), 'chat');
	return isSame(to, chat) || (chatId !== undefined && chat?.id === chatId);
}

/** What open questions have made of a message so far. */
export function lookAt(event: GatewayEvent): Look {
	const key = `${textIn(event, 'instanceId')} ${textIn(dataOf(event), 'messageId') ?? event.id}`;
	const look = looks.get(key) ?? {
		by: new Set<string>(),
		isTaken: false,
		handed: new Set<string>(),
		since: Date.now(),
		next: defer<true>(),
	};
	keep(looks, key, look);
	return look;
}

/** Keeps a value under a key, and forgets the oldest of too many. */
export function keep<T>(map: Map<string, T>, key: string, value: T): void {
	map.set(key, value);
	const [oldest] = map.keys();
	if (map.size > MOST_KEPT) map.delete(oldest);
}
