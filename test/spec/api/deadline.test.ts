import { getEventListeners } from 'node:events';
import { withinTime } from '../../../nodes/MessagingGateway/api/deadline';

beforeEach(() => {
	jest.useFakeTimers();
	// Node's own is beyond jest's clock.
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(), milliseconds);
		return controller.signal;
	});
});

afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

/** Work that may take a second, with progress at these times, and never ends by itself: the code with which it is given up. */
function begin(progressAt: number[], cancel?: AbortSignal): { code?: string } {
	const given: { code?: string } = {};
	const working = withinTime(1_000, cancel, async (_signal, extend) => {
		for (const at of progressAt) setTimeout(extend, at);
		return await new Promise<never>(() => {});
	});
	working.catch(({ code }: { code: string }) => (given.code = code));
	return given;
}

it.each<[string, number[], number]>([
	['without progress, after its time', [], 1_000],
	['counted from the latest progress', [600, 1_200], 2_200],
	['however often progress came before', [100, 200, 300, 400], 1_400],
])('is given up %s', async (_when, progressAt, end) => {
	const given = begin(progressAt);
	await jest.advanceTimersByTimeAsync(end - 10);
	expect(given.code).toBeUndefined();
	await jest.advanceTimersByTimeAsync(20);
	expect(given.code).toBe('ETIMEDOUT');
});

it('is given up at once where it is cancelled', async () => {
	const cancel = new AbortController();
	const given = begin([], cancel.signal);
	cancel.abort();
	await jest.advanceTimersByTimeAsync(0);
	expect(given.code).toBe('ERR_CANCELED');
});

it('is not waited for where it was cancelled before it began', async () => {
	const given = begin([], AbortSignal.abort());
	await jest.advanceTimersByTimeAsync(0);
	expect(given.code).toBe('ERR_CANCELED');
});

it.each<[string, () => Promise<string>]>([
	['well', async () => await Promise.resolve('done')],
	['badly', async () => await Promise.reject(new Error('done'))],
])(
	'leaves nothing behind where it ends %s: nobody listens, and what is left of it ends',
	async (_how, work) => {
		const cancel = new AbortController();
		let told: AbortSignal | undefined;
		await withinTime(1_000, cancel.signal, async (signal) => {
			told = signal;
			return await work();
		}).catch(() => undefined);
		expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
		expect(told?.aborted).toBe(true);
	},
);
