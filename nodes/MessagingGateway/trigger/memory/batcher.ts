import { sleep, type INodeExecutionData } from 'n8n-workflow';
import type { Settlement } from '../../webhooks/http';
import { makeDeferred, waitUntil, type Deferred } from '../../webhooks/patience';

/** What an event adds to a batch. */
export interface BatchEntry {
	item: INodeExecutionData;
	/** Milliseconds at which it happened; of its arrival if it does not say. */
	time: number;
}

/** A start of an execution that several deliveries share. */
export interface Batch<T> {
	/** All entries, in the order of arrival. */
	members: T[];
	/** Whether this delivery is the one through which n8n starts the execution; it must `report`. */
	leads: boolean;
	settled: Promise<Settlement>;
	/** Tells the others what n8n answered to the leading delivery. */
	report(settlement: Settlement): void;
}

/** On which terms an event joins. */
export interface Terms {
	/** How many may share its start, itself included. */
	capacity: number;
	/** When waiting for it no longer makes sense, in milliseconds as of `Date.now`. */
	deadline: number;
	/** Whether n8n answers at the end of the execution, long after its start. */
	answeredAtEnd: boolean;
}

interface Waiting<T> {
	member: T;
	terms: Terms;
	enter(batch: Batch<T> | undefined): void;
}

// A start that takes this long holds back nobody else.
const LONGEST_START_MS = 9_000;
// The same where neither an answer nor anything else tells of the start.
const LONGEST_UNSEEN_START_MS = 250;

/**
 * Group commit: while one start is in flight, further deliveries gather, and the next start takes them along
 * together. With nothing in flight a delivery leaves at once and alone. A start that n8n answers at the end of the
 * execution is in flight until that has begun.
 */
export class Batcher<T> {
	private waiting: Array<Waiting<T>> = [];
	private inFlight: { start: Deferred<void>; terms: Terms } | undefined;
	/** Whether executions begin in this process, and not on a worker of queue mode. */
	private seesBeginnings = false;

	get busy(): boolean {
		return this.inFlight !== undefined || this.waiting.length > 0;
	}

	/**
	 * Joins the next start.
	 *
	 * @returns undefined if the deadline came first; then the entry is in no batch
	 */
	async join(member: T, terms: Terms): Promise<Batch<T> | undefined> {
		const { promise, resolve } = makeDeferred<Batch<T> | undefined>();
		const seat: Waiting<T> = { member, terms, enter: resolve };
		this.waiting.push(seat);
		if (!this.inFlight) this.flush();
		else void this.giveUp(seat);
		return await promise;
	}

	/** Tells that an execution of this trigger has begun in this process. */
	hasBegun(): void {
		this.seesBeginnings = true;
		if (this.inFlight?.terms.answeredAtEnd) this.inFlight.start.resolve();
	}

	private async giveUp(seat: Waiting<T>): Promise<void> {
		await sleep(Math.max(0, seat.terms.deadline - Date.now()));
		const position = this.waiting.indexOf(seat);
		if (position === -1) return;
		this.waiting.splice(position, 1);
		seat.enter(undefined);
	}

	private flush(): void {
		const seats = this.waiting.splice(0, this.countNext());
		if (seats.length === 0) return;
		const members = seats.map(({ member }) => member);
		const [{ terms }] = seats;
		const { promise: settled, resolve: report } = makeDeferred<Settlement>();
		const start = makeDeferred<void>();
		this.inFlight = { start, terms };
		void settled.then(() => start.resolve());
		const isSeen = this.seesBeginnings || !terms.answeredAtEnd;
		const longest = isSeen ? LONGEST_START_MS : LONGEST_UNSEEN_START_MS;
		void waitUntil(Date.now() + longest, start.promise).then(() => {
			this.inFlight = undefined;
			this.flush();
		});
		seats.forEach(({ enter }, index) => enter({ members, leads: index === 0, settled, report }));
	}

	/** How many leave together: the most of those who wait longest that is not too many for any of them. */
	private countNext(): number {
		let room = Infinity;
		const first = this.waiting.findIndex(({ terms }, index) => {
			room = Math.min(room, Math.max(1, terms.capacity));
			return index >= room;
		});
		return first === -1 ? this.waiting.length : first;
	}
}

/** The items of a batch, in the order in which their events happened (API document, "Delivery", rule 4). */
export function inOrder(entries: BatchEntry[]): INodeExecutionData[] {
	return [...entries].sort((first, second) => first.time - second.time).map(({ item }) => item);
}
