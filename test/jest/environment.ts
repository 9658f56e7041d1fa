import { performance } from 'node:perf_hooks';
import { getActiveResourcesInfo } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
// Jest's own; they come with jest.
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';
import { noteWork, readWork } from './work';

const GRACE_MS = 5_000;

/** What of a test goes on by itself when the test has ended, in Node's words for it. */
const GOING_ON: Record<string, string> = {
	ProcessWrap: 'a process',
	TCPServerWrap: 'a listening server',
};

const listRunning = () => getActiveResourcesInfo().filter((kind) => kind in GOING_ON);

/** Fails the file that leaves a process or a server running, by the file's name, and notes how much it has computed. */
export default class Environment extends TestEnvironment {
	private readonly atStart = listRunning().length;
	private readonly workAtStart = readWork();
	private readonly testPath: string;

	constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
		super(config, context);
		({ testPath: this.testPath } = context);
	}

	async teardown(): Promise<void> {
		noteWork(this.testPath, readWork() - this.workAtStart);
		await super.teardown();
	}

	/** An error of the whole file, beside those of its tests. */
	async handleTestEvent({ name }: Circus.Event, state: Circus.State): Promise<void> {
		if (name !== 'run_finish') return;
		const deadline = performance.now() + GRACE_MS;
		while (listRunning().length > this.atStart && performance.now() < deadline) await pause(50);
		const left = listRunning().slice(this.atStart);
		const kinds = left.map((kind) => GOING_ON[kind]).join(', ');
		if (left.length > 0) state.unhandledErrors.push(new Error(`Left running: ${kinds}`));
	}
}
