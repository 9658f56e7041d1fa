import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** V8's own format: what the process was doing at each sample, as a tree of calls; times in microseconds. */
interface Profile {
	nodes: Array<{
		id: number;
		callFrame: { functionName: string; url: string };
		children?: number[];
	}>;
	startTime: number;
	samples: number[];
	timeDeltas: number[];
}

/** A stretch of time on the clock that V8 uses, in microseconds. */
export interface Stretch {
	from: number;
	to: number;
}

/** What makes Node write a profile into the folder when the process ends. */
export const profilingInto = (folder: string) => ({
	NODE_OPTIONS: `--cpu-prof --cpu-prof-interval 200 --cpu-prof-dir=${folder}`,
});

export const readClock = () => Number(process.hrtime.bigint() / 1000n);

/**
 * The part of a process's working time, 0 to 1, that it spent in a package's functions and in what they called. The
 * sending of an answer, which a package that watches it passes on, is n8n's.
 */
export function readShare(folder: string, packageName: string, { from, to }: Stretch): number {
	const { nodes, startTime, samples, timeDeltas } = readProfile(folder);
	const idle = new Set(
		nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id),
	);
	const within = new Set<number>();
	for (const { id, callFrame, children = [] } of nodes) {
		// A node stands before those that it calls.
		if (callFrame.url.includes(`/node_modules/${packageName}/`)) within.add(id);
		if (callFrame.url.includes('/node_modules/compression/')) within.delete(id);
		if (within.has(id)) children.forEach((child) => within.add(child));
	}
	let [now, own, all] = [startTime, 0, 0];
	for (const [index, id] of samples.entries()) {
		now += timeDeltas[index];
		if (now < from || now > to || idle.has(id)) continue;
		all += timeDeltas[index];
		if (within.has(id)) own += timeDeltas[index];
	}
	if (all === 0) throw new Error('The profile has no samples of this time.');
	return own / all;
}

/** The profile of the main thread, by far the largest. */
function readProfile(folder: string): Profile {
	const files = readdirSync(folder).map((name) => join(folder, name));
	const [largest] = files.toSorted((one, other) => statSync(other).size - statSync(one).size);
	return JSON.parse(readFileSync(largest, 'utf8')) as Profile;
}
