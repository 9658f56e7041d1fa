import { dataOf, textIn, type GatewayEvent } from '../webhooks/event';
import { waitUntil } from '../webhooks/patience';
import { Decisions } from './decisions';
import { keep, Looks } from './looks';
import { isInChat, isOpenAt, isOver } from './openNote';
import { isHidden } from './question';
import type { Listing } from './soleApproval';
import type { Note } from './url';

/** More may not be open at once, whatever a gateway lists. */
export const MOST_OPEN = 1_000;
/** What an account remembers beside, as of questions that are over. */
const MOST_KEPT = 5_000;

/** A gateway that delivers for so long, but does not list its webhooks, must not make a trigger deaf. */
const UNKNOWN_FOR_MS = 5 * 60_000;

/**
 * All that this process knows of the questions of one account. Webhook IDs, chats and URLs in it come from that
 * account's own gateway: what another gateway lists is in another object, and cannot touch these questions.
 */
export class Account {
	/** Triggers that are published in this process, and whether deliveries to this n8n's own address arrive. */
	readonly forwarders = new Map<string, boolean>();
	/** URLs of the questions to which a trigger has to forward their messages, by webhook ID. */
	readonly parked = new Map<string, string>();
	/** When n8n may be asked again about executions, with which question to go on, and when the gateway about questions. */
	readonly sweep = { nextAt: 0, from: 0, learnsAt: 0 };
	readonly looks = new Looks();
	readonly decisions = new Decisions();
	/** Whether the gateway lists all webhooks with their events: otherwise nobody would find again what is parked. */
	listsAll = false;
	/** Whoever makes a webhook later counts what came before. */
	line: Promise<unknown> = Promise.resolve();
	listing?: Listing;

	private isKnown = false;
	private readonly since = Date.now();
	private readonly open = new Map<string, Note>();
	/** The message with which each question was asked: webhook ID by message ID. */
	private readonly asked = new Map<string, string>();
	/** What has been said of questions once. */
	private readonly said = new Map<string, true>();
	/** Event IDs to which the person was told that they fit nothing, by webhook ID. */
	private readonly askedAgain = new Map<string, Set<string>>();
	/** Approvals of which the person was told that the one that is meant has to be quoted. */
	private readonly toldToQuote = new Set<string>();

	/**
	 * @param fingerprint of token and base URL
	 * @param forwardSecret signs what triggers of this account forward in this process; its questions take no other's
	 */
	constructor(
		readonly fingerprint: string,
		readonly forwardSecret: string,
	) {}

	/** Notes that somebody is being asked, with which message if that is known, and gives what is known of it. */
	note(webhookId: string, note: Note, messageId?: string): Note {
		if (!this.open.has(webhookId)) this.makeRoom();
		const earlier = this.open.get(webhookId);
		// A gateway may give the ID of a webhook that it has deleted to the next one.
		const isOther = earlier !== undefined && earlier.until !== note.until;
		if (isOther) this.forget(webhookId);
		const before = isOther ? undefined : earlier;
		// The gateway may not have taken the newest count into the URL.
		const again = Math.max(before?.again ?? 0, note.again ?? 0);
		const known = { ...before, ...note, ...(again > 0 && { again }) };
		this.open.set(webhookId, known);
		if (messageId !== undefined) keep(this.asked, messageId, webhookId, MOST_KEPT);
		return known;
	}

	/** What is known of a question. */
	find(webhookId: string): Note | undefined {
		return this.open.get(webhookId);
	}

	/** Notes that a trigger has to forward a question's messages. Answers whether it can: of more than may be open, no. */
	park(webhookId: string, url: string): boolean {
		const hasRoom = this.parked.has(webhookId) || this.parked.size < MOST_OPEN;
		if (hasRoom) this.parked.set(webhookId, url);
		return hasRoom;
	}

