import { dataOf, textIn, type GatewayEvent } from '../webhooks/event';
import type { WebhookList } from '../webhooks/records';
import {
	beginMemory,
	type AccountEstate,
	type AccountMemory,
	type Forwarder,
	type OpenQuestion,
} from './accountMemory';
import { Decisions } from './decisions';
import { Forwarding } from './forwarding';
import { keep, keepIn, Looks } from './looks';
import { isUnnamedChat } from './question';
import type { Listed } from './soleApproval';
import { isInChat, isOpenAt, isOver, type Note } from './url';

const SHAPE = 1;

/** More may not be open at once, whatever a gateway lists. */
export const MOST_OPEN = 1_000;
/** What an account remembers beside, as of questions that are over. */
const MOST_KEPT = 5_000;

/**
 * After that, messages are accepted although the gateway has not listed its webhooks: some gateways never do. It counts from
 * when the account was first opened in this process, and where the credential cannot be read, from when the
 * process began. A trigger’s standing has a time of its own.
 */
export const AWAITED_FOR_MS = 5 * 60_000;

/**
 * All that this process knows of the questions of one account. Webhook IDs, chats and URLs in it come from that
 * account's own gateway: what another gateway lists is in another object, and cannot touch these questions.
 */
export class Account {
	/** Triggers that are published in this process, by name. */
	readonly forwarders = new Map<string, Forwarder>();
	readonly looks: Looks;
	readonly decisions: Decisions;
	/** Of this load of the package: what is on its way at an update is forwarded again. */
	readonly forwarding = new Forwarding();
	/** The latest request for its webhooks, and when it was begun, in milliseconds as of `Date.now`. */
	listing?: { begunAt: number; answer: Promise<WebhookList> };
	/** What the latest list of webhooks says of approvals. */
	listed?: Listed;

	readonly memory: AccountMemory;

	/**
	 * @param fingerprint of token and base URL
	 * @param forwardSecret signs what triggers of this account forward in this process; its questions take no other's
	 * @param estate of the same account, if an older load of the package had one
	 */
	constructor(
		readonly fingerprint: string,
		readonly forwardSecret: string,
		estate?: AccountEstate,
	) {
		this.memory = estate?.shape === SHAPE ? estate.memory : beginMemory();
		this.looks = new Looks(this.memory.looks);
		this.decisions = new Decisions(this.memory.decisions);
		// They still get its messages, and prove it anew with the code that was loaded later.
		for (const trigger of estate?.forwarders ?? [])
			this.forwarders.set(trigger, { isProven: false });
	}

	/** Webhook IDs of the questions to which a trigger has to forward their messages. */
	get parked(): ReadonlySet<string> {
		return this.memory.parked;
	}

	/** Gives all that must not get lost to code that was loaded later. */
	handOver(): AccountEstate {
		return { shape: SHAPE, memory: this.memory, forwarders: [...this.forwarders.keys()] };
	}

	/** Notes that somebody is being asked, with which message if that is known, and gives what is known of it. */
	note(webhookId: string, note: OpenQuestion, messageId?: string): OpenQuestion {
		if (!this.memory.open.has(webhookId)) this.makeRoom();
		const earlier = this.memory.open.get(webhookId);
		// A gateway may give the ID of a webhook that it has deleted to the next one.
		const isOther = earlier !== undefined && earlier.until !== note.until;
		if (isOther) this.forget(webhookId);
		const before = isOther ? undefined : earlier;
		// The gateway may not have taken the newest count into the URL.
		const again = Math.max(before?.again ?? 0, note.again ?? 0);
		const known = { ...before, ...note, ...(again > 0 && { again }) };
		this.memory.open.set(webhookId, known);
		if (messageId !== undefined) keep(this.memory.asked, messageId, webhookId, MOST_KEPT);
		return known;
	}

	/** What is known of a question. */
	find(webhookId: string): Note | undefined {
		return this.memory.open.get(webhookId);
	}

	/** Notes that a trigger has to forward a question's messages. Answers whether it can: of more than may be open, no. */
	park(webhookId: string, url: string): boolean {
		const note = this.memory.open.get(webhookId);
		if (note === undefined) return false;
		const hasRoom = this.parked.has(webhookId) || this.parked.size < MOST_OPEN;
		if (!hasRoom) return false;
		this.memory.open.set(webhookId, { ...note, url });
		this.memory.parked.add(webhookId);
		return true;
	}

