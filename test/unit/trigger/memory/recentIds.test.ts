import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
	RecentIds,
	REMEMBERED_FOR,
	REMEMBERED_IDS,
} from '../../../../nodes/MessagingGateway/trigger/memory/recentIds';
import { createRandom } from '../random';

const HOUR = 3_600_000;
const evicted = jest.fn();

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

it('counts an id once', () => {
	const ids = new RecentIds(evicted);
	ids.add('evt');
	ids.add('evt');
	expect(ids.size).toBe(1);
});

it('keeps an id for 24 hours at least, and not for two days', () => {
	const ids = new RecentIds(evicted);
	ids.add('early');
	for (let hour = 1; hour <= 48; hour++) {
		jest.setSystemTime(hour * HOUR);
		ids.add(`at ${hour}`);
		if (hour * HOUR < REMEMBERED_FOR) expect(ids.has('early')).toBe(true);
		if (hour > 24) expect(ids.has(`at ${hour - 23}`)).toBe(true);
	}

	expect(ids.has('early')).toBe(false);
	expect(ids.size).toBeLessThan(30);
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
		if (addedAt !== undefined && now - addedAt < REMEMBERED_FOR && !ids.has(id)) {
			throw new Error(`${id} is forgotten after ${now - addedAt} ms`);
		}
		if (addedAt === undefined && ids.has(id)) throw new Error(`${id} was never added`);
		if (!ids.has(id)) plain.set(id, now);
		ids.add(id);
	}
	expect(now).toBeGreaterThan(REMEMBERED_FOR);
});

it('keeps the latest 500,000 when more come within a day, in at most 32 bytes each, and says what it forgets', () => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const measure = () => {
		collect();
		const { heapUsed, arrayBuffers } = process.memoryUsage();
		return heapUsed + arrayBuffers;
	};
	const empty = measure();
	const ids = new RecentIds(evicted);
	for (let index = 0; index < REMEMBERED_IDS; index++) ids.add(`evt_${index}`);
	expect(evicted).not.toHaveBeenCalled();
	expect((measure() - empty) / REMEMBERED_IDS).toBeLessThanOrEqual(32);

	const total = REMEMBERED_IDS * 1.4;
	for (let index = REMEMBERED_IDS; index < total; index++) ids.add(`evt_${index}`);
	for (let index = total - REMEMBERED_IDS; index < total; index++) {
		if (!ids.has(`evt_${index}`)) throw new Error(`evt_${index} is forgotten`);
	}
	const said = evicted.mock.calls.reduce((sum: number, [count]: number[]) => sum + count, 0);
	expect(said).toBe(total - ids.size);
	expect(said).toBeGreaterThan(0);
	expect((measure() - empty) / ids.size).toBeLessThanOrEqual(32);
});

it.each([1_000, 30_000, 100_000])('needs at most 32 bytes for each of %i ids', (count) => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const sets: RecentIds[] = [];
	// Several, so that what the measuring itself moves does not count.
	const copies = Math.ceil(200_000 / count);
	collect();
	const before = process.memoryUsage();
	for (let copy = 0; copy < copies; copy++) {
		const ids = new RecentIds(evicted);
		for (let index = 0; index < count; index++) ids.add(`evt_${index}`);
		sets.push(ids);
	}
	collect();
	const after = process.memoryUsage();
	const bytes = after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers;
	const beyondTheId = bytes / (sets.length * count) - `evt_${count}`.length;

	expect(beyondTheId).toBeLessThanOrEqual(32);
});
