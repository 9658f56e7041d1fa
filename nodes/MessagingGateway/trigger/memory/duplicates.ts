import { defer, type Deferred } from '../patience';
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

interface Pending extends Deferred<Settlement> {
	since: number;
	/** How many deliveries of the event were handed to n8n so far. */
	starts: number;
}

const MINUTE_MS = 60_000;
const FORGOTTEN_AFTER_MS = 24 * 60 * MINUTE_MS;
const MOST_CONTESTED = 10_000;

/**
 * Event ids of one trigger node (API document, "Delivery", rules 3 and 5). An id is pending from its claim until it
 * is settled; then it is remembered if its execution started, and forgotten otherwise.
 *
 * A start that n8n does not answer may be queued behind others for hours, or was dropped, as when somebody cancels a
 * queued execution: nothing tells. So a repeat may start after a minute, and again after two, four and so on, and
 * whichever start begins first has the event.
 */
export class Duplicates {
	/** The oldest first. */
	private readonly pending = new Map<string, Pending>();

	private readonly done: RecentIds;

	/** Events with several starts, and the execution that began first. */
	private readonly contested = new Map<string, string | undefined>();

	/** @param evicted called with the number of ids that had to be forgotten within their 24 hours */
	constructor(evicted: (count: number) => void) {
		this.done = new RecentIds(evicted);
	}

	get busy(): boolean {
		return this.pending.size > 0;
	}

	claim(id: string): Claim {
		const now = Date.now();
		this.forgetLost(now);
		if (this.done.has(id)) return { state: 'done' };
		const underway = this.pending.get(id);
		if (underway && now - underway.since < MINUTE_MS * 2 ** (underway.starts - 1)) {
			return { state: 'pending', settled: underway.promise };
		}
		if (underway) this.contest(id, underway);
		const claimed = { ...defer<Settlement>(), since: now, starts: (underway?.starts ?? 0) + 1 };
		// Set anew, it moves to the end.
		this.pending.delete(id);
		this.pending.set(id, claimed);
		let isSettled = false;
		const settle = (settlement: Settlement) => {
			// Settled twice, it could end a later claim of the same id.
			if (isSettled) return;
			isSettled = true;
			if (settlement === 'started') this.done.add(id);
			claimed.resolve(settlement);
			const latest = this.pending.get(id);
			// What an older start was refused for says nothing of the latest one.
			if (latest !== claimed && settlement !== 'started') return;
			latest?.resolve(settlement);
			this.pending.delete(id);
		};
		return { state: 'new', settled: claimed.promise, settle };
	}

	/** Whether an execution is the one that has an event: always, but where another start of it has begun before. */
	begins(id: string, executionId: string): boolean {
		if (!this.contested.has(id)) return true;
		const first = this.contested.get(id) ?? executionId;
		this.contested.set(id, first);
		return first === executionId;
	}

	private contest(id: string, { resolve }: Pending): void {
		resolve('refused');
		this.contested.set(id, this.contested.get(id));
		const [oldest] = this.contested.keys();
		if (this.contested.size > MOST_CONTESTED) this.contested.delete(oldest);
	}

	/** What was never answered and is repeated no more must not be kept for ever. */
	private forgetLost(now: number): void {
		for (const [id, { since, resolve }] of this.pending) {
			if (now - since < FORGOTTEN_AFTER_MS) return;
			this.pending.delete(id);
			resolve('refused');
		}
	}
}
