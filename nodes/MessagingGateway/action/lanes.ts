interface LaneOptions {
	/** How many items are processed at once. */
	concurrency: number;
	/** Reads an item ahead. Items of one lane are processed one after the other, in their order. */
	laneOf(index: number): Promise<string>;
	/** Never rejects. */
	work(index: number): Promise<void>;
}

/** Processes items in their order, several at once. Ends when all are done. */
export async function runInLanes(
	indexes: number[],
	{ concurrency, laneOf, work }: LaneOptions,
): Promise<void> {
	const waiting: Array<() => void> = [];
	let free = concurrency;
	const inTurn = async (index: number): Promise<void> => {
		if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
		else free--;
		await work(index);
		const next = waiting.shift();
		if (next) next();
		else free++;
	};
	const lastOf = new Map<string, Promise<void>>();
	for (const index of indexes) {
		const lane = concurrency > 1 ? await laneOf(index) : '';
		const before = lastOf.get(lane) ?? Promise.resolve();
		lastOf.set(
			lane,
			before.then(async () => await inTurn(index)),
		);
	}
	await Promise.all(lastOf.values());
}
