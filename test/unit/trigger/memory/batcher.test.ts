import {
	Batcher,
	type Batch,
	type Terms,
} from '../../../../nodes/MessagingGateway/trigger/memory/batcher';
import type { Settlement } from '../../../../nodes/MessagingGateway/webhooks/http';
import { createRandom } from '../../../random';

const NEVER = Number.MAX_SAFE_INTEGER;

function terms(capacity: number, deadline: number, answeredAtEnd = false): Terms {
	return { capacity, deadline, answeredAtEnd };
}

const settleAll = async () => await jest.advanceTimersByTimeAsync(0);

beforeEach(() => {
	jest.useFakeTimers({ now: 0 });
});

afterEach(() => {
	jest.useRealTimers();
});

it('lets a single member leave at once and alone', async () => {
	const gathering = new Batcher<string>();
	const trip = await gathering.join('a', terms(10, NEVER));
	expect(trip).toMatchObject({ members: ['a'], leads: true });
});

it('takes along together whoever came while a start was in flight', async () => {
	const gathering = new Batcher<string>();
	const first = await gathering.join('a', terms(10, NEVER));
	const others = ['b', 'c', 'd'].map(
		async (member) => await gathering.join(member, terms(10, 5_000)),
	);
	first?.report('accepted');
	const trips = await Promise.all(others);

	expect(trips.map((trip) => trip?.members)).toEqual(Array(3).fill(['b', 'c', 'd']));
	expect(trips.map((trip) => trip?.leads)).toEqual([true, false, false]);
});

it.each<Settlement>(['accepted', 'deferred'])(
	'tells all of them when their start was %s',
	async (settled) => {
		const gathering = new Batcher<string>();
		const first = await gathering.join('a', terms(10, NEVER));
		const others = ['b', 'c'].map(async (member) => await gathering.join(member, terms(10, 5_000)));
		first?.report('accepted');
		const [leader, rider] = await Promise.all(others);
		leader?.report(settled);

		expect(await Promise.all([leader?.settled, rider?.settled])).toEqual([settled, settled]);
	},
);

it('takes no more than the capacity', async () => {
	const gathering = new Batcher<number>();
	const sizes: number[] = [];
	const ride = async (member: number) => {
		const trip = await gathering.join(member, terms(3, NEVER - 1));
		if (!trip?.leads) return;
		sizes.push(trip.members.length);
		trip.report('accepted');
	};
	const rides = Array.from({ length: 8 }, async (_value, index) => await ride(index));
	await settleAll();
	await Promise.all(rides);
	expect(sizes).toEqual([1, 3, 3, 1]);
});

it('is busy until its last start is answered', async () => {
	const gathering = new Batcher<string>();
	expect(gathering.busy).toBe(false);
	const first = await gathering.join('a', terms(10, NEVER));
	expect(gathering.busy).toBe(true);
	const next = gathering.join('b', terms(10, NEVER - 1));
	first?.report('accepted');
	const second = await next;
	expect(gathering.busy).toBe(true);
	second?.report('deferred');
	await settleAll();
	expect(gathering.busy).toBe(false);
});

it('leaves nobody waiting beyond the deadline, and takes them nowhere afterwards', async () => {
	const gathering = new Batcher<string>();
	const first = await gathering.join('a', terms(10, NEVER));
	const late = gathering.join('b', terms(10, 6_000));
	await jest.advanceTimersByTimeAsync(6_000);
	expect(await late).toBeUndefined();

	const next = gathering.join('c', terms(10, 12_000));
	first?.report('accepted');
	expect((await next)?.members).toEqual(['c']);
});

it('lets the next start go if one is never answered', async () => {
	const gathering = new Batcher<string>();
	await gathering.join('a', terms(10, NEVER));
	await jest.advanceTimersByTimeAsync(8_000);
	const next = gathering.join('b', terms(10, 14_000));
	await jest.advanceTimersByTimeAsync(2_000);

	expect((await next)?.members).toEqual(['b']);
});

