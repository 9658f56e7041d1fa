import {
	Deduplicator,
	type Acceptance,
} from '../../../../nodes/MessagingGateway/trigger/memory/deduplicator';
import type { Settlement } from '../../../../nodes/MessagingGateway/webhooks/http';
import { createRandom } from '../../../random';

const MINUTE_MS = 60_000;

const create = () => new Deduplicator(() => {});
const claim = (duplicates: Deduplicator, id: string) => duplicates.accept(id, () => MINUTE_MS);

function claimNew(duplicates: Deduplicator, id: string): Extract<Acceptance, { state: 'new' }> {
	const claimed = claim(duplicates, id);
	if (claimed.state !== 'new') throw new Error(`${id} is ${claimed.state}`);
	return claimed;
}

it('lets an id through once, and knows it from then on', () => {
	const duplicates = create();
	claimNew(duplicates, 'evt').settle('accepted');
	expect(claim(duplicates, 'evt').state).toBe('done');
	expect(claim(duplicates, 'other').state).toBe('new');
});

it.each<Settlement>(['deferred', 'ignored'])('forgets an id whose event was %s', (settled) => {
	const duplicates = create();
	claimNew(duplicates, 'evt').settle(settled);
	expect(claim(duplicates, 'evt').state).toBe('new');
});

it.each<Settlement>(['accepted', 'deferred', 'ignored'])(
	'tells everyone who waits that it was %s',
	async (settled) => {
		const duplicates = create();
		const first = claimNew(duplicates, 'evt');
		const waiting = [claim(duplicates, 'evt'), claim(duplicates, 'evt')];
		first.settle(settled);

		const told = await Promise.all(
			waiting.map(async (one) => one.state === 'pending' && (await one.settled)),
		);
		expect(told).toEqual([settled, settled]);
	},
);

it('is not confused by a claim that is settled twice', () => {
	const duplicates = create();
	const first = claimNew(duplicates, 'evt');
	first.settle('deferred');
	claimNew(duplicates, 'evt');
	first.settle('accepted');
	expect(claim(duplicates, 'evt').state).toBe('pending');
});

it('keeps nothing of what is settled and not remembered', () => {
	const duplicates = create();
	for (let index = 0; index < 1_000; index++)
		claimNew(duplicates, `evt_${index}`).settle('ignored');
	expect(duplicates.busy).toBe(false);
});

it('never runs an id twice and never loses one, over random deliveries, repeats and failures', async () => {
	const random = createRandom(11);
	const duplicates = create();
	const runs = new Map<string, number>();
	const accepted = new Set<string>();
	const underway: Array<() => void> = [];

	const deliver = async (id: string): Promise<void> => {
		const claimed = claim(duplicates, id);
		if (claimed.state === 'done') return void accepted.add(id);
		if (claimed.state === 'pending') {
			if ((await claimed.settled) === 'accepted') accepted.add(id);
			return;
		}
		const works = random.integer(0, 3) > 0;
		await new Promise<void>((resolve) => underway.push(resolve));
		if (works) runs.set(id, (runs.get(id) ?? 0) + 1);
		if (works) accepted.add(id);
		claimed.settle(works ? 'accepted' : 'deferred');
	};

	const ids = Array.from({ length: 500 }, (_value, index) => `evt_${index}`);
	for (let round = 0; accepted.size < ids.length; round++) {
		if (round === 100) throw new Error(`Only ${accepted.size} ids were accepted in 100 rounds`);
		const missing = ids.filter((id) => !accepted.has(id));
		const deliveries = random
			.shuffle([...missing, ...missing, ...ids.slice(0, 50)])
			.map(async (id) => await deliver(id));
		while (underway.length > 0) {
			underway.splice(random.integer(0, underway.length - 1), 1)[0]();
			await Promise.resolve();
		}
		await Promise.all(deliveries);
	}

	expect([...runs.keys()].sort()).toEqual([...ids].sort());
	expect(new Set(runs.values())).toEqual(new Set([1]));
});

