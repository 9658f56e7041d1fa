import type { GatewayEvent } from '../incoming/event';
import { evictOldest, sharedMap } from '../n8n/processState';
import { isSameChat, type Listing } from './listing';
import type { Question } from './question';

/**
 * The life of a question in this process.
 *
 *            take             settle
 *   open ───────────▶ taken ───────────▶ answered
 *     │ ◀─────────────  │
 *     │      giveBack   │ end, giveBack
 *     ▼ end             ▼
 *   ended ◀─────────────┘            any ── forget ──▶ (unknown here)
 *
 * - `take`: a message is the answer. The question's own webhook takes it (`receive.ts`), or a trigger that
 *   receives the message before (`takeAnswer.ts`), which keeps it from its workflow. Nobody else takes then,
 *   for half a minute: a message that a trigger has taken may never reach the question.
 * - `settle`: n8n has gone on with the message. Only the question's own webhook settles.
 * - `giveBack`: n8n has not gone on with it, or it is for another question after all. Only the question's own
 *   webhook gives back, also what a trigger has taken for it: a trigger does not read the gateway's list.
 * - `end`: a newer *Reply* or *Choice* of the chat is asked. Only that question ends it (`ask.ts`,
 *   `receive.ts`). A message that has taken it already may still answer it.
 * - `forget`: its message was not sent (`ask.ts`), or n8n no longer waits for it (`takeAnswer.ts`).
 */
type State =
	| { is: 'open' }
	| { is: 'taken'; by: string; since: number; isEnded: boolean }
	| { is: 'answered'; by: string }
	| { is: 'ended' };

/** A question that this process has asked, or has received a delivery for. */
export interface Known {
	question: Question;
	listing: Listing;
	url: string;
	state: State;
	/** The messages after which the lines are listed again. */
	lists: ListAgain[];
	/** Whether n8n's log has told that a message came before its time, or after it. */
	isTimeTold: boolean;
	/** Whether this process has tried again to delete what the question has ended. */
	isTidy: boolean;
}

interface ListAgain {
	/** ID of the event. */
	by: string;
	isSent: boolean;
	/** ID of the message with the lines, which a person may quote. */
	messageId?: string;
}

const MAX_KNOWN = 1_000;

/** A message that a trigger has taken may never reach the question. Then another one may take it. */
const TAKEN_FOR_MS = 30_000;

/** The lines are listed again so often for a question. */
const MAX_LISTS = 3;
/** Messages for which lists are noted: somebody may write on and on. */
const MAX_NOTES = 100;

const questions = sharedMap<Known>('questions 6');

/** Remembers a question. What this process has learned of it stays. */
export function remember(question: Question, listing: Listing, url: string): Known {
	const { webhookId } = question;
	const before = questions.get(webhookId);
	if (before !== undefined) {
		before.question = question;
		before.url = url;
		// The URL of a delivery may be older than what `MESSAGE.SENT` has told.
		before.listing = { ...before.listing, ...listing };
		return before;
	}

	const isEnded = [...questions.values()].some((other) => other.question.ended.includes(webhookId));
	const known: Known = {
		question,
		listing,
		url,
		state: isEnded ? { is: 'ended' } : { is: 'open' },
		lists: [],
		isTimeTold: false,
		isTidy: false,
	};
	questions.set(webhookId, known);
	for (const id of question.ended) end(id);
	evictOldest(questions, MAX_KNOWN);
	return known;
}

export function forget({ question }: Known): void {
	questions.delete(question.webhookId);
}

/** The questions of an account that have no answer yet, and that no newer one has ended. */
export function unsettled(account: string): Known[] {
	return knownOf(account).filter(({ state }) => state.is === 'open' || state.is === 'taken');
}

function knownOf(account: string): Known[] {
	return [...questions.values()].filter(({ question }) => question.account === account);
}

/**
 * IDs of the webhooks of the older *Reply* or *Choice* of a chat that this process knows; none for an
 * approval. Two names of a chat, a phone and an ID, are the same as soon as `MESSAGE.SENT` has told it. Of a
 * question whose `MESSAGE.SENT` another process has received, the number is not known here: it may be another.
 */
export function findOlderKnown({ question, listing }: Known): string[] {
	if (listing.kind === 'approval') return [];
	const older = unsettled(question.account).filter(
		(other) =>
			other.listing.kind === 'other' &&
			other.listing.instanceId !== undefined &&
			other.listing.openedAt < listing.openedAt &&
			isSameChat(other.listing, listing),
	);
	return older.map((other) => other.question.webhookId);
}

/** Whether this process knows any question: most workflows ask none. */
export function isAnyKnown(): boolean {
	return questions.size > 0;
}

/** The question that a message answers, or has answered. Two gateways may number their events alike. */
export function findHolder(account: string, event: GatewayEvent): Known | undefined {
	return knownOf(account).find(({ state }) => {
		const isHeld = state.is === 'taken' || state.is === 'answered';
		return isHeld && state.by === event.id;
	});
}

/** Whether this process knows that another message has answered a question, which is still listed. */
export function isOverFor(webhookId: string, event: GatewayEvent): boolean {
	const state = questions.get(webhookId)?.state;
	return state?.is === 'answered' && state.by !== event.id;
}

/** Whether another message is the answer of a question at the moment. */
export function isBusy({ state }: Known, event: GatewayEvent): boolean {
	if (state.is !== 'taken' || state.by === event.id) return false;
	return Date.now() - state.since < TAKEN_FOR_MS;
}

/** Takes a question for a message. False if another message has it, or has answered it, or it is ended. */
export function take(known: Known, event: GatewayEvent): boolean {
	const { state } = known;
	if (state.is === 'answered' || state.is === 'ended' || isBusy(known, event)) return false;

	const isEnded = state.is === 'taken' && state.isEnded;
	known.state = { is: 'taken', by: event.id, since: Date.now(), isEnded };
	return true;
}

/** Lets other messages take a question again, if this one has it. */
export function giveBack(known: Known, event: GatewayEvent): void {
	const { state } = known;
	if (state.is !== 'taken' || state.by !== event.id) return;
	known.state = state.isEnded ? { is: 'ended' } : { is: 'open' };
}

/** n8n has gone on with a message. */
export function settle(known: Known, event: GatewayEvent): void {
	known.state = { is: 'answered', by: event.id };
}

/** A newer question of the chat is asked. */
export function end(webhookId: string): void {
	const known = questions.get(webhookId);
	if (known?.state.is === 'open') known.state = { is: 'ended' };
	if (known?.state.is === 'taken') known.state.isEnded = true;
}

/**
 * Notes that the lines are listed again for a message. False if that has happened often enough.
 *
 * A trigger notes a list that only the question's own webhook can send, and does not send if another
 * question may be meant. So a list counts when it is sent.
 */
export function noteList(known: Known, event: GatewayEvent): boolean {
	if (isListedFor(known, event)) return true;
	if (known.lists.filter(({ isSent }) => isSent).length >= MAX_LISTS) return false;

	known.lists = [...known.lists, { by: event.id, isSent: false }].slice(-MAX_NOTES);
	return true;
}

/** Whether the lines are listed again for a message. */
function isListedFor({ lists }: Known, event: GatewayEvent): boolean {
	return lists.some(({ by }) => by === event.id);
}

/** Whether the lines of any question of an account are listed again for a message. */
export function isListedForAny(account: string, event: GatewayEvent): boolean {
	return knownOf(account).some((known) => isListedFor(known, event));
}

/** A list that could not be sent does not count. */
export function dropList(known: Known, event: GatewayEvent): void {
	known.lists = known.lists.filter(({ by }) => by !== event.id);
}
