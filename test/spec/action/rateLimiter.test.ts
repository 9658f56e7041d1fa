import {
	Cancelled,
	RateLimiter,
	readPerMinute,
	Stopped,
	waitFor,
} from '../../../nodes/MessagingGateway/action/rateLimiter';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

let numbers = 0;
/** A phone number that no other test has sent from. */
const newNumber = () => `number ${numbers++}`;

/** Notes after how many milliseconds each of several requests may begin. */
function noteStarts(pace: RateLimiter, perMinute: number | undefined, count: number): number[] {
	const begun = Date.now();
	const starts: number[] = [];
	for (let request = 0; request < count; request++) {
		void pace.next(perMinute).then(() => starts.push(Date.now() - begun));
	}
	return starts;
}

/** A number that has to pause for ten seconds, and one that has sent just now, of six messages a minute. */
async function pauseAndPace(): Promise<string[]> {
	const [paused, paced] = [newNumber(), newNumber()];
	new RateLimiter(paused, undefined).pause(10_000);
	await new RateLimiter(paced, undefined).next(6);
	return [paused, paced];
}

async function expectBothToWait(both: string[]): Promise<void> {
	const starts = both.map((number) => noteStarts(new RateLimiter(number, undefined), 6, 1));
	await jest.advanceTimersByTimeAsync(9_999);
	expect(starts).toEqual([[], []]);
	await jest.advanceTimersByTimeAsync(2_001);
	expect(starts.map(({ length }) => length)).toEqual([1, 1]);
}

describe('Pace', () => {
	it('holds nothing up without a limit', async () => {
		const starts = noteStarts(new RateLimiter(newNumber(), undefined), undefined, 100);
		await jest.advanceTimersByTimeAsync(0);
		expect(starts).toEqual(Array(100).fill(0));
	});

	it('lets no more begin in any minute than asked for, and not many fewer', async () => {
		const starts = noteStarts(new RateLimiter(newNumber(), undefined), 30, 200);
		await jest.advanceTimersByTimeAsync(10 * 60_000);
		expect(starts).toHaveLength(200);
		for (const start of starts) {
			expect(
				starts.filter((other) => other >= start && other < start + 60_000).length,
			).toBeLessThanOrEqual(30);
		}
		expect(starts.at(-1)! / 60_000).toBeLessThan((200 / 30) * 1.2);
	});

	it('is a little irregular', async () => {
		const starts = noteStarts(new RateLimiter(newNumber(), undefined), 60, 50);
		await jest.advanceTimersByTimeAsync(2 * 60_000);
		const gaps = starts.slice(1).map((start, index) => start - starts[index]);
		expect(new Set(gaps).size).toBeGreaterThan(25);
	});

	it('is one for all runs of the same number, and another for each other number', async () => {
		const number = newNumber();
		await new RateLimiter(number, undefined).next(60);
		const sameNumber = noteStarts(new RateLimiter(number, undefined), 60, 1);
		const otherNumber = noteStarts(new RateLimiter(newNumber(), undefined), 60, 1);
		await jest.advanceTimersByTimeAsync(2000);
		expect(sameNumber[0]).toBeGreaterThanOrEqual(1000);
		expect(otherNumber[0]).toBe(0);
	});

	it('lets nothing begin while the gateway wants a pause', async () => {
		const number = newNumber();
		const pace = new RateLimiter(number, undefined);
		pace.pause(7000);
		pace.pause(3000);
		const starts = [
			noteStarts(pace, undefined, 2),
			noteStarts(new RateLimiter(number, undefined), undefined, 1),
		];
		await jest.advanceTimersByTimeAsync(6999);
		expect(starts.flat()).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		expect(starts.flat()).toEqual([7000, 7000, 7000]);
	});

	it('also holds those who wait already, and spreads them anew after the pause', async () => {
		const pace = new RateLimiter(newNumber(), undefined);
		const starts = noteStarts(pace, 60, 6);
		await jest.advanceTimersByTimeAsync(0);
		pace.pause(30_000);
		await jest.advanceTimersByTimeAsync(60_000);
		expect(starts).toHaveLength(6);
		expect(starts[1]).toBeGreaterThanOrEqual(30_000);
		for (let index = 2; index < 6; index++)
			expect(starts[index] - starts[index - 1]).toBeGreaterThanOrEqual(1000);
	});

	it('lets no run begin while the gateway wants a pause too long to wait for, and says how long that is', async () => {
		const number = newNumber();
		const pace = new RateLimiter(number, undefined);
		pace.pause(60 * 60_000);
		await expect(pace.next(undefined)).rejects.toThrow('asked for a pause of');
		const refusal =
			'pause of 60 more minutes, until 2027-01-15 09:00 UTC. The node waits for 5 minutes at most.';
		await expect(new RateLimiter(number, undefined).next(undefined)).rejects.toThrow(refusal);
		await expect(new RateLimiter(newNumber(), undefined).next(undefined)).resolves.toBeUndefined();
	});

	it('waits for as long a pause as it says, to the millisecond', async () => {
		const pace = new RateLimiter(newNumber(), undefined);
		pace.pause(5 * 60_000);
		const starts = noteStarts(pace, undefined, 1);
		await jest.advanceTimersByTimeAsync(5 * 60_000);
		expect(starts).toEqual([5 * 60_000]);
	});

	it('forgets no pause and no pace, however many other numbers there are', async () => {
		const both = await pauseAndPace();
		for (let other = 0; other < 2_000; other++) new RateLimiter(newNumber(), undefined);
		await expectBothToWait(both);
	});

	it('waits again once the rest of a long pause is short', async () => {
		const number = newNumber();
		new RateLimiter(number, undefined).pause(60 * 60_000);
		await jest.advanceTimersByTimeAsync(56 * 60_000);
		const starts = noteStarts(new RateLimiter(number, undefined), undefined, 1);
		await jest.advanceTimersByTimeAsync(4 * 60_000);
		expect(starts).toEqual([4 * 60_000]);
	});

	it('does not take a gateway at its word that wants a pause for years', async () => {
		const number = newNumber();
		new RateLimiter(number, undefined).pause(1e20);
		await expect(new RateLimiter(number, undefined).next(undefined)).rejects.toThrow(
			'asked for a pause of',
		);
		await jest.advanceTimersByTimeAsync(24 * 60 * 60_000);
		await expect(new RateLimiter(number, undefined).next(undefined)).resolves.toBeUndefined();
	});

	it.each([-60 * 60_000, 60 * 60_000])(
		'waits as long as ever where somebody sets the clock by %i ms',
		async (setBy) => {
			const both = await pauseAndPace();
			jest.setSystemTime(Date.now() + setBy);
			await expectBothToWait(both);
		},
	);

	it('gives up those who wait already', async () => {
		const pace = new RateLimiter(newNumber(), undefined);
		await pace.next(1);
		const waiting = expect(pace.next(1)).rejects.toThrow('asked for a pause of');
		pace.pause(60 * 60_000);
		await jest.advanceTimersByTimeAsync(2 * 60_000);
		await waiting;
	});

	it('keeps no slot for those who were cancelled while they waited', async () => {
		const number = newNumber();
		const execution = new AbortController();
		const pace = new RateLimiter(number, execution.signal);
		const waiting = Promise.allSettled(Array.from({ length: 20 }, async () => await pace.next(1)));
		await jest.advanceTimersByTimeAsync(0);
		execution.abort();
		await waiting;
		const starts = noteStarts(new RateLimiter(number, undefined), 1, 1);
		await jest.advanceTimersByTimeAsync(75_000);
		expect(starts).toHaveLength(1);
	});

	it('lets those who wait go in the order in which they came, whichever run they are of', async () => {
		const number = newNumber();
		const every12Minutes = 1 / 12;
		await new RateLimiter(number, undefined).next(every12Minutes);
		const order: string[] = [];
		for (const name of ['first', 'second', 'third']) {
			void new RateLimiter(number, undefined).next(every12Minutes).then(() => order.push(name));
			await jest.advanceTimersByTimeAsync(110_000);
		}
		await jest.advanceTimersByTimeAsync(45 * 60_000);
		expect(order).toEqual(['first', 'second', 'third']);
	});

	it('waits for a slot weeks away, too long for one timer', async () => {
		const number = newNumber();
		await new RateLimiter(number, undefined).next(0.00001);
		const starts = noteStarts(new RateLimiter(number, undefined), 0.00001, 1);
		await jest.advanceTimersByTimeAsync(60 * 60_000);
		expect(starts).toEqual([]);
	});

	it('throws as soon as the execution is cancelled', async () => {
		const execution = new AbortController();
		const pace = new RateLimiter(newNumber(), execution.signal);
		await pace.next(1);
		const waiting = expect(pace.next(1)).rejects.toThrow(Cancelled);
		execution.abort();
		await waiting;
		await expect(pace.next(undefined)).rejects.toThrow(Cancelled);
	});
});

