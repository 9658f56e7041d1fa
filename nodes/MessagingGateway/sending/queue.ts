export interface QueueOptions {
	count: number;
	/** How many items are worked on at once. */
	concurrency: number;
	/** Items of one lane go one after another, in their order; without a lane an item waits for nobody. */
	laneOf: (index: number) => string | undefined;
	/** Works on one item; false stops the queue: nothing new begins, what is under way ends. */
	work: (index: number) => Promise<boolean>;
}

/** Works through the items in their order, as many at once as allowed, and gives the number never begun. */
export async function runQueue({ count, concurrency, laneOf, work }: QueueOptions): Promise<number> {
	let begun = 0;
	let stopped = false;

	const begin = async (index: number): Promise<void> => {
		begun++;
		if (!(await work(index))) stopped = true;
	};

	if (concurrency <= 1) {
		for (let index = 0; index < count && !stopped; index++) await begin(index);
		return count - begun;
	}

	const followers = linkLanes(count, laneOf);
	const isFollower = new Uint8Array(count);
	for (const follower of followers.values()) isFollower[follower] = 1;

	// Lane heads are taken in item order; what a finished item frees is older than any of them, so it goes first.
	const freed: number[] = [];
	let next = 0;
	const take = (): number | undefined => {
		if (freed.length > 0) return freed.shift();
		while (next < count && isFollower[next] === 1) next++;
		return next < count ? next++ : undefined;
	};

	const working = new Set<Promise<void>>();
	const follow = async (index: number): Promise<void> => {
		await begin(index);
		const follower = followers.get(index);
		if (follower !== undefined) freed.push(follower);
	};
	for (;;) {
		while (working.size < concurrency && !stopped) {
			const index = take();
			if (index === undefined) break;
			const task: Promise<void> = follow(index).finally(() => working.delete(task));
			working.add(task);
		}
		if (working.size === 0) return count - begun;
		await Promise.race(working);
	}
}

/** For each item, the next one of its lane. */
function linkLanes(count: number, laneOf: QueueOptions['laneOf']): Map<number, number> {
	const followers = new Map<number, number>();
	const lastOfLane = new Map<string, number>();
	for (let index = 0; index < count; index++) {
		const lane = laneOf(index);
		if (lane === undefined) continue;
		const last = lastOfLane.get(lane);
		if (last !== undefined) followers.set(last, index);
		lastOfLane.set(lane, index);
	}
	return followers;
}
