import type { WebhookList } from '../webhooks/records';
import type { Decision } from './decisions';
import type { Look } from './looks';
import type { Note } from './url';

/** A question that nobody has answered, as far as this process knows. */
export interface OpenQuestion extends Note {
	/** Resumes its execution. Known where this process has asked it, or has read it from the gateway's list. */
	url?: string;
}

/** What an account remembers, without its code: what is loaded later goes on with the very same object. */
export interface AccountMemory {
	/** When it began, in milliseconds as of `Date.now`. */
	since: number;
	/** Whether the gateway's list has named all questions that are parked. */
	isKnown: boolean;
	/** Whether the gateway lists all webhooks with their events: otherwise nobody would find again what is parked. */
	listsAll: boolean;
	/** When n8n may be asked again about executions, and with which question to go on. */
	sweep: { nextAt: number; from: number };
	/** Whoever makes a webhook later counts what came before. */
	line: Promise<unknown>;
	/** By webhook ID. */
	open: Map<string, OpenQuestion>;
	/** Webhook IDs of the questions to which a trigger has to forward their messages. */
	parked: Set<string>;
	/** The message with which each question was asked: webhook ID by message ID. */
	asked: Map<string, string>;
	/** What has been said of questions once. */
	said: Map<string, true>;
	/** Event IDs to which the person was told that they fit nothing, by webhook ID. */
	askedAgain: Map<string, Set<string>>;
	/** Approvals of which the person was told that the one that is meant has to be quoted. */
	toldToQuote: Set<string>;
	looks: Map<string, Look>;
	decisions: Map<string, Decision>;
}

/** A trigger that forwards the messages of an account. */
export interface Forwarder {
	/** Whether deliveries to this n8n's own address arrive. */
	isProven: boolean;
	/** Notes that questions may be parked, so that it survives a restart. Answers whether it does. Never throws. */
	noteParked?(): Promise<boolean>;
	/** Whether the gateway still delivers received messages to the trigger, as far as its list of webhooks says. */
	isListed?(list: WebhookList): boolean;
}

/** What an older load of the package tells a newer one of an account. Of another shape, the memory is not taken. */
export interface AccountEstate {
	shape: number;
	memory: AccountMemory;
	/** The names of triggers. */
	forwarders: string[];
}

export function beginMemory(): AccountMemory {
	return {
		since: Date.now(),
		isKnown: false,
		listsAll: false,
		sweep: { nextAt: 0, from: 0 },
		line: Promise.resolve(),
		open: new Map(),
		parked: new Set(),
		asked: new Map(),
		said: new Map(),
		askedAgain: new Map(),
		toldToQuote: new Set(),
		looks: new Map(),
		decisions: new Map(),
	};
}
