import { Deduplicator } from '../../../../nodes/MessagingGateway/trigger/memory/deduplicator';

const MINUTE_MS = 60_000;
const MOST_BEGUN = 10_000;

const claim = (duplicates: Deduplicator, id: string) => duplicates.accept(id, () => MINUTE_MS);

function claimNew(duplicates: Deduplicator, id: string) {
	const claimed = claim(duplicates, id);
	if (claimed.state !== 'new') throw new Error(`${id} is ${claimed.state}`);
	return claimed;
}

/** What code that is loaded later makes of it. */
const update = (older: Deduplicator) => new Deduplicator(() => {}, older.handOver());

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('after an update of the package', () => {
	it('an event is known that was accepted, or has begun, before', () => {
		const older = new Deduplicator(() => {});
		claimNew(older, 'accepted').settle('accepted');
		older.begins('begun', 'kept', true);
		const newer = update(older);
		expect(['accepted', 'begun'].map((id) => claim(newer, id).state)).toEqual(['done', 'done']);
		expect(claim(newer, 'other').state).toBe('new');
	});

	it.each(['accepted', 'deferred'] as const)(
		'older code still tells what became of a start: %s',
		async (settlement) => {
			const older = new Deduplicator(() => {});
			const { settle } = claimNew(older, 'evt');
			const newer = update(older);
			const repeat = claim(newer, 'evt');
			settle(settlement);
			expect(repeat.state === 'pending' && (await repeat.settled)).toBe(settlement);
			expect(newer.busy).toBe(false);
			expect(claim(newer, 'evt').state).toBe(settlement === 'accepted' ? 'done' : 'new');
		},
	);

	it('a start is waited for as long as before', () => {
		const older = new Deduplicator(() => {});
		for (const id of ['waits', 'runs']) claimNew(older, id);
		older.begins('runs', 'slow');
		jest.advanceTimersByTime(MINUTE_MS - 1);
		const newer = update(older);
		expect(claim(newer, 'waits').state).toBe('pending');
		jest.advanceTimersByTime(1);
		expect(claim(newer, 'waits').state).toBe('new');
		expect(claim(newer, 'runs').state).toBe('pending');
		// It was the second start.
		jest.advanceTimersByTime(2 * MINUTE_MS - 1);
		expect(claim(newer, 'waits').state).toBe('pending');
	});

	it('an event still belongs to the execution that began first', () => {
		const older = new Deduplicator(() => {});
		claimNew(older, 'evt');
		jest.advanceTimersByTime(MINUTE_MS);
		claimNew(older, 'evt');
		older.begins('evt', 'first');
		const newer = update(older);
		expect(newer.begins('evt', 'second')).toBe(false);
		expect(newer.begins('evt', 'first')).toBe(true);
	});
});

it('of what has begun, no more than 10,000 events are remembered, the latest ones', () => {
	const duplicates = new Deduplicator(() => {});
	for (let index = 0; index <= MOST_BEGUN; index++) {
		duplicates.begins(`kept_${index}`, 'kept', true);
		claimNew(duplicates, `evt_${index}`);
		duplicates.begins(`evt_${index}`, String(index), true);
	}
	expect([...duplicates.handOver().contests]).toHaveLength(MOST_BEGUN);
	expect(duplicates.begins(`evt_${MOST_BEGUN}`, 'another', true)).toBe(false);
	expect(claim(duplicates, `kept_${MOST_BEGUN}`).state).toBe('done');
	expect(claim(duplicates, 'kept_1').state).toBe('done');
	expect(claim(duplicates, 'kept_0').state).toBe('new');
});
