import { pauseFor, serialize, type Queue } from '../../../nodes/MessagingGateway/n8n/waits';

it.each([
	[16.1, 17],
	[0.3, 1],
	[NaN, 0],
	[Infinity, 2 ** 31 - 1],
	[2 ** 32, 2 ** 31 - 1],
])('waits %d milliseconds as the timer of %d that Node takes', async (milliseconds, timer) => {
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
	void pauseFor(milliseconds, new AbortController().signal);
	expect(timeout.mock.calls).toEqual([[timer]]);
	jest.restoreAllMocks();
	expect(await pauseFor(milliseconds, AbortSignal.abort())).toBe(false);
	await Promise.resolve();
});

it('runs one task at a time, whenever it comes and however the one before ends', async () => {
	const steps: string[] = [];
	const queue: Queue = {};
	const run = async (name: string) =>
		await serialize(queue, async () => {
			steps.push(name);
			await new Promise(setImmediate);
			steps.push('ends');
			if (name === 'fails') throw new Error(name);
		});
	const first = run('fails');
	const second = run('second');
	await expect(first).rejects.toThrow('fails');
	await Promise.all([run('third'), second]);
	expect(steps).toEqual(['fails', 'ends', 'second', 'ends', 'third', 'ends']);
	expect(queue).toEqual({});
});
