import { setImmediate as yieldTurn } from 'node:timers/promises';
import { runQueue } from '../../../nodes/MessagingGateway/action/queue';

interface Trace {
	/** Item indexes in the order in which they began. */
	began: number[];
	/** Most items under way at once. */
	width: number;
	/** Pairs of items of one lane that were under way at once. */
	overlaps: Array<[number, number]>;
}

interface Work {
	count: number;
	concurrency: number;
	laneOf?: (index: number) => string | undefined;
	/** How many turns of the event loop an item takes. */
	turnsOf?: (index: number) => number;
	/** Items whose work stops the queue. */
	stopAt?: number[];
	/** Items whose work holds what is behind them in their lane. */
	holdAt?: number[];
}

async function trace({
	count,
	concurrency,
	laneOf = () => undefined,
	turnsOf = () => 1,
	stopAt = [],
	holdAt = [],
}: Work): Promise<Trace> {
	const found: Trace = { began: [], width: 0, overlaps: [] };
	const underWay = new Set<number>();
	await runQueue({
		indexes: [...Array(count).keys()],
		concurrency,
		queueOf: async (index) => laneOf(index),
		work: async (index) => {
			const lane = laneOf(index);
			for (const other of underWay) {
				if (lane !== undefined && laneOf(other) === lane) found.overlaps.push([other, index]);
			}
			found.began.push(index);
			underWay.add(index);
			found.width = Math.max(found.width, underWay.size);
			for (let turn = 0; turn < turnsOf(index); turn++) await yieldTurn();
			underWay.delete(index);
			if (stopAt.includes(index)) return 'stopped';
			return holdAt.includes(index) ? 'held' : 'next';
		},
	});
	expect(underWay.size).toBe(0);
	return found;
}

/** The same sequence of numbers from 0 to 1 for the same seed. */
function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