it('starts every member exactly once or says that it did not, over random arrivals and slow starts', async () => {
	const random = createRandom(3);
	const gathering = new Batcher<number>();
	const started: number[] = [];
	const turnedAway: number[] = [];
	let inFlight = 0;
	let mostInFlight = 0;

	const lead = async (trip: Batch<number>) => {
		inFlight++;
		mostInFlight = Math.max(mostInFlight, inFlight);
		await jest.advanceTimersByTimeAsync(0);
		setTimeout(
			() => {
				inFlight--;
				const works = random.integer(0, 4) > 0;
				if (works) started.push(...trip.members);
				else turnedAway.push(...trip.members);
				trip.report(works ? 'accepted' : 'deferred');
			},
			random.pick([5, 20, 20, 100, 500, 500, 500, 7_000]),
		);
	};
	const outcomes = new Map<number, Settlement | undefined>();
	const arrive = async (member: number) => {
		const trip = await gathering.join(
			member,
			terms(random.integer(0, 100) > 0 ? 100 : 2, Date.now() + 6_000),
		);
		if (trip?.leads) void lead(trip);
		outcomes.set(member, await trip?.settled);
	};

	const arrivals: Array<Promise<void>> = [];
	for (let member = 0; member < 2_000; member++) {
		arrivals.push(arrive(member));
		await jest.advanceTimersByTimeAsync(random.integer(0, 30));
	}
	await jest.advanceTimersByTimeAsync(60_000);
	await Promise.all(arrivals);

	expect(mostInFlight).toBe(1);
	expect(gathering.busy).toBe(false);
	expect(new Set(started).size).toBe(started.length);
	const say = (wanted: Settlement | undefined) =>
		[...outcomes].filter(([, settled]) => settled === wanted).map(([member]) => member);
	expect(say('accepted').sort()).toEqual([...started].sort());
	expect(say('deferred').sort()).toEqual([...turnedAway].sort());
	expect(say(undefined).length).toBe(2_000 - started.length - turnedAway.length);
	expect(started.length).toBeGreaterThan(1_000);
	expect(say(undefined).length).toBeGreaterThan(0);
});

describe('with starts that are answered at the end of their executions', () => {
	const LONG = 60_000;

	it('takes the next ones along as soon as the execution has begun', async () => {
		const gathering = new Batcher<string>();
		const first = await gathering.join('a', terms(10, NEVER, true));
		const others = ['b', 'c'].map(
			async (member) => await gathering.join(member, terms(10, LONG, true)),
		);
		gathering.hasBegun();
		const [second, rider] = await Promise.all(others);

		expect(second).toMatchObject({ members: ['b', 'c'], leads: true });
		first?.report('deferred');
		second?.report('accepted');
		expect(await Promise.all([first?.settled, rider?.settled])).toEqual(['deferred', 'accepted']);
	});

	it('takes a beginning for that of no start which n8n has yet to answer', async () => {
		const gathering = new Batcher<string>();
		const first = await gathering.join('a', terms(10, NEVER));
		let left = false;
		const next = gathering.join('b', terms(10, LONG, true)).then(() => (left = true));
		gathering.hasBegun();
		await settleAll();
		expect(left).toBe(false);
		first?.report('accepted');
		await next;
	});

	it('does not wait for the end where nothing tells of a beginning, as in queue mode', async () => {
		const gathering = new Batcher<string>();
		await gathering.join('a', terms(10, NEVER, true));
		const next = gathering.join('b', terms(10, LONG, true));
		await jest.advanceTimersByTimeAsync(1_000);
		expect((await next)?.members).toEqual(['b']);
	});

	it('waits for a beginning where they can be seen', async () => {
		const gathering = new Batcher<string>();
		await gathering.join('a', terms(10, NEVER, true));
		gathering.hasBegun();
		await settleAll();
		await gathering.join('b', terms(10, NEVER, true));
		let left = false;
		const next = gathering.join('c', terms(10, LONG, true)).then(() => (left = true));
		await jest.advanceTimersByTimeAsync(1_000);
		expect(left).toBe(false);
		gathering.hasBegun();
		await next;
	});
});

it('lets nobody ride with more than it may', async () => {
	const gathering = new Batcher<string>();
	const trips: string[][] = [];
	const ride = async (member: string, capacity: number) => {
		const trip = await gathering.join(member, terms(capacity, NEVER - 1));
		if (!trip?.leads) return;
		trips.push(trip.members);
		await settleAll();
		trip.report('accepted');
	};
	await Promise.all([
		ride('first', 9),
		ride('a', 9),
		ride('b', 9),
		ride('alone', 1),
		ride('c', 2),
		ride('d', 9),
		ride('e', 9),
	]);
	expect(trips).toEqual([['first'], ['a', 'b'], ['alone'], ['c', 'd'], ['e']]);
});
