import { sleep, type IDataObject } from 'n8n-workflow';
import { sharedMap } from '../processState';

/** Thrown out of a wait that a person ended by cancelling the execution. */
export class Cancelled extends Error {
	constructor() {
		super('The execution was cancelled');
	}
}

/** Thrown out of a wait that ended because another item failed where the node is to stop. */
export class Stopped extends Error {
	constructor() {
		super('Another item failed first');
	}
}

/** Waits, or throws as soon as the signal comes: `Stopped` if that is its reason, else `Cancelled`. */
export async function waitFor(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
	if (signal?.aborted) throw whyEnded(signal);
	if (durationMs <= 0) return;
	let stopListening = (): void => {};
	const cancelled = new Promise<void>((resolve) => {
		const listener = (): void => resolve();
		signal?.addEventListener('abort', listener, { once: true });
		stopListening = () => signal?.removeEventListener('abort', listener);
	});
	await Promise.race([sleep(durationMs), cancelled]);
	stopListening();
	if (signal?.aborted) throw whyEnded(signal);
}

function whyEnded({ reason }: AbortSignal): Error {
	return reason instanceof Stopped ? reason : new Cancelled();
}

/**
 * When the next request of one token may begin, in milliseconds as of `performance.now`: it is the same for every load of
 * the package in the process, and goes on evenly when somebody sets the computer's clock.
 */
interface Timetable {
	/** By the person's own wish. */
	nextSlot: number;
	/** By the gateway's. */
	pausedUntil: number;
	/** Who waits for a slot, first come first. */
	line: Set<symbol>;
}

/** By fingerprint of a token while this process lives: a loop's next round, or another workflow, has the same number. */
const timetables = sharedMap<Timetable>('rate limits');

const MOST_TIMETABLES = 1000;

/** What the gateway wants to be longer is not waited for: until then nothing is asked of it. */
const LONGEST_PAUSE_MS = 5 * 60_000;

/** A gateway whose clock is wrong must not silence a number until n8n is started anew. */
const LONGEST_SILENCE_MS = 24 * 60 * 60_000;

/** Decides when the next request may begin. */
export class RateLimiter {
	private readonly timetable: Timetable;

	/**
	 * @param fingerprint of the token whose requests these are: one that replaces another in the same credential begins
	 * anew
	 * @param signal ends all waiting
	 */
	constructor(
		fingerprint: string,
		private readonly signal: AbortSignal | undefined,
	) {
		const known = timetables.get(fingerprint);
		this.timetable = known ?? { nextSlot: 0, pausedUntil: 0, line: new Set() };
		if (known !== undefined) return;
		if (timetables.size >= MOST_TIMETABLES) forgetIdleTimetables();
		timetables.set(fingerprint, this.timetable);
	}

	/** Whether the gateway wants to be left alone now. */
	get isPaused(): boolean {
		return this.timetable.pausedUntil > performance.now();
	}

	/**
	 * Resolves when the caller may make its request.
	 *
	 * @param perMinute at most how many begin in a minute; undefined for as many as there are
	 * @throws Cancelled or Stopped
	 * @throws Error in a person's words if it may not make it at all
	 */
	async next(perMinute: number | undefined): Promise<void> {
		const { line } = this.timetable;
		const place = Symbol('place in line');
		if (perMinute !== undefined) line.add(place);
		try {
			let wait = 0;
			do {
				await waitFor(wait, this.signal);
				wait = this.take(place, perMinute);
			} while (wait > 0);
		} finally {
			line.delete(place);
		}
	}

	/** Lets nothing begin for as long as the gateway asked for (`Retry-After`). */
	pause(durationMs: number): void {
		const pausedUntil = performance.now() + Math.min(durationMs, LONGEST_SILENCE_MS);
		this.timetable.pausedUntil = Math.max(this.timetable.pausedUntil, pausedUntil);
	}

	/**
	 * Takes the slot that is due, or says how long to wait before trying again. None is taken ahead of its time:
	 * whoever is cancelled while waiting would leave it empty, and everybody behind would wait for nothing.
	 */
	private take(place: symbol, perMinute: number | undefined): number {
		const { nextSlot, pausedUntil, line } = this.timetable;
		const now = performance.now();
		if (pausedUntil - now > LONGEST_PAUSE_MS) throw new Error(describePause(pausedUntil, now));
		const due = perMinute === undefined ? pausedUntil : Math.max(nextSlot, pausedUntil);
		// A timer cannot be set for more than 24 days.
		if (due > now) return Math.min(Math.ceil(due - now), LONGEST_PAUSE_MS);
		if (perMinute === undefined) return 0;
		// Timers that are due at once wake in no order.
		const [first] = line;
		if (place !== first) return 1;
		// Only ever later than even, so that no minute holds more than was asked for.
		this.timetable.nextSlot = now + (60_000 / perMinute) * (1 + Math.random() * 0.2);
		return 0;
	}
}

function forgetIdleTimetables(): void {
	const now = performance.now();
	for (const [fingerprint, { nextSlot, pausedUntil, line }] of timetables)
		if (nextSlot <= now && pausedUntil <= now && line.size === 0) timetables.delete(fingerprint);
}

function describePause(pausedUntil: number, now: number): string {
	const time = new Date(Date.now() + pausedUntil - now)
		.toISOString()
		.slice(0, 16)
		.replace('T', ' ');
	const minutes = Math.ceil((pausedUntil - now) / 60_000);
	return `The gateway asked for a pause of ${minutes} more minutes, until ${time} UTC. The node waits for ${LONGEST_PAUSE_MS / 60_000} minutes at most. Try again after the pause.`;
}

/**
 * The option "Messages Per Minute", undefined if it is not used.
 *
 * @throws Error in a person's words if it cannot be a pace
 */
export function readPerMinute({ messagesPerMinute }: IDataObject): number | undefined {
	if ([undefined, null, ''].includes(messagesPerMinute as string)) return undefined;
	const perMinute = Number(messagesPerMinute);
	if (perMinute > 0) return perMinute;
	throw new Error(
		'Messages Per Minute must be a number above 0. Remove the option to send without a limit.',
	);
}
