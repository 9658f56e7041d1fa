const ROUNDS = 5;
/** What seems to grow is measured so often: a machine short of memory makes large amounts dear for a while. */
const MOST_ROUNDS = 50;

/**
 * How a function's time grows with the amount that it works on: 1 if with the amount alone, 10 if with its square. So it
 * compares ten times the small amount with once the large one, by the processor's time: what else the machine does, or
 * how fast it is, makes no difference.
 *
 * @param work does it with an amount ten times as large as `size` says, or with that of `size`
 */
export function growthOf(work: (size: number) => void, size: number): number {
	let small = Infinity;
	let large = Infinity;
	const seemsToGrow = () => large / small >= GROWS_ALIKE;
	for (let round = 0; round < ROUNDS || (seemsToGrow() && round < MOST_ROUNDS); round++) {
		const smallOnes = () => Array.from({ length: 10 }, () => work(size));
		small = Math.min(small, processorTime(smallOnes));
		large = Math.min(
			large,
			processorTime(() => work(10 * size)),
		);
	}
	return large / small;
}

/** Of a function that grows with the amount alone, also where the collection of garbage falls into the large amount only. */
export const GROWS_ALIKE = 5;

/** In microseconds. */
function processorTime(work: () => unknown): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return Math.max(1, user + system);
}