	/** Notes that a question cannot be reached from here. Answers whether the gateway delivers its messages to it. */
	stopForwarding(webhookId: string): boolean {
		const note = this.memory.open.get(webhookId);
		if (this.parked.has(webhookId) || note === undefined) return false;
		this.memory.open.set(webhookId, { ...note, url: undefined });
		return true;
	}

	/** Notes whether the gateway's list has named all questions that are parked. */
	learn(isAll: boolean): void {
		this.memory.isKnown = isAll;
	}

	/**
	 * Whether the gateway has named all questions that are parked: `awaited`, so that a message cannot be judged yet; `overdue`,
	 * nobody waits for it any longer.
	 */
	get parkedAre(): 'known' | 'awaited' | 'overdue' {
		if (this.memory.isKnown) return 'known';
		return Date.now() < this.memory.since + AWAITED_FOR_MS ? 'awaited' : 'overdue';
	}

	forget(webhookId: string): void {
		this.memory.open.delete(webhookId);
		this.memory.parked.delete(webhookId);
		this.memory.askedAgain.delete(webhookId);
		this.memory.toldToQuote.delete(webhookId);
	}

	/**
	 * Counts a reply that fits nothing, at most once: the gateway may repeat it.
	 *
	 * @param most how often the person may be asked again
	 * @returns what is known of the question then, undefined if the person is not to be asked again
	 */
	countAskedAgain(webhookId: string, { id }: GatewayEvent, most: number): Note | undefined {
		const note = this.memory.open.get(webhookId);
		const events = this.memory.askedAgain.get(webhookId) ?? new Set();
		const again = (note?.again ?? 0) + 1;
		if (note === undefined || again > most || events.has(id)) return undefined;
		this.memory.askedAgain.set(webhookId, events.add(id));
		return this.note(webhookId, { ...note, again });
	}

	/** Whether something of a question is to be said for the first time, as in the log. */
	isNews(webhookId: string, what: string): boolean {
		const key = `${webhookId} ${what}`;
		const isFirst = !this.memory.said.has(key);
		keep(this.memory.said, key, true, MOST_KEPT);
		return isFirst;
	}

	/** Whether a message that may mean any of these approvals is the first: until another one comes, the person is told once. */
	mustTellToQuote(webhookIds: string[], event: GatewayEvent): boolean {
		const look = this.looks.at(event);
		const isFirst =
			!look.isToldToQuote && webhookIds.some((id) => !this.memory.toldToQuote.has(id));
		for (const id of webhookIds) keepIn(this.memory.toldToQuote, id, MOST_KEPT);
		look.isToldToQuote ||= isFirst;
		return isFirst;
	}

	/** The open questions that a message may answer, with the URL under which each is reached. */
	findAnswered(event: GatewayEvent): Array<{ id: string; url: string; isParked: boolean }> {
		const quoted = textIn(dataOf(event), 'quotedMessageId');
		const known = quoted === undefined ? undefined : new Set(this.memory.asked.values());
		const mayAnswer = (id: string, note: Note): boolean => {
			if (!isOpenAt(note, event)) return false;
			if (isInChat(note, event)) return true;
			// Whose chat it is nobody can tell then, but for the question that is quoted.
			if (quoted === undefined || !isUnnamedChat(note, event)) return false;
			return this.memory.asked.has(quoted)
				? this.memory.asked.get(quoted) === id
				: known?.has(id) === false;
		};
		return [...this.memory.open].flatMap(([id, note]) =>
			note.url !== undefined && mayAnswer(id, note)
				? [{ id, url: note.url, isParked: this.parked.has(id) }]
				: [],
		);
	}

	/** Forgets what is over, and of too many the oldest that is not parked: there are never so many of those. */
	private makeRoom(): void {
		const now = Date.now();
		for (const [id, note] of this.memory.open) if (isOver(note, now)) this.forget(id);
		if (this.memory.open.size < 2 * MOST_OPEN) return;
		for (const id of this.memory.open.keys()) if (!this.parked.has(id)) return this.forget(id);
	}
}
