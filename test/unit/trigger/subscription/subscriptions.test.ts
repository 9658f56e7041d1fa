import { randomUUID } from 'node:crypto';
import type { Logger } from 'n8n-workflow';
import type { SwitchedOn } from '../../../../nodes/MessagingGateway/trigger/subscription/estate';
import {
	forgetSubscription,
	subscriptionFor,
} from '../../../../nodes/MessagingGateway/trigger/subscription/subscriptions';

const warn = jest.fn();
const logger = { warn } as unknown as Logger;
const keyOf = (change = {}) => ({
	workflowId: randomUUID(),
	nodeId: 'node',
	test: false,
	...change,
});

beforeEach(() => {
	warn.mockClear();
});

it('is one per workflow, node and kind of delivery', () => {
	const key = keyOf();
	const subscription = subscriptionFor(key, logger);
	expect(subscriptionFor({ ...key }, logger)).toBe(subscription);
	for (const other of [{ workflowId: 'other' }, { nodeId: 'other' }, { test: true }]) {
		expect(subscriptionFor({ ...key, ...other }, logger)).not.toBe(subscription);
	}
});

it('begins anew after it was forgotten', () => {
	const key = keyOf({ test: true });
	const subscription = subscriptionFor(key, logger);
	forgetSubscription(key);
	expect(subscriptionFor(key, logger)).not.toBe(subscription);
});

it('is kept for 1,000 triggers: the one idle for the longest time goes, with a word in the log', () => {
	const used = keyOf();
	const busy = keyOf();
	const idle = keyOf();
	const [usedSubscription, busySubscription, idleSubscription] = [used, busy, idle].map((key) =>
		subscriptionFor(key, logger),
	);
	busySubscription.deduplicator.accept('evt', () => 60_000);
	for (let index = 0; index < 1_200; index++) {
		subscriptionFor(keyOf(), logger);
		subscriptionFor(used, logger);
	}

	expect(subscriptionFor(used, logger)).toBe(usedSubscription);
	expect(subscriptionFor(busy, logger)).toBe(busySubscription);
	expect(subscriptionFor(idle, logger)).not.toBe(idleSubscription);
	expect(warn).toHaveBeenCalledWith(expect.stringContaining('forgot'), expect.anything());
});

it('is kept for more than 1,000 triggers that are switched on', () => {
	const keys = Array.from({ length: 1_200 }, () => keyOf());
	const all = keys.map((key) => {
		const subscription = subscriptionFor(key, logger);
		subscription.switchedOn = {} as SwitchedOn;
		return subscription;
	});
	expect(keys.every((key, index) => subscriptionFor(key, logger) === all[index])).toBe(true);
	const another = keyOf();
	expect(subscriptionFor(another, logger)).toBe(subscriptionFor(another, logger));
});

it('logs the same warning once a minute', () => {
	jest.useFakeTimers();
	const subscription = subscriptionFor(keyOf(), logger);
	warn.mockClear();
	for (let second = 0; second < 120; second++) {
		subscription.warn('one');
		subscription.warn('another');
		jest.advanceTimersByTime(1_000);
	}
	jest.useRealTimers();
	expect(warn).toHaveBeenCalledTimes(4);
});