describe('waitFor', () => {
	it('says why it ended, also where that was before it began', async () => {
		const stopped = new Stopped();
		for (const [reason, thrown] of [
			[stopped, stopped],
			[new Error('by a person'), new Cancelled()],
		]) {
			const ending = new AbortController();
			const waiting = expect(waitFor(1000, ending.signal)).rejects.toEqual(thrown);
			ending.abort(reason);
			await waiting;
			for (const durationMs of [0, 1000])
				await expect(waitFor(durationMs, ending.signal)).rejects.toEqual(thrown);
		}
		await expect(waitFor(0, undefined)).resolves.toBeUndefined();
	});

	it('leaves no listener behind', async () => {
		const { signal } = new AbortController();
		const add = jest.spyOn(signal, 'addEventListener');
		const remove = jest.spyOn(signal, 'removeEventListener');
		const waiting = waitFor(1000, signal);
		await jest.advanceTimersByTimeAsync(1000);
		await waiting;
		expect(add).toHaveBeenCalledTimes(1);
		expect(remove.mock.calls[0].slice(0, 2)).toEqual(add.mock.calls[0].slice(0, 2));
	});
});

describe('readPerMinute', () => {
	it.each([[{}], [{ messagesPerMinute: '' }], [{ messagesPerMinute: null }]])(
		'%j is no limit',
		(options) => {
			expect(readPerMinute(options)).toBeUndefined();
		},
	);

	it.each([
		[20, 20],
		['30', 30],
		[0.5, 0.5],
	])('%j is %d', (messagesPerMinute, perMinute) => {
		expect(readPerMinute({ messagesPerMinute })).toBe(perMinute);
	});

	it.each([0, -1, 'slowly', 'NaN'])(
		'%j is refused rather than taken for no limit',
		(messagesPerMinute) => {
			expect(() => readPerMinute({ messagesPerMinute })).toThrow('Messages Per Minute');
		},
	);
});
