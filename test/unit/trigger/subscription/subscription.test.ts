import { randomUUID } from 'node:crypto';
import type { Logger } from 'n8n-workflow';
import { startedAt } from '../../../../nodes/MessagingGateway/processState';
import { Subscription } from '../../../../nodes/MessagingGateway/trigger/subscription/subscription';
import { makeDeferred } from '../../../../nodes/MessagingGateway/webhooks/patience';
import { makeEvent } from '../event';

const MINUTES = 60_000;
const WANTED = { url: 'https://n8n.example.com', events: [] };
const RECORD = { ...WANTED, webhookId: 'wh_1', secret: 'whsec_1' };

const create = () =>
	new Subscription({ workflowId: randomUUID(), nodeId: 'node', test: false }, {} as Logger);
const inherit = (older: Subscription, change = {}) => {
	const estate = { ...older.handOver(), ...change };
	return new Subscription(estate.key, estate.logger, estate);
};
const flush = async () => await new Promise(setImmediate);

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
afterEach(() => void jest.useRealTimers());

describe('a trigger that n8n switches on', () => {
	it.each([
		['less than a minute after the start of the process', 59_999, 'starting'],
		['a minute after it', 60_000, 'presumed'],
	])('%s is %s ms later %s', (_when, after, standing) => {
		jest.setSystemTime(startedAt + after);
		expect(create().standing).toBe(standing);
	});

	it('and off again, long after the start, may be switched on again, here or elsewhere, for a minute', () => {
		jest.setSystemTime(startedAt + 60 * MINUTES);
		const subscription = create();
		subscription.confirm(RECORD);
		expect(subscription.awaitsGateway).toBe(false);
		subscription.note('release');
		expect([subscription.standing, subscription.awaitsGateway]).toEqual(['starting', true]);
		jest.advanceTimersByTime(MINUTES - 1);
		expect(subscription.standing).toBe('starting');
		jest.advanceTimersByTime(1);
		expect([subscription.standing, subscription.awaitsGateway]).toEqual(['presumed', false]);
	});
});

it('a trigger that n8n switches off in the first minute has a minute from then on', () => {
	jest.setSystemTime(startedAt + MINUTES - 1);
	const subscription = create();
	subscription.note('release');
	jest.advanceTimersByTime(MINUTES - 1);
	expect(subscription.standing).toBe('starting');
	jest.advanceTimersByTime(1);
	expect(subscription.standing).toBe('presumed');
});

describe('a change of the webhook', () => {
	it('that fails keeps no other from its turn', async () => {
		const subscription = create();
		const failing = subscription.inTurn(async () => await Promise.reject(new Error('No')));
		const next = subscription.inTurn(async () => await Promise.resolve('done'));
		await expect(failing).rejects.toThrow('No');
		expect(await next).toBe('done');
		expect(subscription.standing).toBe('starting');
	});

	it('lets nothing expire before it is over', async () => {
		const subscription = create();
		subscription.note('unanswered');
		const change = makeDeferred<void>();
		const changing = subscription.inTurn(async () => await change.promise);
		await flush();
		jest.advanceTimersByTime(6 * MINUTES);
		expect(subscription.awaitsGateway).toBe(true);
		change.resolve();
		await changing;
		expect(subscription.standing).toBe('presumed');
	});
});

const DOWN = { message: 'Down', advice: '', isPassing: false };

describe('what n8n asks for', () => {
	it('is known to be nothing, at the address from before, until it asks again', () => {
		const subscription = create();
		subscription.want(WANTED);
		subscription.conditions.note({ check: DOWN });
		subscription.want(undefined);
		expect(subscription).toMatchObject({ url: WANTED.url, isUnpublished: true });
		expect([subscription.desired, subscription.conditions.hasOutage]).toEqual([undefined, false]);
		subscription.want({ ...WANTED, url: 'https://new.example.com' });
		expect(subscription).toMatchObject({ url: 'https://new.example.com', isUnpublished: false });
	});

	it('keeps an outage while it stays published', () => {
		const subscription = create();
		subscription.want(WANTED);
		subscription.conditions.note({ check: DOWN });
		subscription.want(WANTED);
		expect(subscription.conditions.hasOutage).toBe(true);
	});
});

