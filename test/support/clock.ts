import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

interface Sleep {
	due: number;
	end(): void;
}

/** After so many turns, what is awaited sleeps, or needs a processor. */
const QUICK_TURNS = 200;
/** Turns are counted, not time, since a busy machine is slow. Most waits need fewer than a hundred. */
const MAX_TURNS = 20_000;

/** The trigger sleeps for half a minute at least between two checks of its webhook. A shorter wait is a deadline. */
const SHORTEST_SLEEP_MS = 30_000;

/** Lets `AbortSignal.timeout` follow jest's fake timers, until the test calls `jest.restoreAllMocks`. */
export function fakeTimeoutSignals(): void {
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(followTimers);
}

function followTimers(milliseconds: number): AbortSignal {
	const controller = new AbortController();
	const timer = setTimeout(() => controller.abort(), milliseconds);
	// If nobody listens any more, the timer is over.
	controller.signal.removeEventListener = () => clearTimeout(timer);
	return controller.signal;
}

/** A clock that moves only when a test says so. `Date`, `setTimeout` and `AbortSignal.timeout` follow it, connections do not. */
export interface Clock {
	/** Waits for a promise or a condition. Each turn of the event loop is a millisecond of the clock, later more. */
	until<T>(awaited: Promise<T> | (() => boolean)): Promise<T>;
	/** Lets time pass. Waits until what has slept sleeps again, and then calls `onSleep`. */
	pass(milliseconds: number, onSleep?: () => Promise<void>): Promise<void>;
}

/** Replaces the clock, until the test calls `jest.useRealTimers` and `jest.restoreAllMocks`. */
export function startClock(): Clock {
	jest.useFakeTimers({
		doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'hrtime'],
	});
	// Pauses are spread at random: here they have their middle.
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	const sleeps = new Set<Sleep>();
	let begun = 0;
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		if (milliseconds < SHORTEST_SLEEP_MS) return followTimers(milliseconds);
		const controller = new AbortController();
		const { signal } = controller;
		const sleep = { due: Date.now() + milliseconds, end: () => controller.abort() };
		begun += 1;
		sleeps.add(sleep);
		// If nobody listens any more, the sleep is over.
		signal.removeEventListener = () => void sleeps.delete(sleep);
		return signal;
	});

	async function until<T>(awaited: Promise<T> | (() => boolean)): Promise<T> {
		let hasEnded = false;
		const end = (): void => void (hasEnded = true);
		if (awaited instanceof Promise) awaited.then(end, end);
		for (let turn = 0; !(awaited instanceof Promise ? hasEnded : awaited()); turn++) {
			if (turn > MAX_TURNS) throw new Error('What is awaited does not come');
			const isQuick = turn < QUICK_TURNS;
			await (isQuick ? nextTurn() : pause(1));
			jest.advanceTimersByTime(isQuick ? 1 : 10);
		}
		return await (awaited as Promise<T>);
	}

	async function pass(milliseconds: number, onSleep?: () => Promise<void>): Promise<void> {
		const end = Date.now() + milliseconds;
		while (true) {
			const [next] = [...sleeps].sort((one, other) => one.due - other.due);
			if (next === undefined || next.due > end) break;
			jest.advanceTimersByTime(Math.max(0, next.due - Date.now()));
			const before = begun;
			next.end();
			await until(() => begun > before);
			await onSleep?.();
		}
		jest.advanceTimersByTime(Math.max(0, end - Date.now()));
		await nextTurn();
	}

	return { until, pass };
}
