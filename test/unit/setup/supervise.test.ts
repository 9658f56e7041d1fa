import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../../../host/places';
import { waitFor } from '../../../host/waiting';

const setup = join(__dirname, '..', '..', '..', 'tools', 'setup');
const urlOf = (file: string) => pathToFileURL(join(setup, file)).href;
const folder = mkdtempSync(join(tmpdir(), 'supervise-'));
const report = join(folder, 'report.json');
const work = join(folder, 'work');
const tests = join(folder, 'tests.cjs');

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

const passedOne = { numPassedTests: 1, numFailedTests: 0, testResults: [] };
const failedOne = {
	numPassedTests: 1,
	numFailedTests: 1,
	testResults: [
		{
			name: 'bread.test.ts',
			status: 'failed',
			message: '\u001b[31m● bread › rises\n\nIt did not.',
		},
	],
};

/** Supervises a program in place of jest, and gives the exit code and what the report then says. */
async function supervise(
	program: string,
	graceMs = 600_000,
): Promise<{ code: number; result?: object }> {
	writeFileSync(tests, `const { writeFileSync } = require('node:fs');\n${program}`);
	const supervisor = `
		import { readReport } from '${urlOf('report.mjs')}';
		import { superviseTests } from '${urlOf('supervise.mjs')}';
		const report = ${JSON.stringify(report)};
		const code = await superviseTests([${JSON.stringify(tests)}], { report, graceMs: ${graceMs} });
		console.log(JSON.stringify({ code, result: readReport(report, ${JSON.stringify(work)}) }));`;
	return await new Promise((resolve, reject) => {
		execFile(
			process.execPath,
			['--input-type=module', '-e', supervisor],
			{ timeout: 50_000 },
			(error, stdout) => (error ? reject(error) : resolve(JSON.parse(stdout))),
		);
	});
}

const leave = (content: object) =>
	`writeFileSync(${JSON.stringify(report)}, ${JSON.stringify(JSON.stringify(content))});`;

it('gives what the tests end with, and what has failed by name and message, without colours', async () => {
	const { code, result } = await supervise(`${leave(failedOne)} process.exitCode = 3;`);
	expect(code).toBe(3);
	expect(result).toEqual({
		passed: 1,
		failed: 1,
		failures: '✗ bread.test.ts\n\n● bread › rises\n\nIt did not.\n',
		longest: '',
	});
});

it('names the files that took longest, the longest first, and how much of it was work', async () => {
	const file = (name: string, seconds: number) => ({
		name: join(projectFolder, 'test', name),
		status: 'passed',
		startTime: 1_000,
		endTime: 1_000 + seconds * 1_000,
	});
	const testResults = [3, 41.4, 5, 2, 4, 1].map((seconds) => file(`${seconds}.test.ts`, seconds));
	const computed = [
		[testResults[1].name, 12.2],
		[testResults[2].name, 5.4],
	] as const;
	const notes = computed.map(([name, seconds]) => `${JSON.stringify({ name, seconds })}\n`);
	writeFileSync(work, notes.join(''));
	const { result } = await supervise(leave({ ...passedOne, testResults }));
	expect(result).toMatchObject({
		longest:
			'56 s in all, of them 18 s of work. Longest: 41 s (12 s of work) test/41.4.test.ts, 5 s (5 s of work) test/5.test.ts, 4 s (0 s of work) test/4.test.ts, 3 s (0 s of work) test/3.test.ts, 2 s (0 s of work) test/2.test.ts',
	});
});

it('ends tests that have left their report and something open, names that, and counts it as a failure', async () => {
	const open = `setTimeout(() => {}, 600_000);
		const { createServer, connect } = require('node:net');
		const server = createServer();
		server.listen(0, '127.0.0.1', () => connect(server.address().port, '127.0.0.1'));
		require('node:child_process').spawn('cat');`;
	const { code, result } = await supervise(`${leave(passedOne)} ${open}`, 200);
	expect(code).toBe(1);
	expect(result).toEqual({ passed: 1, failed: 1, failures: expect.any(String), longest: '' });
	const { failures } = result as { failures: string };
	expect(failures).toMatch(/jest had not 0.2 s later, and was ended/);
	expect(failures).toMatch(/a timer that fires in (599|600) s/);
	expect(failures).toMatch(/a server at \S+:\d+/);
	expect(failures).toMatch(/a connection from \S+:\d+ to \S+:\d+/);
	expect(failures).toMatch(/process \d+/);
	expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject(passedOne);
});

it('has no report of tests that broke off, not even an older one', async () => {
	writeFileSync(report, JSON.stringify(passedOne));
	expect(await supervise('process.exitCode = 7;')).toEqual({ code: 7 });
});

it('does not take tests that broke off for passed, whatever they end with', async () => {
	expect(await supervise('process.exit(0);')).toEqual({ code: 1 });
});

it('whoever ends the supervisor ends the tests, and that is no pass', async () => {
	writeFileSync(
		tests,
		`process.on('SIGTERM', () => { ${leave(passedOne).replace('writeFileSync', "require('node:fs').writeFileSync")} process.exit(5); });
		setInterval(() => {}, 1000);
		console.error('up');`,
	);
	const supervisor = `
		import { superviseTests } from '${urlOf('supervise.mjs')}';
		process.exitCode = await superviseTests([${JSON.stringify(tests)}], { report: ${JSON.stringify(report)}, graceMs: 600_000 });`;
	const child = spawn(process.execPath, ['--input-type=module', '-e', supervisor], {
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	const ended = new Promise((resolve) => child.once('close', resolve));
	let said = '';
	child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
	await waitFor('the tests to run', () => said.includes('up'));
	child.kill('SIGTERM');
	expect(await ended).toBe(5);
});

it('tests that a signal ends have not passed, whatever they have left', async () => {
	const { code } = await supervise(`${leave(passedOne)} process.kill(process.pid, 'SIGTERM');`);
	expect(code).toBe(1);
});