describe('an event whose start n8n does not answer', () => {
	beforeEach(() => {
		jest.useFakeTimers();
	});

	afterEach(() => {
		jest.useRealTimers();
	});

	it('may be started again after a minute, then after two more, then after four', () => {
		const duplicates = create();
		claimNew(duplicates, 'evt');
		for (const minutes of [1, 2, 4]) {
			jest.advanceTimersByTime(minutes * MINUTE_MS - 1);
			expect(claim(duplicates, 'evt').state).toBe('pending');
			jest.advanceTimersByTime(1);
			claimNew(duplicates, 'evt');
		}
	});

	it('may be started again a minute after it was handed to n8n, however long it has waited for that', () => {
		const duplicates = create();
		const { delay } = claimNew(duplicates, 'evt');
		delay(5 * MINUTE_MS);
		jest.advanceTimersByTime(5 * MINUTE_MS);
		delay(0);
		jest.advanceTimersByTime(MINUTE_MS - 1);
		expect(claim(duplicates, 'evt').state).toBe('pending');
		jest.advanceTimersByTime(1);
		claimNew(duplicates, 'evt');
	});

	it('is counted from when it was handed to n8n, also where that was sooner than thought', () => {
		const duplicates = create();
		const { delay } = claimNew(duplicates, 'evt');
		delay(5 * MINUTE_MS);
		jest.advanceTimersByTime(MINUTE_MS);
		delay(0);
		jest.advanceTimersByTime(MINUTE_MS);
		claimNew(duplicates, 'evt');
	});

	it('belongs to the execution that begins first', () => {
		const duplicates = create();
		claimNew(duplicates, 'evt');
		jest.advanceTimersByTime(MINUTE_MS);
		claimNew(duplicates, 'evt');

		expect(duplicates.begins('evt', 'first')).toBe(true);
		expect(duplicates.begins('evt', 'second')).toBe(false);
		expect(duplicates.begins('evt', 'first')).toBe(true);
		expect(duplicates.begins('another', 'second')).toBe(true);
	});

	it('is done as soon as one of its starts is, whichever it was', async () => {
		const duplicates = create();
		const first = claimNew(duplicates, 'evt');
		jest.advanceTimersByTime(MINUTE_MS);
		const second = claimNew(duplicates, 'evt');
		// Whoever waits for the first start is told to come again.
		expect(await first.settled).toBe('deferred');

		first.settle('accepted');

		expect(await second.settled).toBe('accepted');
		expect(claim(duplicates, 'evt').state).toBe('done');
		expect(duplicates.busy).toBe(false);
	});

	it('is not given up because an older start of it was refused', () => {
		const duplicates = create();
		const first = claimNew(duplicates, 'evt');
		jest.advanceTimersByTime(MINUTE_MS);
		const second = claimNew(duplicates, 'evt');

		first.settle('deferred');
		expect(claim(duplicates, 'evt').state).toBe('pending');
		second.settle('deferred');
		claimNew(duplicates, 'evt');
	});

	it('is forgotten after a day, when nobody repeats it any more', async () => {
		const duplicates = create();
		const { settled } = claimNew(duplicates, 'evt');
		jest.advanceTimersByTime(24 * 60 * MINUTE_MS);
		const another = claim(duplicates, 'another');
		if (another.state === 'new') another.settle('ignored');

		expect(await settled).toBe('deferred');
		expect(duplicates.busy).toBe(false);
	});

	it('is waited for as long as it is known to run', () => {
		const duplicates = create();
		claimNew(duplicates, 'evt');
		duplicates.begins('evt', 'slow');
		jest.advanceTimersByTime(60 * MINUTE_MS);
		expect(claim(duplicates, 'evt').state).toBe('pending');
	});
});

