// Sums up the reports of `.ci/run`: the failures, and then one line "N passed, N failed".
import { existsSync, readFileSync } from 'node:fs';
import { reportOf } from './progress.mjs';

const [status, ...names] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const name of names) {
	if (!existsSync(reportOf(name))) {
		console.log(`✗ ${name} did not get to its end: there is no report.\n`);
		failed += 1;
		continue;
	}
	const report = JSON.parse(readFileSync(reportOf(name), 'utf8'));
	for (const { name: file, status: verdict, message } of report.testResults)
		if (verdict === 'failed') console.log(`✗ ${file}\n\n${message}\n`);
	passed += report.numPassedTests;
	failed += report.numFailedTests + (report.numRuntimeErrorTestSuites ?? 0);
}
if (status !== '0' && failed === 0) {
	console.log('✗ A command has failed though its report names no failure.\n');
	failed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
