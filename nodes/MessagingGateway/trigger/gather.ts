import { makeDeferred, waitUntil, type Deferred } from '../webhooks/deadlines';

/** How the entries of a lane share executions. */
export interface Terms {
	/** Names the lane: a conversation, or the whole trigger. */
	lane: string;
	/** A batch waits until nothing has come for so long, */
	quietMs: number;
	/** and at most so long after its first entry. */
	maxWaitMs: number;
	/** The next batch waits for the end of the one before, at most so long. */
	maxHoldMs: number;
	/** The most entries of a batch. */
	size: number;
}

/** Entries that start one execution. */
interface Batch<T> {
	/** In the order of arrival. */
	entries: T[];
	/** The time of the first, in milliseconds as of `Date.now`. */
	since: number;
	/** The newest entry, whose request starts the execution; fulfilled when a newer one takes its place. */
	newest: Deferred<void>;
	/** Fulfilled when the batch before is over. */
	before: Promise<void>;
	over: Deferred<void>;
}

/** Batches that start one after the other. */
export interface Lane<T> {
	/** The batch that the next entry joins, if it is not full. */
	open?: Batch<T>;
	last?: Batch<T>;
}

/**
 * Adds an entry to the newest batch of its lane, and waits until the batch may start. Only the newest entry keeps waiting;
 * the others are let go, and start with it.
 *
 * @returns the entries that start now, with the function to call when the execution has started or ended, whichever the
 * lane waits for; undefined if a newer entry takes this one along
 */
export async function gather<T>(
	lanes: Map<string, Lane<T>>,
	entry: T,
	{ lane: name, quietMs, maxWaitMs, maxHoldMs, size }: Terms,
): Promise<{ entries: T[]; release(): void } | undefined> {
	const lane = lanes.get(name) ?? {};
	lanes.set(name, lane);
	const isJoinable = lane.open !== undefined && lane.open.entries.length < size;
	const batch = isJoinable && lane.open ? lane.open : openBatch(lane);
	batch.entries.push(entry);
	batch.newest.resolve();
	const mine = makeDeferred<void>();
	batch.newest = mine;
	const isNewest = (): boolean => batch.newest === mine;

	await waitUntil(Math.min(Date.now() + quietMs, batch.since + maxWaitMs), mine.promise);
	if (isNewest()) await Promise.race([batch.before, mine.promise]);
	if (!isNewest()) return undefined;

	if (lane.open === batch) lane.open = undefined;
	const release = (): void => {
		batch.over.resolve();
		if (lane.last === batch) lanes.delete(name);
	};
	if (maxHoldMs === 0) release();
	else void waitUntil(Date.now() + maxHoldMs, batch.over.promise).then(release);
	return { entries: batch.entries, release };
}

function openBatch<T>(lane: Lane<T>): Batch<T> {
	const batch: Batch<T> = {
		entries: [],
		since: Date.now(),
		newest: makeDeferred<void>(),
		before: lane.last?.over.promise ?? Promise.resolve(),
		over: makeDeferred<void>(),
	};
	lane.open = batch;
	lane.last = batch;
	return batch;
}
