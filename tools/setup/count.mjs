// Sums up jest's JSON reports and the one of the checks: the failures, and then one line "N passed, N failed".
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { projectFolder, reportOf } from './progress.mjs';

let passed = 0;
let failed = 0;
for (const name of process.argv.slice(2)) {
	const path = reportOf(name);
	if (!existsSync(path)) {
		console.log(`✗ ${name} did not get to its end: there is no report.\n`);
		failed += 1;
		continue;
	}
	const report = JSON.parse(readFileSync(path, 'utf8'));
	for (const { name: file, status, message } of report.testResults)
		if (status === 'failed') console.log(`✗ ${relative(projectFolder, file)}\n\n${message}\n`);
	passed += report.numPassedTests;
	failed += report.numFailedTests + (report.numRuntimeErrorTestSuites ?? 0);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
