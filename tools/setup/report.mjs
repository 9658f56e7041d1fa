import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { projectFolder } from './project.mjs';

const LONGEST = 5;

/**
 * Reads what a run has left, in the shape of jest's JSON report.
 * @param work path of the notes of what each file has computed (test/jest/work.ts), if there are any
 * @returns how many tests passed and failed, the failed ones' names and messages for a person, and which files took
 * longest; undefined without a report
 */
export function readReport(path, work) {
	if (!existsSync(path)) return undefined;
	const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults, leftOpen } =
		JSON.parse(readFileSync(path, 'utf8'));
	const failures = (testResults ?? [])
		.filter(({ status }) => status === 'failed')
		.map(({ name, message }) => {
			const title = name.startsWith(projectFolder) ? relative(projectFolder, name) : name;
			return `✗ ${title}\n\n${stripVTControlCharacters(message).trim()}\n`;
		});
	if (leftOpen) failures.push(`✗ ${leftOpen}\n`);
	return {
		passed: numPassedTests,
		failed: numFailedTests + (numRuntimeErrorTestSuites ?? 0) + (leftOpen ? 1 : 0),
		failures: failures.join('\n'),
		longest: nameLongest(testResults ?? [], readNotes(work)),
	};
}

/** The seconds that each file has computed, by its name. */
function readNotes(path) {
	if (path === undefined || !existsSync(path)) return new Map();
	const lines = readFileSync(path, 'utf8').trim().split('\n');
	return new Map(lines.map((line) => JSON.parse(line)).map(({ name, seconds }) => [name, seconds]));
}

/**
 * What all files took, and those that took longest, in one line:
 * `50 s in all, of them 20 s of work. Longest: 41 s (12 s of work) test/unit/a.test.ts, 7 s (7 s of work) test/unit/b.test.ts`.
 * What is no work is waiting.
 */
function nameLongest(files, work) {
	const times = files
		.filter(({ startTime, endTime }) => endTime > startTime)
		.map(({ name, startTime, endTime }) => ({
			name: relative(projectFolder, name),
			seconds: (endTime - startTime) / 1000,
			computed: work.get(name) ?? 0,
		}))
		.sort((one, other) => other.seconds - one.seconds);
	if (times.length === 0) return '';
	const sum = (key) => Math.round(times.reduce((total, time) => total + time[key], 0));
	const longest = times
		.slice(0, LONGEST)
		.map(
			({ name, seconds, computed }) =>
				`${Math.round(seconds)} s (${Math.round(computed)} s of work) ${name}`,
		);
	return `${sum('seconds')} s in all, of them ${sum('computed')} s of work. Longest: ${longest.join(', ')}`;
}
