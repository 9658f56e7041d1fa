import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const TICK_MS = 15_000;
const LINES_OF_A_FAILED_LOG = 100;

export const projectFolder = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Large installations and logs. `MESSAGING_GATEWAY_CACHE` names another folder. */
export const cacheFolder = resolve(
	process.env.MESSAGING_GATEWAY_CACHE || join(homedir(), '.cache', 'n8n-nodes-messaging-gateway'),
);

/** Notes and reports of this checkout. */
export const stateFolder = join(projectFolder, 'node_modules', '.cache', 'messaging-gateway');

export const reportOf = (name) => join(stateFolder, 'reports', `${name}.json`);

/** A failure with a text for the person at the terminal: printed without a stack trace. */
export class SetupError extends Error {}

/** Milliseconds as a person reads them: `0.4 s`, `3 min 05 s`. */
export function formatTime(milliseconds) {
	if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
	const seconds = Math.round(milliseconds / 1000);
	if (seconds < 60) return `${seconds} s`;
	return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** Announces a piece of work, ticks while it goes on, and prints how long it took. */
export async function step(title, usually, work) {
	const started = Date.now();
	const elapsed = () => formatTime(Date.now() - started);
	console.log(`▸ ${title} (usually ${usually})`);
	const tick = setInterval(() => console.log(`  … ${elapsed()}`), TICK_MS);
	try {
		const result = await work();
		console.log(`  done in ${elapsed()}`);
		return result;
	} catch (error) {
		console.log(`  failed after ${elapsed()}`);
		throw error;
	} finally {
		clearInterval(tick);
	}
}

/**
 * Runs a command with its output in a log file.
 * @returns its stdout
 * @throws SetupError with the end of the log
 */
export function run(command, args, options = {}) {
	const logs = join(cacheFolder, 'logs');
	mkdirSync(logs, { recursive: true });
	const time = new Date().toISOString().replaceAll(':', '-');
	const log = join(logs, `${time}-${basename(command)}.log`);
	const file = createWriteStream(log);
	return new Promise((succeed, reject) => {
		const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
		let output = '';
		child.stdout.on('data', (chunk) => (output += chunk));
		for (const stream of [child.stdout, child.stderr]) stream.pipe(file, { end: false });
		child.once('error', (error) => reject(new SetupError(`${command}: ${error.message}`)));
		child.once('close', (code, signal) =>
			file.end(() => {
				if (code === 0) return succeed(output);
				const end = readFileSync(log, 'utf8').split('\n').slice(-LINES_OF_A_FAILED_LOG).join('\n');
				const line = [command, ...args].join(' ');
				reject(new SetupError(`${line} ended with ${code ?? signal}.\n\n${end}\n\nLog: ${log}`));
			}),
		);
	});
}
