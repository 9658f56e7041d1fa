import type { Outcome } from '../delivery/followAnswer';
import { defer } from './patience';
import { RecentIds } from './recentIds';

/** What is known about an event id at the moment it arrives. */
export type Claim =
	/** Nobody else has it: the one who claimed it must settle it. */
	| { state: 'new'; outcome: Promise<Outcome>; settle(outcome: Outcome): void }
	/** Another delivery of the same event is under way. */
	| { state: 'pending'; outcome: Promise<Outcome> }
	/** Its execution has started. */
	| { state: 'done' };

/**
 * Event ids of one trigger node (API document, "Delivery", rules 3 and 5). An id is pending from its claim until it
 * is settled; then it is remembered if its execution started, and forgotten otherwise.
 */
export class Duplicates {
	private readonly pending = new Map<string, Promise<Outcome>>();
	private readonly done: RecentIds;

	/** @param evicted called with the number of ids that had to be forgotten within their 24 hours */
	constructor(evicted: (count: number) => void) {
		this.done = new RecentIds(evicted);
	}

	get busy(): boolean {
		return this.pending.size > 0;
	}

	claim(id: string): Claim {
		const underway = this.pending.get(id);
		if (underway) return { state: 'pending', outcome: underway };
		if (this.done.has(id)) return { state: 'done' };
		const { promise, resolve } = defer<Outcome>();
		this.pending.set(id, promise);
		const settle = (outcome: Outcome) => {
			// Settled twice, it could end a later claim of the same id.
			if (this.pending.get(id) !== promise) return;
			this.pending.delete(id);
			if (outcome === 'started') this.done.add(id);
			resolve(outcome);
		};
		return { state: 'new', outcome: promise, settle };
	}
}
