// Runs one of jest's projects. What jest prints goes to stderr; on stdout stands at the end what has failed, or how many
// tests have passed. Arguments: the project, and what else jest is to be told.
import { rmSync } from 'node:fs';
import { reportOf } from './project.mjs';
import { readReport } from './report.mjs';
import { superviseTests } from './supervise.mjs';

const GRACE_MS = 45_000;

const [project, ...args] = process.argv.slice(2);
const report = reportOf(project);
const work = `${report}.work`;
rmSync(work, { force: true });
process.env.TEST_WORK = work;
process.exitCode = await superviseTests(
	[
		'node_modules/jest/bin/jest.js',
		...['--selectProjects', project, '--json', `--outputFile=${report}`, ...args],
	],
	{ report, graceMs: GRACE_MS },
);
const result = readReport(report, work);
if (result === undefined) console.error('jest broke off and has left no report.');
else if (result.failed > 0)
	console.log(`\n${result.failures}\n${result.passed} passed, ${result.failed} failed`);
else console.log(`${result.passed} tests. ${result.longest}`);
