import { dropOldest } from '../../processState';

const MOST_KEPT = 10_000;

/** Who does the work of a node for an event. */
export interface Doer {
	executionId: string;
	isRetry: boolean;
	/** How many times it has begun, as a tool does in several calls, but for those that failed; an older load counts none. */
	calls?: number;
}

/** What an older load of the package tells a newer one of retries. */
export interface RetriedBefore {
	/** IDs of events for which a retry has done something. */
	retried: Set<string>;
	/** IDs of events for which a retry does its first work; an older load may not know of them. */
	atWork?: Set<string>;
	/** By event and node: who does its work, or has done it. */
	doers: Map<string, Doer>;
}

/**
 * Events whose execution failed, and is retried by a person while the gateway repeats them: the first of the two does
 * the work. Only for events that are confirmed when their execution succeeds; the others are not repeated.
 */
export class Retries {
	private readonly retried: RetriedBefore['retried'];
	private readonly atWork: Set<string>;
	private readonly doers: RetriedBefore['doers'];

	/** @param before what an older load of the package has handed over */
	constructor(before: RetriedBefore = { retried: new Set(), doers: new Map() }) {
		this.retried = before.retried;
		this.atWork = before.atWork ?? new Set();
		this.doers = before.doers;
	}

	/** What code that was loaded later has to know. */
	handOver(): RetriedBefore {
		return { retried: this.retried, atWork: this.atWork, doers: this.doers };
	}

	/** Whether a retry has the event: its repeats are acknowledged, and start nothing. */
	has(id: string): boolean {
		return this.retried.has(id);
	}

	/** Whether a retry is about to have the event: its repeats are deferred, since the retry may fail. */
	isClaimed(id: string): boolean {
		return this.atWork.has(id);
	}

	/** Lets a retry work on the event. Answers whether it is the first one that does. */
	claim(id: string): boolean {
		if (this.has(id) || this.isClaimed(id)) return false;
		dropOldest(this.atWork.add(id), MOST_KEPT);
		return true;
	}

	/** Lets the retry have the event for good if its work is done, and otherwise the gateway's repeat. */
	settle(id: string, isDone: boolean): void {
		this.atWork.delete(id);
		if (isDone) dropOldest(this.retried.add(id), MOST_KEPT);
	}

	/**
	 * Notes that a node does its work for an event. A repeat does all of it again, a retry only what was not done: so false
	 * for a retry after a repeat or another retry has, and for a repeat after a retry has.
	 *
	 * @param lineage the executions that this one goes on with
	 */
	begin(id: string, nodeId: string, doer: Doer, lineage: string[]): boolean {
		const key = `${nodeId}:${id}`;
		const other = this.doers.get(key);
		const isOthers = other !== undefined && !lineage.includes(other.executionId);
		if (isOthers && (doer.isRetry || other.isRetry)) return false;
		const before = other?.executionId === doer.executionId ? (other.calls ?? 1) : 0;
		dropOldest(this.doers.set(key, { ...doer, calls: before + 1 }), MOST_KEPT);
		return true;
	}

	/** Notes that it could not do it this time: another may, unless it does it in another call, or has done so. */
	fail(id: string, nodeId: string): void {
		const key = `${nodeId}:${id}`;
		const doer = this.doers.get(key);
		if (doer?.calls !== undefined && doer.calls > 1) doer.calls -= 1;
		else this.doers.delete(key);
	}
}
