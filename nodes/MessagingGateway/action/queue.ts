import { sleep } from 'n8n-workflow';

/**
 * What follows when an item has been worked on: `held` begins nothing more of its queue, `stopped` nothing at all; what is
 * under way ends.
 */
type Verdict = 'next' | 'held' | 'stopped';

interface QueueOptions {
	/** The items to work on, in their order. */
	indexes: number[];
	/** How many items are worked on at once. */
	concurrency: number;
	/** Items of one queue go one after another, in their order; without a queue an item waits for nobody. */
	queueOf?: (index: number) => Promise<string | undefined>;
	/** Works on one item and never throws. */
	work: (index: number) => Promise<Verdict>;
}

const BREATHE_AFTER = 50;

interface Ticket {
	index: number;
	queue: string | undefined;
}

/** Works through the items in their order, as many at once as allowed. Ends when nothing is under way. */
export async function runQueue({
	indexes,
	concurrency,
	queueOf,
	work,
}: QueueOptions): Promise<void> {
	/** What waits in each queue that is busy, or held. */
	const behind = new Map<string, number[]>();
	/** Passed over while their queue was busy, and free now: older than whatever has not been looked at. */
	const freed: Ticket[] = [];
	/** Queues are looked up at once, and known one by one: two items of one queue must take their places in their order. */
	let lastLookup: Promise<unknown> = Promise.resolve();
	let next = 0;
	let stopped = false;

	const lookUpQueue = async (index: number): Promise<string | undefined> => {
		if (queueOf === undefined) return undefined;
		const lookup = Promise.all([queueOf(index), lastLookup]).then(([queue]) => queue);
		lastLookup = lookup;
		return await lookup;
	};

	const takeNext = async (): Promise<Ticket | undefined> => {
		if (freed.length > 0) return freed.shift();
		for (let passed = 1; next < indexes.length && !stopped; passed++) {
			const index = indexes[next++];
			const queue = await lookUpQueue(index);
			if (queue === undefined) return { index, queue };
			const waiting = behind.get(queue);
			if (waiting === undefined) {
				behind.set(queue, []);
				return { index, queue };
			}
			waiting.push(index);
			// Passing over a long queue must not keep n8n from everything else.
			if (passed % BREATHE_AFTER === 0) await sleep(0);
		}
		return undefined;
	};

	const release = ({ queue }: Ticket): void => {
		if (queue === undefined) return;
		const index = behind.get(queue)?.shift();
		if (index === undefined) behind.delete(queue);
		else freed.push({ index, queue });
	};

	// Whoever finds nothing to take may go: each item that ends frees one at most, for the worker that ended it.
	const drain = async (): Promise<void> => {
		while (!stopped) {
			const ticket = await takeNext();
			if (ticket === undefined || stopped) return;
			const verdict = await work(ticket.index);
			if (verdict === 'stopped') stopped = true;
			// A held queue stays busy for good.
			if (verdict !== 'held') release(ticket);
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, indexes.length) }, drain));
}
