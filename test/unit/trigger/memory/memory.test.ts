import { randomUUID } from 'node:crypto';
import type { Logger } from 'n8n-workflow';
import { forget, recall } from '../../../../nodes/MessagingGateway/trigger/memory/memory';

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
	const memory = recall(key, logger);
	expect(recall({ ...key }, logger)).toBe(memory);
	for (const other of [{ workflowId: 'other' }, { nodeId: 'other' }, { test: true }]) {
		expect(recall({ ...key, ...other }, logger)).not.toBe(memory);
	}
});

it('begins anew after it was forgotten', () => {
	const key = keyOf({ test: true });
	const memory = recall(key, logger);
	forget(key);
	expect(recall(key, logger)).not.toBe(memory);
});

it('is kept for 1,000 triggers: the one idle for the longest time goes, with a word in the log', () => {
	const used = keyOf();
	const busy = keyOf();
	const idle = keyOf();
	const [usedMemory, busyMemory, idleMemory] = [used, busy, idle].map((key) => recall(key, logger));
	busyMemory.duplicates.claim('evt', () => 60_000);
	for (let index = 0; index < 1_200; index++) {
		recall(keyOf(), logger);
		recall(used, logger);
	}

	expect(recall(used, logger)).toBe(usedMemory);
	expect(recall(busy, logger)).toBe(busyMemory);
	expect(recall(idle, logger)).not.toBe(idleMemory);
	expect(warn).toHaveBeenCalledWith(expect.stringContaining('forgot'), expect.anything());
});

it('logs the same warning once a minute', () => {
	jest.useFakeTimers();
	const memory = recall(keyOf(), logger);
	warn.mockClear();
	for (let second = 0; second < 120; second++) {
		memory.warn('one');
		memory.warn('another');
		jest.advanceTimersByTime(1_000);
	}
	jest.useRealTimers();
	expect(warn).toHaveBeenCalledTimes(4);
});