	/** Notes whether the gateway's list has named all questions that are parked. */
	learn(isAll: boolean): void {
		this.isKnown = isAll;
	}

	/** Whether there may be parked questions that the gateway has not named yet, so that a message cannot be judged. */
	isUnknown(): boolean {
		return !this.isKnown && Date.now() < this.since + UNKNOWN_FOR_MS;
	}

	forget(webhookId: string): void {
		this.open.delete(webhookId);
		this.parked.delete(webhookId);
		this.askedAgain.delete(webhookId);
		this.toldToQuote.delete(webhookId);
	}

	/**
	 * Counts a reply that fits nothing, at most once: the gateway may repeat it.
	 *
	 * @param most how often the person may be asked again
	 * @returns what is known of the question then, undefined if the person is not to be asked again
	 */
	countAskedAgain(webhookId: string, { id }: GatewayEvent, most: number): Note | undefined {
		const note = this.open.get(webhookId);
		const events = this.askedAgain.get(webhookId) ?? new Set();
		const again = (note?.again ?? 0) + 1;
		if (note === undefined || again > most || events.has(id)) return undefined;
		this.askedAgain.set(webhookId, events.add(id));
		return this.note(webhookId, { ...note, again });
	}

	/** Whether something of a question is to be said for the first time, as in the log. */
	isNews(webhookId: string, what: string): boolean {
		const key = `${webhookId} ${what}`;
		const isFirst = !this.said.has(key);
		keep(this.said, key, true, MOST_KEPT);
		return isFirst;
	}

	/** Whether a message that may mean any of these approvals is the first: until another one comes, the person is told once. */
	mustTellToQuote(webhookIds: string[], event: GatewayEvent): boolean {
		const look = this.looks.at(event);
		const isFirst = !look.isToldToQuote && webhookIds.some((id) => !this.toldToQuote.has(id));
		for (const id of webhookIds) this.toldToQuote.add(id);
		look.isToldToQuote ||= isFirst;
		return isFirst;
	}

	/**
	 * Whether a message is the answer to an open question. The gateway delivers it to the question too, and that is
	 * waited for: nobody else can tell whether an execution is still waiting for it.
	 *
	 * @param deadline until when there is time to wait, in milliseconds
	 */
	async isAnswer(event: GatewayEvent, deadline: number): Promise<boolean> {
		const look = this.looks.at(event);
		while (!look.isTaken) {
			const missing = [...this.open].filter(
				([id, note]) => !look.by.has(id) && isOpenAt(note, event) && isInChat(note, event),
			);
			if (missing.length === 0) return false;
			if (await waitUntil(deadline, look.next.promise)) continue;
			// What does not hear is not waited for again before it is heard of.
			for (const [id] of missing) if (!this.parked.has(id)) this.open.delete(id);
			return false;
		}
		return true;
	}

	/** The parked questions that a message may answer: webhook IDs and URLs. */
	findParked(event: GatewayEvent): Array<[string, string]> {
		const quoted = textIn(dataOf(event), 'quotedMessageId');
		const known = quoted === undefined ? undefined : new Set(this.asked.values());
		return [...this.parked].filter(([id]) => {
			const note = this.open.get(id);
			if (note === undefined || !isOpenAt(note, event)) return false;
			if (isInChat(note, event)) return true;
			// Whose chat it is nobody can tell then, but for the question that is quoted.
			if (quoted === undefined || !isHidden(note, event)) return false;
			return this.asked.has(quoted) ? this.asked.get(quoted) === id : known?.has(id) === false;
		});
	}

	/** Forgets what is over, and of too many the oldest that is not parked: there are never so many of those. */
	private makeRoom(): void {
		const now = Date.now();
		for (const [id, note] of this.open) if (isOver(note, now)) this.forget(id);
		if (this.open.size < 2 * MOST_OPEN) return;
		for (const id of this.open.keys()) if (!this.parked.has(id)) return this.forget(id);
	}
}
