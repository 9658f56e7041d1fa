// Sums up the reports named, in the shape of jest's, and ends with one line: "N passed, N failed".
import { existsSync, readFileSync } from 'node:fs';
import { reportOf } from './project.mjs';

let passed = 0;
let failed = 0;
for (const name of process.argv.slice(2)) {
	const path = reportOf(name);
	if (!existsSync(path)) {
		console.log(`There is no report of ${name}: it did not get to its end.`);
		failed += 1;
		continue;
	}
	const report = JSON.parse(readFileSync(path, 'utf8'));
	passed += report.numPassedTests;
	failed += report.numFailedTests + (report.numRuntimeErrorTestSuites ?? 0);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
