import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
	RecentIds,
	REMEMBERED_FOR_MS,
	REMEMBERED_IDS,
} from '../../../../nodes/MessagingGateway/trigger/memory/recentIds';
import { createRandom } from '../../../random';

const HOUR_MS = 3_600_000;
const MOST_BYTES = 90;
const evicted = jest.fn();

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

beforeEach(() => {
	evicted.mockClear();
	jest.useFakeTimers({ now: 0 });
});

afterEach(() => {
	jest.useRealTimers();
});

it('remembers what was added and nothing else', () => {
	const ids = new RecentIds(evicted);
	for (let index = 0; index < 20_000; index++) ids.add(`evt_${index}`);

	for (let index = 0; index < 20_000; index++) {
		if (!ids.has(`evt_${index}`)) throw new Error(`evt_${index} is forgotten`);
		if (ids.has(`other_${index}`)) throw new Error(`other_${index} was never added`);
	}
	expect(ids.size).toBe(20_000);
});

it('counts an id once, also one that came a day ago', () => {
	const ids = new RecentIds(evicted);
	ids.add('evt');
	ids.add('evt');
	jest.setSystemTime(REMEMBERED_FOR_MS);
	ids.add('next');
	ids.add('evt');
	expect(ids.size).toBe(2);
});

describe('time', () => {
	it('keeps an id for 24 hours at least, and not for two days', () => {
		const ids = new RecentIds(evicted);
		ids.add('early');
		for (let hour = 1; hour <= 48; hour++) {
			jest.setSystemTime(hour * HOUR_MS);
			ids.add(`at ${hour}`);
			if (hour * HOUR_MS < REMEMBERED_FOR_MS) expect(ids.has('early')).toBe(true);
			if (hour > 24) expect(ids.has(`at ${hour - 23}`)).toBe(true);
		}

		expect(ids.has('early')).toBe(false);
		expect(ids.size).toBeLessThanOrEqual(48);
		expect(evicted).not.toHaveBeenCalled();
	});

	it('keeps for 24 hours also what comes in the last moment of a generation', () => {
		const ids = new RecentIds(evicted);
		ids.add('first');
		jest.setSystemTime(REMEMBERED_FOR_MS - 1);
		ids.add('last moment');
		jest.setSystemTime(REMEMBERED_FOR_MS);
		ids.add('next generation');
		jest.setSystemTime(2 * REMEMBERED_FOR_MS - 1);
		ids.add('at its end');
		expect(ids.has('last moment')).toBe(true);
		jest.setSystemTime(2 * REMEMBERED_FOR_MS);
		ids.add('the generation after it');

		expect(ids.has('first')).toBe(false);
		expect(ids.has('last moment')).toBe(false);
		expect(ids.has('next generation')).toBe(true);
		expect(evicted).not.toHaveBeenCalled();
	});

	it('agrees with a plain list over random additions and pauses', () => {
		const random = createRandom(7);
		const ids = new RecentIds(evicted);
		const plain = new Map<string, number>();
		let now = 0;
		for (let step = 0; step < 30_000; step++) {
			now += random.integer(0, 10_000);
			jest.setSystemTime(now);
			const id = `evt_${random.integer(0, 5_000)}`;
			const addedAt = plain.get(id);
			if (addedAt !== undefined && now - addedAt < REMEMBERED_FOR_MS && !ids.has(id)) {
				throw new Error(`${id} is forgotten after ${now - addedAt} ms`);
			}
			if (addedAt === undefined && ids.has(id)) throw new Error(`${id} was never added`);
			if (!ids.has(id)) plain.set(id, now);
			ids.add(id);
		}
		expect(now).toBeGreaterThan(REMEMBERED_FOR_MS);
	});
});

