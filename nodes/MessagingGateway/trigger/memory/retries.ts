const MOST_KEPT = 10_000;

/** Who does the work of a node for an event: a chain is an execution with all of its retries. */
interface Doer {
	chain: string;
	isRetry: boolean;
}

/** What an older load of the package tells a newer one of retries. */
export interface RetriedBefore {
	/** IDs of events. */
	retried: Set<string>;
	/** By event and node: who does its work, or has done it. */
	doers: Map<string, Doer>;
}

/**
 * Events whose execution failed, and is retried by a person while the gateway repeats them: the first of the two does
 * the work. Only for events that are confirmed when their execution succeeds; the others are not repeated.
 */
export class Retries {
	private readonly retried: RetriedBefore['retried'];
	private readonly doers: RetriedBefore['doers'];

	/** @param before what an older load of the package has handed over */
	constructor({ retried, doers }: RetriedBefore = { retried: new Set(), doers: new Map() }) {
		this.retried = retried;
		this.doers = doers;
	}

	/** What code that was loaded later has to know. */
	handOver(): RetriedBefore {
		return { retried: this.retried, doers: this.doers };
	}

	/** Whether a person has retried the event's execution: its repeats are acknowledged, and start nothing. */
	has(id: string): boolean {
		return this.retried.has(id);
	}

	/** Lets a retry have the event. Answers whether it is the first one that has. */
	claim(id: string): boolean {
		if (this.retried.has(id)) return false;
		dropOldest(this.retried.add(id));
		return true;
	}

	/** Lets the gateway's repeat have the event again. */
	release(id: string): void {
		this.retried.delete(id);
	}

	/**
	 * Notes that a node does its work for an event. A repeat does all of it again, a retry only what was not done: so false
	 * for a retry after a repeat has, and for a repeat after a retry has.
	 */
	begin(id: string, nodeId: string, doer: Doer): boolean {
		const key = `${nodeId}:${id}`;
		const other = this.doers.get(key);
		const isOthers = other !== undefined && other.chain !== doer.chain;
		if (isOthers && (doer.isRetry || other.isRetry)) return false;
		dropOldest(this.doers.set(key, doer));
		return true;
	}

	/** Notes that it could not do it. */
	fail(id: string, nodeId: string): void {
		this.doers.delete(`${nodeId}:${id}`);
	}
}

function dropOldest(kept: Set<string> | Map<string, unknown>): void {
	const [oldest] = kept.keys();
	if (kept.size > MOST_KEPT) kept.delete(oldest);
}
