import { sleep } from 'n8n-workflow';

/** Thrown out of a wait that a person ended by cancelling the execution. */
export class Cancelled extends Error {
	constructor() {
		super('The execution was cancelled');
	}
}

/** Waits, or throws `Cancelled` as soon as the execution is cancelled. */
export async function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	if (signal?.aborted) throw new Cancelled();
	if (milliseconds <= 0) return;
	let stopListening = (): void => {};
	const cancelled = new Promise<void>((resolve) => {
		const listener = (): void => resolve();
		signal?.addEventListener('abort', listener, { once: true });
		stopListening = () => signal?.removeEventListener('abort', listener);
	});
	await Promise.race([sleep(milliseconds), cancelled]);
	stopListening();
	if (signal?.aborted) throw new Cancelled();
}

/** A longer wish of the gateway is not waited for: the items after it are told so at once. */
const LONGEST_HOLD_MS = 5 * 60_000;

/** Decides when the next request may begin. */
export class Pace {
	private nextSlot = 0;

	private heldUntil = 0;

	/** @param perMinute at most how many begin in a minute; undefined for as many as there are */
	constructor(
		private readonly perMinute: number | undefined,
		private readonly signal: AbortSignal | undefined,
	) {}

	/** Resolves when the caller may make its request. */
	async next(): Promise<void> {
		let slot = Date.now();
		if (this.perMinute !== undefined) {
			slot = Math.max(slot, this.nextSlot);
			// Only ever later than even, so that no minute holds more than was asked for.
			this.nextSlot = slot + (60_000 / this.perMinute) * (1 + Math.random() * 0.2);
		}
		// Looked at again after each wait, since the gateway may have asked for quiet in the meantime.
		do {
			await waitFor(Math.max(slot, this.heldUntil) - Date.now(), this.signal);
		} while (this.heldUntil > Date.now());
	}

	/** Lets nothing begin for as long as the gateway asked for (`Retry-After` of a 429). */
	hold(milliseconds: number): void {
		if (milliseconds > LONGEST_HOLD_MS) return;
		this.heldUntil = Math.max(this.heldUntil, Date.now() + milliseconds);
	}

	/** Until when nothing begins, in milliseconds since 1970. */
	get quietUntil(): number {
		return this.heldUntil;
	}
}
