import { dropOldest } from '../processState';
import type { GatewayEvent } from '../webhooks/event';

const MOST_KEPT = 5_000;

/** What open questions made of a message. */
export interface Look {
	/** Whether a question has taken it for its answer. */
	isTaken: boolean;
	/** Whether the person was told to quote the question that is meant. */
	isToldToQuote: boolean;
	/** Of each question to which it is forwarded, by webhook ID, whether the question has it. */
	forwarded: Map<string, Promise<boolean>>;
	/** When this process has first seen it. */
	since: number;
}

/** What the questions of one account made of the latest messages. The event's ID tells messages apart: an edit is an event of its own. */
export class Looks {
	/** @param looks by event ID */
	constructor(private readonly looks: Map<string, Look>) {}

	at({ id }: GatewayEvent): Look {
		const look = this.looks.get(id) ?? {
			isTaken: false,
			isToldToQuote: false,
			forwarded: new Map<string, Promise<boolean>>(),
			since: Date.now(),
		};
		keep(this.looks, id, look, MOST_KEPT);
		return look;
	}

	/** Notes that a question has taken a message for its answer. */
	noteTaken(event: GatewayEvent): void {
		this.at(event).isTaken = true;
	}
}

/** Keeps a value under a key as the latest, and forgets the oldest of too many. */
export function keep<T>(map: Map<string, T>, key: string, value: T, most: number): void {
	map.delete(key);
	map.set(key, value);
	dropOldest(map, most);
}

/** Adds a value to a set as the latest, and forgets the oldest of too many. */
export function keepIn(set: Set<string>, value: string, most: number): void {
	set.delete(value);
	set.add(value);
	dropOldest(set, most);
}
