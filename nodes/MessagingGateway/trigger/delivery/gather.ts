import { sharedMap } from '../../n8n/processState';
import { waitUntil } from '../../n8n/waits';

export interface BatchOptions {
	lane: string;
	/** A batch starts when no entry has joined it for this time. */
	quietMs: number;
	/** A batch starts this time after its first entry. */
	maxWaitMs: number;
	/** A batch holds up the next one until it is released, and at most for this time. */
	maxHoldMs: number;
	size: number;
}

interface Batch<T> {
	entries: T[];
	since: number;
	/** Tells the newest entry, which would start the execution, that another one has joined. */
	supersede(): void;
	/** Resolved when the previous batch is released. */
	turn: Promise<void>;
	released: PromiseWithResolvers<void>;
}

interface Lane<T> {
	waiting: number;
	bytes: number;
	/** The batch that the next entry joins. */
	open?: Batch<T>;
	last?: Batch<T>;
}

/** One sender must not fill the memory while an execution runs. */
const MAX_WAITING = 300;
const MAX_WAITING_BYTES = 1_000_000;
/** More conversations than have executions at once. */
const MAX_LANES = 10_000;

/** The lanes of a trigger, by name. */
export const lanesOf = <T>(trigger: string): Map<string, Lane<T>> =>
	sharedMap(`lanes 3 ${trigger}`);

/** Whether an entry of so many bytes may wait in the lane of a conversation. */
export function hasRoom(trigger: string, conversation: string, bytes: number): boolean {
	const lanes = lanesOf(trigger);
	const lane = lanes.get(conversation);
	if (lane === undefined) return lanes.size < MAX_LANES;
	const isSmall = lane.waiting < MAX_WAITING && lane.bytes + bytes <= MAX_WAITING_BYTES;
	return lane.waiting === 0 || isSmall;
}

/** Adds an entry to its lane, and waits until it may start; undefined if a newer one starts it. */
export async function gather<T extends { bytes: number }>(
	trigger: string,
	entry: T,
	{ lane: name, quietMs, maxWaitMs, maxHoldMs, size }: BatchOptions,
): Promise<{ entries: T[]; release(): void } | undefined> {
	const lanes = lanesOf<T>(trigger);
	const lane = lanes.get(name) ?? { waiting: 0, bytes: 0 };
	lanes.set(name, lane);
	lane.waiting += 1;
	lane.bytes += entry.bytes;
	const batch = lane.open ?? openBatch(lane);
	batch.entries.push(entry);
	if (batch.entries.length === size) lane.open = undefined;
	batch.supersede();
	const { promise: superseded, resolve } = Promise.withResolvers<void>();
	batch.supersede = resolve;
	const isNewest = (): boolean => batch.entries.at(-1) === entry;

	await waitUntil(Math.min(Date.now() + quietMs, batch.since + maxWaitMs), superseded);
	if (isNewest()) await Promise.race([batch.turn, superseded]);
	if (!isNewest()) return undefined;

	if (lane.open === batch) lane.open = undefined;
	lane.waiting -= batch.entries.length;
	for (const { bytes } of batch.entries) lane.bytes -= bytes;
	const release = (): void => {
		batch.released.resolve();
		if (lanes.get(name)?.last === batch) lanes.delete(name);
	};
	if (maxHoldMs === 0) release();
	else void waitUntil(Date.now() + maxHoldMs, batch.released.promise).then(release);
	return { entries: batch.entries, release };
}

function openBatch<T>(lane: Lane<T>): Batch<T> {
	const turn = lane.last?.released.promise ?? Promise.resolve();
	const released = Promise.withResolvers<void>();
	const batch = { entries: [], since: Date.now(), supersede: () => {}, turn, released };
	lane.open = batch;
	lane.last = batch;
	return batch;
}
