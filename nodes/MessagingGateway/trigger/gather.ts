import { makeDeferred, waitUntil, type Deferred } from '../webhooks/deadlines';

/** How entries share executions. The name of the lane is a conversation, or the whole trigger. */
export interface Terms {
	lane: string;
	/** A batch starts when it has got no entry for so long, at the latest `maxWaitMs` after its first one. */
	quietMs: number;
	maxWaitMs: number;
	/** A batch starts when the one before is over, at the latest so long after its start. */
	maxHoldMs: number;
	/** The most entries of a batch. */
	size: number;
}

/** Entries that start one execution, in the order of arrival, with the time of the first. */
interface Batch<T> {
	entries: T[];
	since: number;
	/** Fulfilled when another entry is the newest: the request of the newest starts the execution. */
	newest: Deferred<void>;
	before: Promise<void>;
	over: Deferred<void>;
}

/** Batches that start one after the other; `open` is the one that the next entry joins. */
export interface Lane<T> {
	open?: Batch<T>;
	last?: Batch<T>;
}

/**
 * Adds an entry to the newest batch of its lane, and waits until the batch may start.
 *
 * @returns the entries of the batch, and the function that lets the next batch start; undefined if a newer entry starts it
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
