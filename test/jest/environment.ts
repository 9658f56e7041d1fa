import { performance } from 'node:perf_hooks';
import { getActiveResourcesInfo } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
// Jest's own; it comes with jest.
import { TestEnvironment } from 'jest-environment-node';

const GRACE_MS = 5_000;

/** What of a test goes on by itself when the test has ended, in Node's words for it. */
const GOING_ON: Record<string, string> = {
	ProcessWrap: 'a process',
	TCPServerWrap: 'a listening server',
};

const listRunning = () => getActiveResourcesInfo().filter((kind) => kind in GOING_ON);

/** Fails the file that leaves a process or a server running, by the file's name. */
export default class Environment extends TestEnvironment {
	private readonly atStart = listRunning().length;

	async teardown(): Promise<void> {
		await super.teardown();
		const deadline = performance.now() + GRACE_MS;
		while (listRunning().length > this.atStart && performance.now() < deadline) await pause(50);
		const left = listRunning().slice(this.atStart);
		if (left.length > 0)
			throw new Error(`Left running: ${left.map((kind) => GOING_ON[kind]).join(', ')}`);
	}
}
