import { sleep } from 'n8n-workflow';

/**
 * The latest moment for an answer, from the arrival of a delivery. The gateway gives up after 10 seconds (API
 * document, "Limits"); the rest is for n8n, before and after our part.
 */
export const ANSWER_WITHIN_MS = 8_500;
/** The latest moment for a start of an execution, so that n8n can still answer in time. */
export const START_WITHIN_MS = 6_000;

/**
 * How long n8n may leave a start unanswered before a repeat may start as well, by what its answer tells of. In queue
 * mode nothing tells this process whether an execution still runs on its worker, was stopped, or is lost.
 */
export const UNANSWERED_MS = { start: 60_000, end: 5 * 60_000 };

/** Waits for a promise until a deadline (milliseconds as of `Date.now`); undefined if it comes first. */
export async function waitUntil<T>(deadline: number, promise: Promise<T>): Promise<T | undefined> {
	const left = Math.max(0, deadline - Date.now());
	return await Promise.race([promise, sleep(left).then(() => undefined)]);
}

/** A promise together with the function that fulfils it. */
export interface Deferred<T> {
	promise: Promise<T>;
	resolve(value: T): void;
}

export function makeDeferred<T>(): Deferred<T> {
	let resolve: (value: T) => void = () => {};
	const promise = new Promise<T>((fulfil) => {
		resolve = fulfil;
	});
	return { promise, resolve };
}

/**
 * Waits, and keeps no process alive that has nothing else to do. Ends early when the signal comes.
 *
 * @returns whether the time is over; false if the signal came
 */
export async function pauseFor(milliseconds: number, signal: AbortSignal): Promise<boolean> {
	if (signal.aborted) return false;
	await new Promise<void>((resolve) => {
		const timer = AbortSignal.timeout(milliseconds);
		const finish = (): void => {
			timer.removeEventListener('abort', finish);
			signal.removeEventListener('abort', finish);
			resolve();
		};
		timer.addEventListener('abort', finish);
		signal.addEventListener('abort', finish);
	});
	return !signal.aborted;
}
