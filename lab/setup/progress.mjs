import { spawn } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const TICK_MS = 15_000;
const LINES_OF_A_FAILURE = 100;

export const projectFolder = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Large installations. `MESSAGING_GATEWAY_CACHE` names another folder. */
export const cacheFolder = resolve(
	process.env.MESSAGING_GATEWAY_CACHE || join(homedir(), '.cache', 'n8n-nodes-messaging-gateway'),
);

/** Notes and reports of this checkout. */
export const stateFolder = join(projectFolder, 'node_modules', '.cache', 'messaging-gateway');

export const reportOf = (name) => join(stateFolder, `report-${name}.json`);

/** A failure with a text for the person at the terminal: printed without a stack trace. */
export class SetupError extends Error {}

export const formatTime = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * Announces a piece of work, and prints how long it took. While it goes on, ticks show what all work
 * together has written to the disk: another program that writes there counts too.
 */
export async function step(title, usually, work) {
	const started = Date.now();
	const elapsed = () => formatTime(Date.now() - started);
	const freeBefore = readFreeBytes();
	console.log(`▸ ${title} (usually ${usually})`);

	const tick = setInterval(() => {
		const written = Math.max(0, freeBefore - readFreeBytes());
		console.log(`  … ${title}: ${elapsed()}, ${Math.round(written / 1e6)} MB`);
	}, TICK_MS);
	try {
		const result = await work();
		console.log(`✓ ${title} (${elapsed()})`);
		return result;
	} catch (error) {
		console.log(`✗ ${title} failed after ${elapsed()}`);
		throw error;
	} finally {
		clearInterval(tick);
	}
}

/** Of the disk with the large installations. */
function readFreeBytes() {
	mkdirSync(cacheFolder, { recursive: true });
	const { bavail, bsize } = statfsSync(cacheFolder);
	return bavail * bsize;
}

/** Node loads it into npm: if this process ends, however that is, npm ends as well. */
const tether = join(projectFolder, 'lab', 'host', 'tether.cjs');

/**
 * Runs a command and keeps what it prints.
 * @returns its stdout
 * @throws SetupError with the end of all that it printed
 */
export function run(command, args, options = {}) {
	const env = {
		...(options.env ?? process.env),
		NODE_OPTIONS: `--require ${JSON.stringify(tether)}`,
	};
	const stdio = ['ignore', 'pipe', 'pipe', 'ipc'];
	return new Promise((succeed, reject) => {
		const child = spawn(command, args, { ...options, env, detached: true, stdio });
		let output = '';
		let printed = '';
		child.stdout.on('data', (chunk) => (output += chunk));
		for (const stream of [child.stdout, child.stderr])
			stream.on('data', (chunk) => (printed += chunk));
		child.once('error', (error) => reject(new SetupError(`${command}: ${error.message}`)));
		child.once('close', (code, signal) => {
			if (code === 0) return succeed(output);
			const end = printed.split('\n').slice(-LINES_OF_A_FAILURE).join('\n');
			const line = [command, ...args].join(' ');
			reject(new SetupError(`${line} ended with ${code ?? signal}.\n\n${end}`));
		});
	});
}
