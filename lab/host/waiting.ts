import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 250;

/**
 * Asks again and again until there is an answer other than undefined or false. Its own time goes on under fake timers.
 * @param what what is awaited, for the error's text, e.g. `the reply in the phone`
 * @throws when `timeout` milliseconds have passed, with what the last try threw as its cause
 */
export async function waitFor<T>(
	what: string,
	ask: () => Promise<T | undefined | false> | T | undefined | false,
	timeout = 30_000,
): Promise<T> {
	const deadline = performance.now() + timeout;
	let between = FIRST_PAUSE_MS;
	let cause: unknown;
	while (true) {
		try {
			const answer = await ask();
			if (answer !== undefined && answer !== false) return answer;
			cause = undefined;
		} catch (error) {
			cause = error;
		}
		if (performance.now() >= deadline) {
			throw new Error(`Waited ${timeout / 1000} s in vain for ${what}.`, { cause });
		}
		await pause(between);
		between = Math.min(between * 1.5, LONGEST_PAUSE_MS);
	}
}
