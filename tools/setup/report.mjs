import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { projectFolder } from './project.mjs';

const LONGEST = 5;

/**
 * Reads what a run has left, in the shape of jest's JSON report.
 * @returns how many tests passed and failed, the failed ones' names and messages for a person, and which files took
 * longest; undefined without a report
 */
export function readReport(path) {
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
		longest: nameLongest(testResults ?? []),
	};
}

/** The files that took longest, in one line: `41 s test/unit/a.test.ts, 7 s test/unit/b.test.ts`. */
function nameLongest(files) {
	return files
		.filter(({ startTime, endTime }) => endTime > startTime)
		.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
		.sort((one, other) => other.seconds - one.seconds)
		.slice(0, LONGEST)
		.map(({ name, seconds }) => `${Math.round(seconds)} s ${relative(projectFolder, name)}`)
		.join(', ');
}
