import { dataOf, recordIn, textIn, type GatewayEvent } from '../webhooks/event';
import { defer, waitUntil, type Deferred } from '../webhooks/patience';
import { isSame, type Place } from './question';
import type { Note } from './url';

const MOST_KEPT = 10_000;

/** What this process knows of the questions that are open, by webhook ID. Its loss costs no answer. */
const questions = new Map<string, Note>();

/** Questions whose execution is just being resumed, by webhook ID. */
export const resuming = new Set<string>();

/** Event IDs to which the person was told that they fit nothing, by webhook ID. */
const askedAgain = new Map<string, Set<string>>();

/** What open questions made of a message. */
interface Look {
	/** The questions that have looked at it, by webhook ID. */
	by: Set<string>;
	isTaken: boolean;
	/** Comes true with the next question that has looked. */
	next: Deferred<true>;
}

const looks = new Map<string, Look>();

/** Notes that somebody is being asked, and gives what is known of where. */
export function noteQuestion(webhookId: string, note: Note): Place {
	const now = Date.now();
	for (const [id, { until }] of questions) if (until < now) forgetQuestion(id);
	const known = { ...questions.get(webhookId), ...note };
	questions.set(webhookId, known);
	const [oldest] = questions.keys();
	if (questions.size > MOST_KEPT) forgetQuestion(oldest);
	return known;
}

export function forgetQuestion(webhookId: string): void {
	questions.delete(webhookId);
	askedAgain.delete(webhookId);
}

/** Which in the row of those to be asked again an event is; infinite for one that came before. */
export function countAskedAgain(webhookId: string, eventId: string): number {
	const events = askedAgain.get(webhookId) ?? new Set();
	if (events.has(eventId)) return Infinity;
	askedAgain.set(webhookId, events.add(eventId));
	return events.size;
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
		for (const [id] of missing) questions.delete(id);
		return false;
	}
	return true;
}

function isAsked({ to, chatId, instanceId, until }: Note, event: GatewayEvent): boolean {
	if (event.type !== 'MESSAGE.RECEIVED' || until < Date.now()) return false;
	if (instanceId !== undefined && instanceId !== event.instanceId) return false;
	const chat = recordIn(dataOf(event), 'chat');
	return isSame(to, chat) || (chatId !== undefined && chat?.id === chatId);
}

function lookAt(event: GatewayEvent): Look {
	const key = `${textIn(event, 'instanceId')} ${textIn(dataOf(event), 'messageId') ?? event.id}`;
	const look = looks.get(key) ?? { by: new Set<string>(), isTaken: false, next: defer<true>() };
	looks.set(key, look);
	const [oldest] = looks.keys();
	if (looks.size > MOST_KEPT) looks.delete(oldest);
	return look;
}
