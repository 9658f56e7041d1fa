/** Without a reason of ours, Node makes an exception with a stack for each wait that has ended. */
const ENDED = 'ended';

/** Waits for a promise until a deadline (as of `Date.now`); undefined if that comes first. */
export async function waitUntil<T>(deadline: number, promise: Promise<T>): Promise<T | undefined> {
	const ending = new AbortController();
	const pause = pauseFor(deadline - Date.now(), ending.signal).then(() => undefined);
	try {
		return await Promise.race([promise, pause]);
	} finally {
		ending.abort(ENDED);
	}
}

/** Node fires a longer timer at once, and refuses a fraction of a millisecond. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits without keeping the process alive. False if the signal has ended the wait. */
export async function pauseFor(milliseconds: number, signal: AbortSignal): Promise<boolean> {
	if (signal.aborted) return false;

	const wholeMs = Math.ceil(Math.min(Math.max(milliseconds || 0, 0), MAX_TIMER_MS));
	await new Promise<void>((resolve) => {
		const timer = AbortSignal.timeout(wholeMs);
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

export interface Queue {
	/** The last task, while one is running. */
	pending?: Promise<unknown>;
}

/** Runs a task when those before it have ended, well or not. */
export async function serialize<T>(queue: Queue, task: () => Promise<T>): Promise<T> {
	const mine = (queue.pending ?? Promise.resolve()).then(task, task);
	queue.pending = mine;

	try {
		return await mine;
	} finally {
		if (queue.pending === mine) queue.pending = undefined;
	}
}