describe('number', () => {
	// Fingerprints, since a million and a half of them would take seconds to make.
	const fill = (ids: RecentIds, name: string, count = REMEMBERED_IDS) => {
		for (let index = 0; index < count; index++) ids.keep(`${name}_${index}`);
	};
	const expectAll = (ids: RecentIds, name: string) => {
		for (let index = 0; index < REMEMBERED_IDS; index++) {
			if (!ids.holds(`${name}_${index}`)) throw new Error(`${name}_${index} is forgotten`);
		}
	};

	it('keeps the latest 500,000 when more come within a day, and says what it forgets', () => {
		const ids = new RecentIds(evicted);
		fill(ids, 'first');
		fill(ids, 'second');
		expectAll(ids, 'first');
		expect(evicted).not.toHaveBeenCalled();

		ids.add('one more');

		expect(evicted.mock.calls).toEqual([[REMEMBERED_IDS]]);
		expect(ids.holds('first_0')).toBe(false);
		expect(ids.has('one more')).toBe(true);
		expectAll(ids, 'second');
		expect(ids.size).toBe(REMEMBERED_IDS + 1);
	});

	it('says how many it forgets, of which there may be fewer than of those that come', () => {
		const ids = new RecentIds(evicted);
		for (const id of ['a', 'b', 'c']) ids.add(id);
		jest.setSystemTime(REMEMBERED_FOR_MS - 1);
		ids.add('d');
		jest.setSystemTime(REMEMBERED_FOR_MS);
		fill(ids, 'burst', REMEMBERED_IDS + 1);
		expect(evicted.mock.calls).toEqual([[4]]);
		expect(ids.size).toBe(REMEMBERED_IDS + 1);
	});

	it('says nothing of what it forgets after its time', () => {
		const ids = new RecentIds(evicted);
		ids.add('long ago');
		jest.setSystemTime(REMEMBERED_FOR_MS);
		ids.add('a day later');
		jest.setSystemTime(2 * REMEMBERED_FOR_MS - 1);
		fill(ids, 'burst');

		expect(ids.has('long ago')).toBe(false);
		expect(ids.has('a day later')).toBe(true);
		expect(evicted).not.toHaveBeenCalled();
	});
});

describe('memory', () => {
	/** Bytes for each of the ids, in several sets, so that what the measuring itself moves does not count. */
	const weigh = (count: number, idOf: (index: number) => string): number => {
		const sets: RecentIds[] = [];
		const copies = Math.ceil(200_000 / count);
		const heap = () => {
			collectGarbage();
			const { heapUsed, external } = process.memoryUsage();
			return heapUsed + external;
		};
		const before = heap();
		for (let copy = 0; copy < copies; copy++) {
			const ids = new RecentIds(evicted);
			for (let index = 0; index < count; index++) ids.add(idOf(index));
			sets.push(ids);
		}
		return (heap() - before) / (sets.length * count);
	};
	const parsed = (id: string) => (JSON.parse(JSON.stringify({ id })) as { id: string }).id;

	it.each([1_000, 100_000, 270_000])('is small for each of %i ids', (count) => {
		expect(weigh(count, (index) => parsed(`evt_${index}`))).toBeLessThanOrEqual(MOST_BYTES);
	});

	it('is no more for an id of 256 characters, or for one that is put together', () => {
		const long = (index: number) => parsed(`evt_${index}`.padEnd(256, 'x'));
		const joined = (index: number) => `${parsed(`3 inst_1234567890_${index}`)} ${index}`;
		expect(weigh(30_000, long)).toBeLessThanOrEqual(MOST_BYTES);
		expect(weigh(30_000, joined)).toBeLessThanOrEqual(MOST_BYTES);
	});

	it('of a text of 1 MB ends with it, though the id was cut out of it', () => {
		const ids = new RecentIds(evicted);
		const pieces: string[] = [];
		const use = (keep: (piece: string) => void): number => {
			collectGarbage();
			const before = process.memoryUsage().heapUsed;
			for (let index = 0; index < 20; index++) {
				const body = Buffer.alloc(1_000_000, `${index}:a text that is long enough `).toString();
				keep(body.slice(0, 40));
			}
			collectGarbage();
			return process.memoryUsage().heapUsed - before;
		};
		expect(use((piece) => ids.add(piece))).toBeLessThan(5_000_000);
		// A piece that is kept as it is holds on to all of its text.
		expect(use((piece) => pieces.push(piece))).toBeGreaterThan(10_000_000);
		expect(pieces).toHaveLength(20);
	});
});
