// Sums up the reports named, in the shape of jest's: what failed, and then in one line "N passed, N failed".
import { reportOf } from './project.mjs';
import { readReport } from './report.mjs';

let passed = 0;
let failed = 0;
for (const name of process.argv.slice(2)) {
	const report = readReport(reportOf(name));
	if (report === undefined) {
		console.log(`✗ There is no report of ${name}: it did not get to its end.\n`);
		failed += 1;
		continue;
	}
	if (report.failed > 0) console.log(report.failures);
	passed += report.passed;
	failed += report.failed;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
