import { randomUUID } from 'node:crypto';
import type { Logger } from 'n8n-workflow';
import type { Estate } from '../../../../nodes/MessagingGateway/trigger/subscription/estate';
import {
	COUNTS,
	TRANSITIONS,
	type Happening,
	type Standing,
} from '../../../../nodes/MessagingGateway/trigger/subscription/standing';
import { Subscription } from '../../../../nodes/MessagingGateway/trigger/subscription/subscription';

const SECONDS = 1_000;
const MINUTES = 60_000;
const RECORD = { webhookId: 'wh_1', secret: 'whsec_1', url: 'https://n8n.example.com', events: [] };
const HELD = { webhookId: 'wh_held', secret: 'whsec_held' };

const create = () =>
	new Subscription({ workflowId: randomUUID(), nodeId: 'node', test: false }, {} as Logger);

function happen(subscription: Subscription, happening: Happening): void {
	if (happening === 'confirm') subscription.confirm(RECORD);
	else subscription.note(happening);
}

/** How a new subscription comes to each standing. */
const WAYS: Record<Standing, Happening[]> = {
	starting: [],
	unconfirmed: ['unanswered'],
	presumed: ['expire'],
	confirmed: ['confirm'],
	missing: ['lose'],
	deleted: ['delete'],
};

function bring(standing: Standing): Subscription {
	const subscription = create();
	for (const happening of WAYS[standing]) happen(subscription, happening);
	return subscription;
}

afterEach(() => jest.useRealTimers());

// One row for each standing: unanswered, confirm, lose, delete, release, expire. A dot: nothing changes.
const TABLE: Record<Standing, string> = {
	starting: 'unconfirmed confirmed missing deleted . presumed',
	unconfirmed: '. confirmed missing deleted starting presumed',
	presumed: 'unconfirmed confirmed missing deleted starting .',
	confirmed: '. . missing deleted starting .',
	missing: '. confirmed . deleted starting .',
	deleted: '. confirmed missing . . presumed',
};
const HAPPENINGS = ['unanswered', 'confirm', 'lose', 'delete', 'release', 'expire'] as const;

const cells = Object.entries(TABLE).flatMap(([standing, row]) =>
	row
		.split(' ')
		.map((next, index) => [standing, HAPPENINGS[index], next === '.' ? standing : next] as const),
);

it.each(cells)('%s, and then %s: %s', (standing, happening, next) => {
	const subscription = bring(standing as Standing);
	happen(subscription, happening);
	expect(subscription.standing).toBe(next);
});

it('names every standing there is', () => {
	expect(Object.keys(TRANSITIONS)).toEqual(Object.keys(TABLE));
});

it.each(Object.entries(COUNTS) as Array<[Standing, string]>)('%s: %s counts', (standing, what) => {
	const subscription = bring(standing);
	const expected = { record: RECORD, 'static data': HELD, nothing: {} }[what];
	expect(subscription.recordAmong(HELD)).toEqual(expected);
	expect(subscription.ownRecord).toEqual(what === 'record' ? RECORD : undefined);
});

it.each<[Standing, number, Standing]>([
	['unconfirmed', 5 * MINUTES, 'presumed'],
	['deleted', 2 * MINUTES, 'presumed'],
	['confirmed', 60 * MINUTES, 'confirmed'],
	['missing', 60 * MINUTES, 'missing'],
])('%s: after %i ms it is %s', (standing, after, next) => {
	jest.useFakeTimers();
	const subscription = bring(standing);
	jest.advanceTimersByTime(after - 1);
	expect(subscription.standing).toBe(standing);
	jest.advanceTimersByTime(1);
	expect(subscription.standing).toBe(next);
});

it('is changing while something is done about the webhook, one after the other, and counts as before', async () => {
	const subscription = bring('confirmed');
	const order: string[] = [];
	let goOn = () => {};
	const first = subscription.inTurn(async () => {
		await new Promise<void>((resolve) => (goOn = resolve));
		order.push('first');
	});
	const second = subscription.inTurn(async () => void order.push('second'));
	await Promise.resolve();
	expect(subscription.standing).toBe('changing');
	expect(subscription.ownRecord).toEqual(RECORD);
	goOn();
	await Promise.all([first, second]);
	expect(order).toEqual(['first', 'second']);
	expect(subscription.standing).toBe('confirmed');
});

it('asks for a check once a minute, whatever does not fit', () => {
	jest.useFakeTimers();
	const subscription = bring('unconfirmed');
	let asked = 0;
	subscription.askForCheck();
	subscription.switchedOn = { checkSoon: () => (asked += 1) } as never;
	for (let seconds = 0; seconds < 120; seconds++) {
		subscription.askForCheck();
		jest.advanceTimersByTime(1 * SECONDS);
	}
	expect(asked).toBe(2);
});

describe('handed over to code that was loaded later', () => {
	const PATIENCE = () => 60_000;
	const inherit = (estate: Estate) => new Subscription(estate.key, estate.logger, estate);

	it.each(Object.keys(TABLE) as Standing[])('%s stays so, with all that counts', (standing) => {
		const older = bring(standing);
		older.desired = { url: RECORD.url, events: [] };
		const heir = inherit(older.handOver());
		expect(heir.standing).toBe(standing);
		expect(heir.desired).toEqual(older.desired);
		expect(heir.recordAmong(HELD)).toEqual(older.recordAmong(HELD));
	});

	it('an event that has come does not come again, and one under way is told of', async () => {
		const older = create();
		const claim = (subscription: Subscription, id: string) =>
			subscription.deduplicator.accept(id, PATIENCE);
		const done = claim(older, 'done');
		const failing = claim(older, 'failing');
		const running = claim(older, 'running');
		if (done.state === 'new') done.settle('accepted');
		const heir = inherit(older.handOver());
		expect(claim(heir, 'done').state).toBe('done');
		const waiting = claim(heir, 'running');
		expect(waiting.state).toBe('pending');
		if (running.state === 'new') running.settle('accepted');
		if (failing.state === 'new') failing.settle('deferred');
		expect(waiting.state === 'pending' && (await waiting.settled)).toBe('accepted');
		expect(claim(heir, 'running').state).toBe('done');
		expect(claim(heir, 'failing').state).toBe('new');
	});

	it('by code of another shape, the record and the events count', () => {
		const older = bring('confirmed');
		older.deduplicator.accept('pending', PATIENCE);
		const heir = inherit({ ...older.handOver(), shape: 0, standing: 'unheard of' as Standing });
		expect(heir.standing).toBe('confirmed');
		expect(heir.ownRecord).toEqual(RECORD);
		expect(heir.deduplicator.accept('pending', PATIENCE).state).toBe('pending');
	});
});
