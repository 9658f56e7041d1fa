import { sleep, type INodeExecutionData } from 'n8n-workflow';
import { defer, waitUntil } from '../patience';
import type { Settlement } from './settlement';

/** What an event brings along on a trip. */
export interface Rider {
	item: INodeExecutionData;
	/** Milliseconds at which it happened; of its arrival if it does not say. */
	time: number;
}

/** A start of an execution that several deliveries share. */
export interface Trip<T> {
	/** Everything that rides, in the order of arrival. */
	members: T[];
	/** Whether this delivery is the one through which n8n starts the execution; it must `report`. */
	leads: boolean;
	settled: Promise<Settlement>;
	/** Tells the others what n8n answered to the leading delivery. */
	report(settled: Promise<Settlement>): void;
}

interface Waiting<T> {
	member: T;
	capacity: number;
	board(trip: Trip<T> | undefined): void;
}

// A start that takes this long holds back nobody else.
const LONGEST_START_MS = 9_000;

/**
 * Group commit: while one start is in flight, further deliveries gather, and the next start takes them along
 * together. With nothing in flight a delivery leaves at once and alone.
 */
export class Gathering<T> {
	private waiting: Array<Waiting<T>> = [];
	private inFlight = false;

	get busy(): boolean {
		return this.inFlight || this.waiting.length > 0;
	}

	/**
	 * Joins the next start.
	 *
	 * @param capacity how many may share it
	 * @param deadline when waiting for it no longer makes sense, in milliseconds as of `Date.now`
	 * @returns undefined if the deadline came first; then the member rides nowhere
	 */
	async join(member: T, capacity: number, deadline: number): Promise<Trip<T> | undefined> {
		const { promise, resolve } = defer<Trip<T> | undefined>();
		const seat: Waiting<T> = { member, capacity, board: resolve };
		this.waiting.push(seat);
		if (!this.inFlight) this.depart();
		else void this.giveUp(seat, deadline);
		return await promise;
	}

	private async giveUp(seat: Waiting<T>, deadline: number): Promise<void> {
		await sleep(Math.max(0, deadline - Date.now()));
		const position = this.waiting.indexOf(seat);
		if (position === -1) return;
		this.waiting.splice(position, 1);
		seat.board(undefined);
	}

	private depart(): void {
		if (this.waiting.length === 0) return;
		const seats = this.waiting.splice(0, Math.max(1, this.waiting[0].capacity));
		const members = seats.map(({ member }) => member);
		const { promise: settled, resolve } = defer<Settlement>();
		this.inFlight = true;
		const report = (reported: Promise<Settlement>) => {
			void reported.then(resolve);
			void waitUntil(Date.now() + LONGEST_START_MS, settled).then(() => {
				this.inFlight = false;
				this.depart();
			});
		};
		seats.forEach(({ board }, index) => board({ members, leads: index === 0, settled, report }));
	}
}

/** The items of a trip, in the order in which their events happened (API document, "Delivery", rule 4). */
export function inOrder(riders: Rider[]): INodeExecutionData[] {
	return [...riders].sort((first, second) => first.time - second.time).map(({ item }) => item);
}
