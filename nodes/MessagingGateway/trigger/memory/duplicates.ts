import { defer } from '../patience';
import { RecentIds } from './recentIds';
import type { Settlement } from './settlement';

/** What is known about an event id at the moment it arrives. */
export type Claim =
	/** Nobody else has it: the one who claimed it must settle it. */
	| { state: 'new'; settled: Promise<Settlement>; settle(settlement: Settlement): void }
	/** Another delivery of the same event is under way. */
	| { state: 'pending'; settled: Promise<Settlement> }
	/** Its execution has started. */
	| { state: 'done' };

/**
 * Event ids of one trigger node (API document, "Delivery", rules 3 and 5). An id is pending from its claim until it
 * is settled; then it is remembered if its execution started, and forgotten otherwise.
 */
export class Duplicates {
	private readonly pending = new Map<string, Promise<Settlement>>();
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
		if (underway) return { state: 'pending', settled: underway };
		if (this.done.has(id)) return { state: 'done' };
		const { promise, resolve } = defer<Settlement>();
		this.pending.set(id, promise);
		const settle = (settlement: Settlement) => {
			// Settled twice, it could end a later claim of the same id.
			if (this.pending.get(id) !== promise) return;
			this.pending.delete(id);
			if (settlement === 'started') this.done.add(id);
			resolve(settlement);
		};
		return { state: 'new', settled: promise, settle };
	}
}