it('keeps a record of its own, whatever becomes of the one that it was given', () => {
	const subscription = create();
	const record = { ...RECORD };
	subscription.confirm(record);
	record.secret = 'whsec_old';
	expect(subscription.ownRecord).toEqual(RECORD);
});

const member = { item: { json: {} }, time: 0 };
const ends = { ids: ['evt'], entry: member, settle: () => 'accepted' as const };

/** What a trigger may be busy with, when nobody may forget it. */
const WORK: Record<string, (subscription: Subscription) => void> = {
	'an event': ({ deduplicator }) => void deduplicator.accept('evt', () => 60_000),
	'a start': ({ batcher }) =>
		void batcher.join(member, { capacity: 1, deadline: Infinity, answeredAtEnd: false }),
	'a conversation': ({ conversations }) =>
		void conversations.join('Ana', ends, { debounce: { quietMs: 4_000, maxWaitMs: 9_000 } }),
};

it.each(Object.keys(WORK))('is busy with %s', (what) => {
	const subscription = create();
	expect(subscription.busy).toBe(false);
	WORK[what](subscription);
	expect(subscription.busy).toBe(true);
});

describe('handed over to code that was loaded later', () => {
	const status = (name: string) =>
		makeEvent({ type: 'MESSAGE.STATUS_UPDATED', data: { messageIds: ['M'], status: name } });

	it('it knows all that it knew of the webhook', () => {
		const older = create();
		older.want(WANTED);
		older.want(undefined);
		older.hasUnanswered = true;
		expect(inherit(older)).toMatchObject({
			url: WANTED.url,
			hasUnanswered: true,
			// What waits for its turn is not to start the workflow any more.
			isUnpublished: true,
		});
	});

	it('it knows all that it knew of events, retries and conversations', async () => {
		const older = create();
		const read = older.statuses.judge(status('READ'));
		if (read.kind === 'advances') read.follow(Promise.resolve('accepted'));
		await flush();
		older.retries.claim('evt');
		WORK['a conversation'](older);
		const heir = inherit(older);
		expect(heir.statuses.judge(status('DELIVERED')).kind).toBe('overtaken');
		expect(heir.retries.isClaimed('evt')).toBe(true);
		expect(heir.conversations.busy).toBe(true);
	});

	it('the older code does nothing by itself any more', () => {
		const older = create();
		const end = jest.fn();
		older.switchedOn = { end } as never;
		older.handOver();
		expect(end).toHaveBeenCalledTimes(1);
	});

	it('a change under way ends first, and nobody knows what it comes to', async () => {
		const older = create();
		older.confirm(RECORD);
		jest.advanceTimersByTime(6 * MINUTES);
		const change = makeDeferred<void>();
		const changing = older.inTurn(async () => await change.promise);
		await flush();
		const heir = inherit(older);
		expect(heir.standing).toBe('unconfirmed');
		const order: string[] = [];
		const next = heir.inTurn(async () => await Promise.resolve(void order.push('next')));
		await flush();
		order.push('change');
		change.resolve();
		await Promise.all([changing, next]);
		expect(order).toEqual(['change', 'next']);
	});

	it('a standing expires when it would have', () => {
		const older = create();
		older.note('unanswered');
		jest.advanceTimersByTime(4 * MINUTES);
		const heir = inherit(older);
		expect(heir.standing).toBe('unconfirmed');
		jest.advanceTimersByTime(MINUTES);
		expect(heir.standing).toBe('presumed');
	});

	it('by code of another shape, no record of a webhook that is gone counts', () => {
		const older = create();
		older.confirm(RECORD);
		older.note('delete');
		expect(inherit(older, { shape: 0 }).ownRecord).toBeUndefined();
	});
});
