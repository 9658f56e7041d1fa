import { dropOldest } from '../../processState';
import type { Settlement } from '../../webhooks/http';
import { makeDeferred, type Deferred } from '../../webhooks/patience';
import { fingerprintOf, RecentIds } from './recentIds';

/** What is known about an event id at the moment it arrives. */
export type Acceptance =
	/** Nobody else has it: the one who claimed it must settle it, and is told what that comes to. */
	| {
			state: 'new';
			settled: Promise<Settlement>;
			settle(settlement: Settlement): Settlement;
			/** Says that it is handed to n8n so many milliseconds from now at the latest, and not at once. */
			delay(milliseconds: number): void;
	  }
	/** Another delivery of the same event is under way. */
	| { state: 'pending'; settled: Promise<Settlement> }
	/** It was accepted. */
	| { state: 'done' };

interface Pending extends Deferred<Settlement> {
	since: number;
	/** How many deliveries of the event were handed to n8n so far. */
	starts: number;
	/** Whether one of them is known to run: n8n answers for it in any case. */
	runs: boolean;
}

/** An event with several starts. */
interface Contest {
	/** The execution that began first, and has the event unless it fails. */
	first?: string;
	/** How many began after it and were left without the event; each of them ends well. */
	empty: number;
}

/** What an older load of the package tells a newer one of the events that have come. */
export interface ReceivedBefore {
	/** Fingerprints of the ids of events that are done, the oldest first. */
	done: Iterable<string>;
	/** By id, the oldest first. */
	pending: Iterable<[string, Omit<Pending, 'resolve'>]>;
	contests: Iterable<[string, Contest]>;
}

const FORGOTTEN_AFTER_MS = 24 * 60 * 60_000;
const MOST_BEGUN = 10_000;

/**
 * Event ids of one trigger node (API document, "Delivery", rules 3 and 5). An id is pending from its claim until it
 * is settled; then it is remembered if it was accepted, and forgotten otherwise.
 *
 * A start that n8n does not answer may be queued behind others for hours, or was dropped, as when somebody cancels a
 * queued execution: nothing tells. So a repeat may start after a while, and again after two, four and so on, and
 * whichever start begins first has the event.
 */
export class Deduplicator {
	/** The oldest first. */
	private readonly pending = new Map<string, Pending>();

	private readonly done: RecentIds;
	private readonly contests = new Map<string, Contest>();

	/** Events of executions that n8n had kept from before its start and went on with, though nobody claimed them here. */
	private readonly unaccepted = new Set<string>();

	/**
	 * @param evicted called with the number of ids that had to be forgotten within their 24 hours
	 * @param before left out, nothing came before
	 */
	constructor(evicted: (count: number) => void, before?: ReceivedBefore) {
		this.done = new RecentIds(evicted);
		for (const fingerprint of before?.done ?? []) this.done.keep(fingerprint);
		for (const [id, contest] of before?.contests ?? []) this.contests.set(id, { ...contest });
		for (const [id, pending] of before?.pending ?? []) this.follow(id, pending);
	}

	/** What code that was loaded later has to know. */
	handOver(): ReceivedBefore {
		const unaccepted = [...this.unaccepted].map(fingerprintOf);
		return {
			done: [...this.done.all(), ...unaccepted],
			pending: [...this.pending],
			contests: [...this.contests],
		};
	}

	get busy(): boolean {
		return this.pending.size > 0;
	}

	/** @param patience how many milliseconds the first start may remain unanswered until a repeat may start */
	accept(id: string, patience: () => number): Acceptance {
		const now = Date.now();
		this.forgetLost(now);
		const key = fingerprintOf(id);
		if (this.done.holds(key) || this.unaccepted.has(id)) return { state: 'done' };
		const underway = this.pending.get(id);
		if (
			underway &&
			(underway.runs || now - underway.since < patience() * 2 ** (underway.starts - 1))
		)
			return { state: 'pending', settled: underway.promise };
		if (underway) {
			underway.resolve('deferred');
			this.open(id);
		}
		const start: Pending = {
			...makeDeferred<Settlement>(),
			since: now,
			starts: (underway?.starts ?? 0) + 1,
			runs: false,
		};
		// Set anew, it moves to the end.
		this.pending.delete(id);
		this.pending.set(id, start);
		let settled: Settlement | undefined;
		// Settled twice, it could end a later claim of the same id.
		const settleOnce = (settlement: Settlement) =>
			(settled ??= this.settle(id, key, start, settlement));
		const delay = (milliseconds: number) => {
			start.since = Date.now() + milliseconds;
		};
		return { state: 'new', settled: start.promise, settle: settleOnce, delay };
	}

	/**
	 * Whether an execution is the one that has an event: always, but where another execution of it has begun before.
	 *
	 * @param isDone whether an event is done as soon as its execution has begun
	 */
	begins(id: string, executionId: string, isDone = false): boolean {
		const underway = this.pending.get(id);
		if (underway) underway.runs = true;
		if (isDone) {
			const key = fingerprintOf(id);
			if (!underway && !this.done.holds(key)) {
				dropOldest(this.unaccepted.add(id), MOST_BEGUN);
				return true;
			}
			this.done.keep(key);
			// n8n may answer only at the end of the execution.
			underway?.resolve('accepted');
			this.open(id);
		}
		const contest = this.contests.get(id);
		if (!contest) return true;
		contest.first ??= executionId;
		if (contest.first === executionId) return true;
		if (!isDone) contest.empty += 1;
		return false;
	}

	private settle(id: string, key: string, start: Pending, told: Settlement): Settlement {
		const contest = this.contests.get(id);
		// Of an event that is done, the end of its execution says nothing any more.
		const settlement = this.done.holds(key) ? 'accepted' : told;
		if (settlement === 'accepted' && contest && contest.empty > 0 && !this.done.holds(key)) {
			// It did nothing: what becomes of the event is up to the one that has it.
			contest.empty -= 1;
			start.resolve('deferred');
			return 'deferred';
		}
		if (settlement === 'accepted') this.done.keep(key);
		start.resolve(settlement);
		const latest = this.pending.get(id);
		const hasFailed = contest?.first !== undefined && settlement === 'deferred';
		if (hasFailed) contest.first = undefined;
		// Where an older start was deferred before it began, that says nothing of the latest one.
		else if (latest !== start && settlement !== 'accepted') return settlement;
		latest?.resolve(settlement);
		this.pending.delete(id);
		return settlement;
	}

	/** What is under way in older code ends there, and this one is told. */
	private follow(id: string, { promise, since, starts, runs }: Omit<Pending, 'resolve'>): void {
		const start: Pending = { ...makeDeferred<Settlement>(), since, starts, runs };
		this.pending.set(id, start);
		void promise.then((settlement) => this.settle(id, fingerprintOf(id), start, settlement));
	}

	private open(id: string): void {
		if (!this.contests.has(id)) this.contests.set(id, { empty: 0 });
		dropOldest(this.contests, MOST_BEGUN);
	}

	/** What was never answered and is repeated no more must not be kept for ever. */
	private forgetLost(now: number): void {
		for (const [id, { since, resolve }] of this.pending) {
			if (now - since < FORGOTTEN_AFTER_MS) return;
			this.pending.delete(id);
			resolve('deferred');
		}
	}
}
