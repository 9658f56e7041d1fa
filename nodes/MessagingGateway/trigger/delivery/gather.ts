import { waitUntil } from '../../waits';

export interface BatchOptions {
	lane: string;
	/** A batch starts when no entry has joined it for this time. */
	quietMs: number;
	/** A batch starts this time after its first entry, even if entries still join it. */
	maxWaitMs: number;
	/** A batch holds up the next one until it is released, and at most for this time. */
	maxHoldMs: number;
	size: number;
}

/** Entries that start one execution, in the order of arrival. */
interface Batch<T> {
	entries: T[];
	/** Arrival of the first entry. */
	since: number;
	/** Resolved when a newer entry joins. The newest entry's request starts the execution. */
	superseded: PromiseWithResolvers<void>;
	/** Resolved when the previous batch is released. */
	turn: Promise<void>;
	released: PromiseWithResolvers<void>;
}

export interface Lane<T> {
	/** The batch that the next entry joins. */
	open?: Batch<T>;
	last?: Batch<T>;
}

/** Adds an entry to the open batch of its lane, and waits until it may start; undefined if a newer entry starts it. */
export async function gather<T>(
	lanes: Map<string, Lane<T>>,
	entry: T,
	{ lane: name, quietMs, maxWaitMs, maxHoldMs, size }: BatchOptions,
): Promise<{ entries: T[]; release(): void } | undefined> {
	const lane = lanes.get(name) ?? {};
	lanes.set(name, lane);
	const batch = lane.open && lane.open.entries.length < size ? lane.open : openBatch(lane);
	batch.entries.push(entry);
	batch.superseded.resolve();
	const superseded = Promise.withResolvers<void>();
	batch.superseded = superseded;
	const isNewest = (): boolean => batch.superseded === superseded;

	await waitUntil(Math.min(Date.now() + quietMs, batch.since + maxWaitMs), superseded.promise);
	if (isNewest()) await Promise.race([batch.turn, superseded.promise]);
	if (!isNewest()) return undefined;

	if (lane.open === batch) lane.open = undefined;
	const release = (): void => {
		batch.released.resolve();
		if (lanes.get(name)?.last === batch) lanes.delete(name);
	};
	if (maxHoldMs === 0) release();
	else void waitUntil(Date.now() + maxHoldMs, batch.released.promise).then(release);
	return { entries: batch.entries, release };
}

function openBatch<T>(lane: Lane<T>): Batch<T> {
	const batch: Batch<T> = {
		entries: [],
		since: Date.now(),
		superseded: Promise.withResolvers<void>(),
		turn: lane.last?.released.promise ?? Promise.resolve(),
		released: Promise.withResolvers<void>(),
	};
	lane.open = batch;
	lane.last = batch;
	return batch;
}