describe('runQueue', () => {
	it('does nothing with nothing', async () => {
		expect(await trace({ count: 0, concurrency: 5 })).toEqual({
			began: [],
			width: 0,
			overlaps: [],
		});
	});

	it.each([undefined, async () => 'same', async (index: number) => `lane ${index % 2}`])(
		'goes strictly one by one at concurrency 1, whatever the lanes',
		async (queueOf) => {
			const began: number[] = [];
			await runQueue({
				indexes: [0, 1, 2, 3],
				concurrency: 1,
				queueOf,
				work: async (index) => {
					began.push(index);
					await yieldTurn();
					return 'next';
				},
			});
			expect(began).toEqual([0, 1, 2, 3]);
		},
	);

	it('works on as many as allowed, and on no more', async () => {
		expect((await trace({ count: 30, concurrency: 7, turnsOf: () => 3 })).width).toBe(7);
	});

	it('needs no more workers than items', async () => {
		expect(await trace({ count: 2, concurrency: 50 })).toMatchObject({ began: [0, 1], width: 2 });
	});

	it('works only on the indexes given', async () => {
		const began: number[] = [];
		await runQueue({
			indexes: [1, 4, 9],
			concurrency: 2,
			queueOf: async () => undefined,
			work: async (index) => {
				began.push(index);
				return 'next';
			},
		});
		expect(began).toEqual([1, 4, 9]);
	});

	it('passes over an item whose lane is busy, and comes back to it before anything later', async () => {
		const lanes = ['a', 'a', 'b', 'c', 'd', 'e'];
		const { began } = await trace({ count: 6, concurrency: 2, laneOf: (index) => lanes[index] });
		expect(began.slice(0, 3)).toEqual([0, 2, 1]);
		expect(began).toHaveLength(6);
	});

	it('keeps the other lanes going while one is long', async () => {
		const laneOf = (index: number) => (index < 50 ? 'long' : `short ${index}`);
		const { began, overlaps } = await trace({ count: 60, concurrency: 3, laneOf });
		expect(overlaps).toEqual([]);
		expect(began.indexOf(59)).toBeLessThan(20);
	});

	it('begins nothing after a stop, and waits for what is under way', async () => {
		const { began } = await trace({
			count: 100,
			concurrency: 4,
			turnsOf: (index) => (index === 2 ? 1 : 5),
			stopAt: [2],
		});
		expect(began).toEqual([0, 1, 2, 3]);
	});

	it('begins nothing that was looked up when it stopped, and looks up nothing more', async () => {
		const looked: number[] = [];
		const began: number[] = [];
		let found = (): void => {};
		await runQueue({
			indexes: [0, 1, 2, 3, 4],
			concurrency: 2,
			queueOf: async (index) => {
				looked.push(index);
				if (index === 1) await new Promise<void>((resolve) => (found = resolve));
				return undefined;
			},
			work: async (index) => {
				began.push(index);
				setImmediate(found);
				return await Promise.resolve('stopped');
			},
		});
		expect([looked, began]).toEqual([[0, 1], [0]]);
	});

	it('passes over nothing more once it has stopped', async () => {
		const looked: number[] = [];
		let end = (): void => {};
		await runQueue({
			indexes: [...Array(1000).keys()],
			concurrency: 2,
			queueOf: async (index) => {
				looked.push(index);
				if (index === 100) end();
				return await Promise.resolve('same');
			},
			work: async () => await new Promise((resolve) => (end = () => resolve('stopped'))),
		});
		expect(looked.length).toBeLessThan(200);
	});

	it('gives items of one queue their places in their order, however long each is looked up', async () => {
		const began: number[] = [];
		await runQueue({
			indexes: [0, 1, 2, 3],
			concurrency: 4,
			queueOf: async (index) => {
				for (let turn = index; turn < 4; turn++) await yieldTurn();
				return 'same';
			},
			work: async (index) => {
				began.push(index);
				await yieldTurn();
				return 'next';
			},
		});
		expect(began).toEqual([0, 1, 2, 3]);
	});

	it('leaves what was freed by the item that stopped', async () => {
		const { began } = await trace({ count: 5, concurrency: 2, laneOf: () => 'same', stopAt: [0] });
		expect(began).toEqual([0]);
	});

	it.each([1, 2, 5])(
		'begins nothing behind an item that holds its lane, and all of the others (concurrency %i)',
		async (concurrency) => {
			const lanes = ['a', 'a', 'b', 'a', 'b', undefined, 'a', 'c'];
			const { began, overlaps } = await trace({
				count: 8,
				concurrency,
				laneOf: (index) => lanes[index],
				turnsOf: (index) => 8 - index,
				holdAt: [1, 5],
			});
			expect(began.sort()).toEqual([0, 1, 2, 4, 5, 7]);
			expect(overlaps).toEqual([]);
		},
	);

	it('lets everything else have its turn while it passes over a long queue', async () => {
		/** Items looked at, turn by turn of the event loop. */
		const looked = [0];
		let isOver = false;
		const countTurns = () => {
			looked.push(0);
			if (!isOver) setImmediate(countTurns);
		};
		setImmediate(countTurns);
		let passedOver = () => {};
		const allPassedOver = new Promise<void>((resolve) => (passedOver = resolve));
		await runQueue({
			indexes: [...Array(5000).keys()],
			concurrency: 2,
			queueOf: async (index) => {
				looked[looked.length - 1]++;
				if (index === 4999) passedOver();
				return 'same';
			},
			work: async () => {
				await allPassedOver;
				return 'stopped';
			},
		});
		isOver = true;
		expect(looked.reduce((sum, count) => sum + count)).toBe(5000);
		// On a busy machine, timers that are due run one after another within a turn.
		expect(Math.max(...looked)).toBeLessThan(2500);
	});

	it('keeps every promise for 300 random queues', async () => {
		for (let seed = 1; seed <= 300; seed++) {
			const random = seeded(seed);
			const count = Math.floor(random() * 40);
			const concurrency = 2 + Math.floor(random() * 8);
			const lanes = Array.from({ length: count }, () =>
				random() < 0.1 ? undefined : `lane ${Math.floor(random() * 8)}`,
			);
			const turns = Array.from({ length: count }, () => 1 + Math.floor(random() * 4));
			const laneOf = (index: number) => lanes[index];
			const { began, width, overlaps } = await trace({
				count,
				concurrency,
				laneOf,
				turnsOf: (index) => turns[index],
			});

			expect([...began].sort((one, other) => one - other)).toEqual([...Array(count).keys()]);
			expect(width).toBeLessThanOrEqual(concurrency);
			expect(overlaps).toEqual([]);
			for (const lane of new Set(lanes)) {
				if (lane === undefined) continue;
				const ofLane = began.filter((index) => lanes[index] === lane);
				expect(ofLane).toEqual([...ofLane].sort((one, other) => one - other));
			}
		}
	});
});
