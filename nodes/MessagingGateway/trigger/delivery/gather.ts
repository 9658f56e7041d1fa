import { sharedMap } from '../../n8n/processState';
import { waitUntil } from '../../n8n/waits';

/**
 * Events of a lane gather in batches, and each batch starts one execution.
 *
 * Each entry is a request of the gateway that waits for its response. n8n starts the execution with
 * the request whose webhook function gives items, and that is the newest one: the gateway may give
 * the older ones up soon. So an entry goes through these steps, of which only 2 and 3 take time:
 *
 * 1. It joins the open batch of its lane, or opens one, and supersedes the newest entry before it.
 *    A superseded entry starts nothing: its request waits for the decision alone.
 * 2. It waits until no other has joined for the quiet time, or the batch is old enough.
 * 3. It waits for the turn of its batch: until the batch before it in the lane is released. Others
 *    join, and supersede it, until then.
 * 4. It closes the batch, and starts it. From here on the batch counts no more as waiting.
 * 5. Whoever has started the batch releases it when n8n has responded. If that never comes, the
 *    batch is released after its longest hold. The last batch takes the lane with it.
 */

export interface BatchOptions {
	lane: string;
	/** A batch starts when no entry has joined it for this time. */
	quietMs: number;
	/** A batch starts this time after its first entry. */
	maxWaitMs: number;
	/** A batch holds up the next one until it is released, and at most for this time. */
	maxHoldMs: number;
	/** A batch of so many entries is joined by no other. */
	size: number;
}

/** A batch that is to start: its entries, and what gives the next batch its turn. */
export interface StartedBatch<T> {
	entries: T[];
	release(): void;
}

interface Batch<T> {
	/** In the order in which they have come. */
	entries: T[];
	openedAt: number;
	/** Tells the newest entry that another one has joined. */
	supersede(): void;
	/** Resolved when the batch before it in the lane is released. */
	turn: Promise<void>;
	released: PromiseWithResolvers<void>;
}

interface Lane<T> {
	/** Entries of batches that have not started. */
	waiting: number;
	/** The batch that the next entry joins: the last one, or none if that is full or has started. */
	open?: Batch<T>;
	/** The batch whose release the next one waits for. */
	last?: Batch<T>;
}

/** One person who writes on and on must not fill the memory while an execution runs. */
const MAX_WAITING = 300;
/** More conversations than have executions at once. */
const MAX_LANES = 10_000;

/** The lanes of a trigger, by name. */
export function lanesOf<T>(trigger: string): Map<string, Lane<T>> {
	return sharedMap(`lanes 4 ${trigger}`);
}

/** Whether another entry may wait in the lane of a conversation. */
export function hasRoom(trigger: string, conversation: string): boolean {
	const lanes = lanesOf(trigger);
	const lane = lanes.get(conversation);
	if (lane === undefined) return lanes.size < MAX_LANES;
	return lane.waiting < MAX_WAITING;
}

/** Adds an entry to its lane, and waits until it may start; undefined if a newer one starts it. */
export async function gather<T>(
	trigger: string,
	entry: T,
	options: BatchOptions,
): Promise<StartedBatch<T> | undefined> {
	const lanes = lanesOf<T>(trigger);
	const lane = lanes.get(options.lane) ?? { waiting: 0 };
	lanes.set(options.lane, lane);

	const { batch, superseded } = join(lane, entry, options.size);
	const isNewest = (): boolean => batch.entries.at(-1) === entry;

	const quietUntil = Math.min(Date.now() + options.quietMs, batch.openedAt + options.maxWaitMs);
	await waitUntil(quietUntil, superseded);
	if (isNewest()) await Promise.race([batch.turn, superseded]);
	if (!isNewest()) return undefined;

	if (lane.open === batch) lane.open = undefined;
	lane.waiting -= batch.entries.length;

	const release = (): void => {
		batch.released.resolve();
		const isLast = lanes.get(options.lane)?.last === batch;
		if (isLast) lanes.delete(options.lane);
	};
	if (options.maxHoldMs === 0) release();
	else void waitUntil(Date.now() + options.maxHoldMs, batch.released.promise).then(release);

	return { entries: batch.entries, release };
}

/** Adds an entry to the open batch of a lane. `superseded` is resolved when another one joins. */
function join<T>(lane: Lane<T>, entry: T, size: number) {
	const batch = lane.open ?? openBatch(lane);
	batch.entries.push(entry);
	lane.waiting += 1;
	if (batch.entries.length === size) lane.open = undefined;

	// The entry before this one looks at `entries` when it wakes up.
	batch.supersede();
	const { promise: superseded, resolve } = Promise.withResolvers<void>();
	batch.supersede = resolve;
	return { batch, superseded };
}

function openBatch<T>(lane: Lane<T>): Batch<T> {
	const batch: Batch<T> = {
		entries: [],
		openedAt: Date.now(),
		supersede: () => {},
		turn: lane.last?.released.promise ?? Promise.resolve(),
		released: Promise.withResolvers<void>(),
	};
	lane.open = batch;
	lane.last = batch;
	return batch;
}
