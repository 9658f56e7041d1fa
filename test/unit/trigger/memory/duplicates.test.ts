import {
	Duplicates,
	type Claim,
} from '../../../../nodes/MessagingGateway/trigger/memory/duplicates';
import type { Settlement } from '../../../../nodes/MessagingGateway/trigger/memory/settlement';
import { createRandom } from '../random';

const create = () => new Duplicates(() => {});

function claimNew(duplicates: Duplicates, id: string): Extract<Claim, { state: 'new' }> {
	const claim = duplicates.claim(id);
	if (claim.state !== 'new') throw new Error(`${id} is ${claim.state}`);
	return claim;
}

it('lets an id through once, and knows it from then on', () => {
	const duplicates = create();
	claimNew(duplicates, 'evt').settle('started');
	expect(duplicates.claim('evt').state).toBe('done');
	expect(duplicates.claim('other').state).toBe('new');
});

it.each<Settlement>(['refused', 'ignored'])('forgets an id whose event was %s', (settled) => {
	const duplicates = create();
	claimNew(duplicates, 'evt').settle(settled);
	expect(duplicates.claim('evt').state).toBe('new');
});

it.each<Settlement>(['started', 'refused', 'ignored'])(
	'tells everyone who waits that it was %s',
	async (settled) => {
		const duplicates = create();
		const first = claimNew(duplicates, 'evt');
		const waiting = [duplicates.claim('evt'), duplicates.claim('evt')];
		first.settle(settled);

		const told = await Promise.all(
			waiting.map(async (claim) => claim.state === 'pending' && (await claim.settled)),
		);
		expect(told).toEqual([settled, settled]);
	},
);

it('is not confused by a claim that is settled twice', () => {
	const duplicates = create();
	const first = claimNew(duplicates, 'evt');
	first.settle('refused');
	claimNew(duplicates, 'evt');
	first.settle('started');
	expect(duplicates.claim('evt').state).toBe('pending');
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
		const claim = duplicates.claim(id);
		if (claim.state === 'done') return void accepted.add(id);
		if (claim.state === 'pending') {
			if ((await claim.settled) === 'started') accepted.add(id);
			return;
		}
		const works = random.integer(0, 3) > 0;
		await new Promise<void>((resolve) => underway.push(resolve));
		if (works) runs.set(id, (runs.get(id) ?? 0) + 1);
		if (works) accepted.add(id);
		claim.settle(works ? 'started' : 'refused');
	};

	const ids = Array.from({ length: 500 }, (_value, index) => `evt_${index}`);
	while (accepted.size < ids.length) {
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
