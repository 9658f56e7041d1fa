import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Of this process and of all that it has started and that has ended. Linux alone tells the latter. */
const PROCESS = '/proc/self/stat';

/** Computing time in seconds: Linux counts it in hundredths, as the 14th to 17th word; the 2nd may hold blanks. */
export function readWork(): number {
	if (!existsSync(PROCESS)) {
		const { user, system } = process.cpuUsage();
		return (user + system) / 1_000_000;
	}
	const words = readFileSync(PROCESS, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
	return words.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

/** Leaves a file's seconds of work for the end of the run (tools/setup/suite.mjs). */
export function noteWork(name: string, seconds: number): void {
	const notes = process.env.TEST_WORK;
	if (notes !== undefined) appendFileSync(notes, `${JSON.stringify({ name, seconds })}\n`);
}