describe('an event with two starts, answered when its execution has ended', () => {
	/** The first start waited in a queue for so long that a repeat was let through. */
	function claimTwice(duplicates: Deduplicator) {
		const first = claimNew(duplicates, 'evt');
		jest.advanceTimersByTime(MINUTE_MS);
		return { first, second: claimNew(duplicates, 'evt') };
	}

	beforeEach(() => {
		jest.useFakeTimers();
	});

	afterEach(() => {
		jest.useRealTimers();
	});

	it('is not accepted because the execution that was left without it ended well', () => {
		const duplicates = create();
		const { first, second } = claimTwice(duplicates);
		duplicates.begins('evt', 'one');
		duplicates.begins('evt', 'two');

		expect(second.settle('accepted')).toBe('deferred');
		expect(claim(duplicates, 'evt').state).toBe('pending');
		expect(first.settle('accepted')).toBe('accepted');
		expect(claim(duplicates, 'evt').state).toBe('done');
	});

	it('may run again once the execution that had it has failed', () => {
		const duplicates = create();
		const { first, second } = claimTwice(duplicates);
		duplicates.begins('evt', 'one');
		duplicates.begins('evt', 'two');
		second.settle('accepted');
		first.settle('deferred');

		const third = claimNew(duplicates, 'evt');
		expect(duplicates.begins('evt', 'three')).toBe(true);
		expect(third.settle('accepted')).toBe('accepted');
		expect(claim(duplicates, 'evt').state).toBe('done');
	});

	it('still belongs to one execution when the first has failed and the second only then begins', () => {
		const duplicates = create();
		const { first, second } = claimTwice(duplicates);
		duplicates.begins('evt', 'one');
		first.settle('deferred');
		const third = claimNew(duplicates, 'evt');

		expect(duplicates.begins('evt', 'two')).toBe(true);
		expect(duplicates.begins('evt', 'three')).toBe(false);
		expect(third.settle('accepted')).toBe('deferred');
		expect(second.settle('accepted')).toBe('accepted');
		expect(claim(duplicates, 'evt').state).toBe('done');
		expect(duplicates.busy).toBe(false);
	});
});

describe('an execution that n8n had kept from before its start, of an event that is done as soon as it has begun', () => {
	it('is not repeated by what comes after it', () => {
		const duplicates = create();
		expect(duplicates.begins('evt', 'kept', true)).toBe(true);
		expect(claim(duplicates, 'evt').state).toBe('done');
		expect(claim(duplicates, 'another').state).toBe('new');
	});

	it('takes the event from a repeat whose execution has not begun', () => {
		const duplicates = create();
		const repeat = claimNew(duplicates, 'evt');
		expect(duplicates.begins('evt', 'kept', true)).toBe(true);
		expect(claim(duplicates, 'evt').state).toBe('done');
		expect(duplicates.begins('evt', 'repeated', true)).toBe(false);
		expect(repeat.settle('accepted')).toBe('accepted');
		expect(duplicates.busy).toBe(false);
	});

	it.each(['before', 'after'])(
		'is left without it where its repeat has begun %s its answer',
		(order) => {
			const duplicates = create();
			const repeat = claimNew(duplicates, 'evt');
			if (order === 'after') repeat.settle('accepted');
			expect(duplicates.begins('evt', 'repeated', true)).toBe(true);
			if (order === 'before') repeat.settle('accepted');
			expect(duplicates.begins('evt', 'kept', true)).toBe(false);
			expect(claim(duplicates, 'evt').state).toBe('done');
		},
	);

	it('may run beside a repeat where its success is waited for, since nobody hears of it', () => {
		const duplicates = create();
		expect(duplicates.begins('evt', 'kept')).toBe(true);
		const repeat = claimNew(duplicates, 'evt');
		expect(duplicates.begins('evt', 'repeated')).toBe(true);
		expect(repeat.settle('accepted')).toBe('accepted');
	});
});

it('is accepted as soon as its execution has begun, where that is enough, whatever becomes of it', async () => {
	const duplicates = create();
	const first = claimNew(duplicates, 'evt');
	const repeat = claim(duplicates, 'evt');
	expect(duplicates.begins('evt', 'one', true)).toBe(true);
	expect(await first.settled).toBe('accepted');
	expect(repeat.state === 'pending' && (await repeat.settled)).toBe('accepted');
	// n8n tells of the end much later, as that a person has stopped it.
	expect(first.settle('deferred')).toBe('accepted');
	expect(claim(duplicates, 'evt').state).toBe('done');
	expect(duplicates.begins('evt', 'two', true)).toBe(false);
});
