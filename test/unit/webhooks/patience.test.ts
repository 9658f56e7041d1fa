import { pauseFor, waitUntil } from '../../../nodes/MessagingGateway/webhooks/patience';

const LONG_MS = 3_600_000;

describe('a pause', () => {
	it('is over when its time is', async () => {
		expect(await pauseFor(1, new AbortController().signal)).toBe(true);
	});

	it('ends with the signal', async () => {
		const end = new AbortController();
		const pause = pauseFor(LONG_MS, end.signal);
		end.abort();
		expect(await pause).toBe(false);
	});

	it('does not begin after the signal', async () => {
		expect(await pauseFor(LONG_MS, AbortSignal.abort())).toBe(false);
	});
});

describe('what is waited for', () => {
	afterEach(() => jest.useRealTimers());

	it.each([
		['in time', 999, 'done'],
		['too late', 1_001, undefined],
	])('comes %s', async (_when, milliseconds, outcome) => {
		jest.useFakeTimers();
		const work = new Promise<string>((resolve) => setTimeout(() => resolve('done'), milliseconds));
		const waited = waitUntil(Date.now() + 1_000, work);
		await jest.advanceTimersByTimeAsync(2_000);
		expect(await waited).toBe(outcome);
	});

	it('is taken also after the deadline, if it is there already', async () => {
		expect(await waitUntil(Date.now() - LONG_MS, Promise.resolve('done'))).toBe('done');
	});
});
