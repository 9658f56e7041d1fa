import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

const GRACE_MS = 30_000;
/** For Node's `--require` in a process that leads its group and has a channel: it ends with the process that started it. */
const tether = join(__dirname, 'tether.cjs');

/** A process that leads a process group of its own and dies with the process that started it. */
export interface SpawnedProcess {
	pid: number;
	/** Resolves when the process has ended, with its exit code, or null if a signal ended it. */
	ended: Promise<number | null>;
	isRunning(): boolean;
	/** Asks it to end, waits, and ends what is left of its group by force. */
	stop(): Promise<void>;
	/** Ends the whole group at once, as `kill -9` does. */
	kill(): Promise<void>;
}

/** Starts a script of Node with everything it prints appended to `log`. */
export function startNode(
	script: string,
	args: string[],
	env: NodeJS.ProcessEnv,
	log: string,
): SpawnedProcess {
	const child = spawn(process.execPath, ['--require', tether, script, ...args], {
		env,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
	});
	const file = createWriteStream(log, { flags: 'a' });
	child.stdout?.pipe(file, { end: false });
	child.stderr?.pipe(file, { end: false });
	const ended = new Promise<number | null>((resolve) => {
		child.once('close', (code) => file.end(() => resolve(code)));
	});
	const { pid } = child;
	if (pid === undefined) {
		child.once('error', () => {});
		throw new Error(`${script} could not be started.`);
	}

	const isRunning = () => child.exitCode === null && child.signalCode === null;
	const signalGroup = (signal: NodeJS.Signals) => {
		try {
			process.kill(-pid, signal);
		} catch (error) {
			// macOS says EPERM of a group that has ended and waits to be collected.
			if (!['ESRCH', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
		}
	};
	return {
		pid,
		ended,
		isRunning,
		async stop() {
			if (isRunning()) {
				child.kill('SIGTERM');
				const force = setTimeout(() => signalGroup('SIGKILL'), GRACE_MS);
				await new Promise<void>((resolve) =>
					isRunning() ? child.once('exit', () => resolve()) : resolve(),
				);
				clearTimeout(force);
			}
			signalGroup('SIGKILL');
			await ended;
		},
		async kill() {
			signalGroup('SIGKILL');
			await ended;
		},
	};
}

/** Starts any program with everything it prints appended to `log`. */
export function startProgram(command: string, args: string[], log: string): SpawnedProcess {
	return startNode(join(__dirname, 'program.cjs'), [command, ...args], process.env, log);
}
