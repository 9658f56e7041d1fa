import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

const HEARTBEAT_MS = 5_000;
const STALE_AFTER_MS = 60_000;

/** Where everything lives that is too big or too lasting for the checkout. `MESSAGING_GATEWAY_CACHE` moves it. */
export const cacheFolder = resolve(
	process.env.MESSAGING_GATEWAY_CACHE || join(homedir(), '.cache', 'n8n-nodes-messaging-gateway'),
);

/** A short name for a content: files and texts in, 12 hexadecimal digits out. */
export function hashOf(...contents) {
	const hash = createHash('sha256');
	for (const content of contents) hash.update(content).update('\0');
	return hash.digest('hex').slice(0, 12);
}

/**
 * Fills `folder` once. `fill` works in a folder beside it, which takes its name only when everything has succeeded:
 * what was interrupted is never taken for finished.
 */
export async function installOnce(folder, fill) {
	if (existsSync(folder)) return folder;
	return await withLock(`${folder}.lock`, async () => {
		if (existsSync(folder)) return folder;
		removeLeftovers(folder);
		const partial = `${folder}.partial-${process.pid}`;
		mkdirSync(partial, { recursive: true });
		await fill(partial);
		renameSync(partial, folder);
		return folder;
	});
}

/** Lets one process at a time do the work; the others wait, and say so. */
export async function withLock(path, work) {
	mkdirSync(dirname(path), { recursive: true });
	let waiting = false;
	while (!take(path)) {
		if (isStale(path)) {
			rmSync(path, { force: true });
			continue;
		}
		if (!waiting) console.log('  Somebody else is doing this right now; waiting for it to finish.');
		waiting = true;
		await new Promise((wake) => setTimeout(wake, 500));
	}
	const heartbeat = setInterval(() => utimesSync(path, new Date(), new Date()), HEARTBEAT_MS);
	try {
		return await work();
	} finally {
		clearInterval(heartbeat);
		rmSync(path, { force: true });
	}
}

function take(path) {
	try {
		writeFileSync(path, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (error.code === 'EEXIST') return false;
		throw error;
	}
}

/** A lock whose owner is gone, or no longer refreshes it (the process id may be somebody else's by now). */
function isStale(path) {
	try {
		if (Date.now() - statSync(path).mtimeMs > STALE_AFTER_MS) return true;
		process.kill(Number(readFileSync(path, 'utf8')), 0);
		return false;
	} catch (error) {
		return error.code === 'ESRCH' || error.code === 'ENOENT';
	}
}

function removeLeftovers(folder) {
	for (const name of readdirSync(dirname(folder))) {
		if (!name.startsWith(`${basename(folder)}.partial-`)) continue;
		rmSync(join(dirname(folder), name), { recursive: true, force: true });
	}
}
