import * as fc from 'fast-check';
import { gather } from '../../../../nodes/MessagingGateway/trigger/delivery/gather';
import { useFakeClock } from '../../../support/receiving';

/** Seconds of a batch: arrival of its first and last entry, its start, and the end of its execution. */
interface Batch {
	numbers: number[];
	first: number;
	last: number;
	startedAt: number;
	endedAt: number;
}

const seconds = (max: number, min = 0) => fc.integer({ min, max });
const now = () => Date.now() / 1000;

useFakeClock();

it('starts each batch when it is quiet or has waited longest, after the previous one', async () => {
	const options = {
		quiet: seconds(6),
		maxWait: seconds(20, 5),
		size: fc.integer({ min: 1, max: 5 }),
	};
	const entry = fc.record({ pause: seconds(20), runs: seconds(30) });
	await fc.assert(
		fc.asyncProperty(
			fc.record({ ...options, maxHold: fc.constantFrom(0, 12) }),
			fc.array(entry, { minLength: 1, maxLength: 25 }),
			async (chosen, entries) => {
				jest.setSystemTime(0);
				const { quiet, maxWait, maxHold, size } = chosen;
				const batches: Batch[] = [];
				for (const [number, { pause, runs }] of entries.entries()) {
					await jest.advanceTimersByTimeAsync(pause * 1000);
					const batchOptions = {
						lane: 'ana',
						quietMs: quiet * 1000,
						maxWaitMs: maxWait * 1000,
						maxHoldMs: maxHold * 1000,
						size,
					};
					void gather('one', { number, at: now(), bytes: 1 }, batchOptions).then((batch) => {
						if (batch === undefined) return;
						const times = batch.entries.map(({ at }) => at);
						batches.push({
							numbers: batch.entries.map((each) => each.number),
							first: times[0],
							last: times[times.length - 1],
							startedAt: now(),
							endedAt: now() + runs,
						});
						setTimeout(batch.release, runs * 1000);
					});
				}
				await jest.advanceTimersByTimeAsync(3_600_000);

				expect(batches.flatMap(({ numbers }) => numbers)).toEqual([...entries.keys()]);
				for (const [index, { numbers, first, last, startedAt }] of batches.entries()) {
					expect(numbers.length).toBeLessThanOrEqual(size);
					const before = batches[index - 1];
					// An entry joins the open batch while it has room.
					const isFull = before?.numbers.length === size;
					if (before && !isFull) expect(first).toBeGreaterThanOrEqual(before.startedAt);
					const held = before ? Math.min(before.endedAt, before.startedAt + maxHold) : 0;
					expect(startedAt).toBeCloseTo(Math.max(Math.min(last + quiet, first + maxWait), held), 1);
				}
			},
		),
		{ numRuns: 300 },
	);
});
