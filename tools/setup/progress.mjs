import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TICK_MS = 15_000;
const LINES_OF_A_FAILED_LOG = 200;

/** A failure that has been explained to the person already: printed as it is, without a stack trace. */
export class SetupError extends Error {}

/** Milliseconds as a person reads them: `0.4 s`, `12 s`, `3 min 05 s`. */
export function formatTime(milliseconds) {
	if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
	const seconds = Math.round(milliseconds / 1000);
	if (seconds < 60) return `${seconds} s`;
	return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/**
 * Announces a piece of work, ticks while it goes on, and tells how long it took.
 * @param title what is being done, e.g. `Installing n8n`
 * @param usually how long that takes, e.g. `about 1 minute`
 */
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
 * Runs a command out of sight, with all it prints in `log`. When it fails, the end of that log is in the error.
 * @returns what the command wrote to stdout
 */
export function run(command, args, { cwd, env = process.env, log }) {
	mkdirSync(dirname(log), { recursive: true });
	const file = createWriteStream(log, { flags: 'a' });
	file.write(`\n$ ${[command, ...args].join(' ')}\n`);
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
		let output = '';
		child.stdout.on('data', (chunk) => {
			output += chunk;
			file.write(chunk);
		});
		child.stderr.on('data', (chunk) => file.write(chunk));
		child.once('error', (error) =>
			reject(new SetupError(`${command} could not be started: ${error.message}`)),
		);
		child.once('close', (code, signal) =>
			file.end(() => {
				if (code === 0) return resolve(output);
				const why = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
				reject(
					new SetupError(
						`${[command, ...args].join(' ')} ${why}.\n\n${readEnd(log)}\n\nThe whole log: ${log}`,
					),
				);
			}),
		);
	});
}

/** A fresh log file's path for one piece of work. */
export function logIn(folder, name) {
	return join(folder, 'logs', `${new Date().toISOString().replace(/[:.]/g, '-')}-${name}.log`);
}

function readEnd(log) {
	const isNoise = (line) => /npm warn Unknown (env|user|project|cli) config/i.test(line);
	const lines = readFileSync(log, 'utf8')
		.split('\n')
		.filter((line) => !isNoise(line));
	return lines.slice(-LINES_OF_A_FAILED_LOG).join('\n').trim();
}
