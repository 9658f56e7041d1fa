import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Deduplicator } from '../../nodes/MessagingGateway/trigger/memory/deduplicator';
import { medianOf, type Figure } from './report';

const COUNTS = [0, 1_000, 10_000, 100_000, 500_000];
// Of many short turns the median counts: in one long one, whatever else the process does falls to one side or the other.
const TURNS = 101;
const CLAIMS_IN_A_TURN = 50;
const IDS_TO_WEIGH = 200_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What remembering ids costs, beside a `Map` from id to time, which is what one writes first. */
export async function measureRememberedIds(): Promise<Figure[]> {
	const figures: Figure[] = [];
	for (const count of COUNTS) {
		const ours = await measure(count, () => {
			const duplicates = new Deduplicator(() => {});
			return (id) => {
				const claim = duplicates.accept(id, () => 60_000);
				if (claim.state === 'new') claim.settle('accepted');
			};
		});
		const other = await measure(count, () => {
			const seen = new Map<string, number>();
			return (id) => {
				if (!seen.has(id)) seen.set(id, Date.now());
			};
		});
		const compare = (
			what: string,
			unit: string,
			of: keyof typeof ours,
			because?: string,
		): Figure => ({
			what: `${what}, ${count.toLocaleString('en')} ids remembered`,
			unit,
			ours: ours[of],
			other: { what: 'Map of ids and times', value: other[of] },
			better: 'less',
			because,
		});
		figures.push(
			compare(
				'a new id',
				'µs',
				'time',
				'an id is hashed, watched until n8n has answered, and forgotten in time; microseconds of a delivery that takes milliseconds.',
			),
		);
		if (count > 0)
			figures.push(
				compare(
					'memory of an id',
					'bytes',
					'memory',
					'the table grows in steps, and is at its emptiest after one.',
				),
			);
	}
	return figures;
}

/** Microseconds for a new id when so many are remembered, and bytes per id remembered. */
async function measure(
	count: number,
	create: () => (id: string) => void,
): Promise<{ time: number; memory: number }> {
	// One small store would be lost in what else comes and goes in memory: there are several of them.
	const stores = Array.from({ length: count === 0 ? 1 : Math.ceil(IDS_TO_WEIGH / count) }, create);
	const [remember] = stores;
	const before = await weigh();
	for (const store of stores) {
		for (let each = 0; each < count; each++) {
			store(receiveId());
			// Promises of ids that have been settled are let go of between deliveries, not within one turn.
			if (each % 1_000 === 0) await new Promise(setImmediate);
		}
	}
	const memory = ((await weigh()) - before) / (Math.max(1, count) * stores.length);
	const turns = Array.from({ length: TURNS }, () => {
		const ids = Array.from({ length: CLAIMS_IN_A_TURN }, receiveId);
		const started = performance.now();
		for (const id of ids) remember(id);
		return ((performance.now() - started) * 1000) / CLAIMS_IN_A_TURN;
	});
	return { time: medianOf(turns), memory };
}

/** An id as a delivery brings it: what `randomUUID` gives is joined from pieces, and takes five times the memory. */
function receiveId(): string {
	const body = `{"id":"${randomUUID()}"}`;
	return (JSON.parse(body) as { id: string }).id;
}

async function weigh(): Promise<number> {
	await new Promise(setImmediate);
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}
