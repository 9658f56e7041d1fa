import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFolder } from '../../../host/places';

// `npm test` ends as this counts: a project of nothing but the set-up, and reports as told.

const project = mkdtempSync(join(tmpdir(), 'count-'));
const reports = join(project, 'node_modules', '.cache', 'messaging-gateway', 'reports');
const jestFile = join(project, 'node_modules', 'jest', 'bin', 'jest.js');

beforeAll(() => {
	cpSync(join(projectFolder, 'tools', 'setup'), join(project, 'tools', 'setup'), {
		recursive: true,
	});
	mkdirSync(dirname(jestFile), { recursive: true });
});

beforeEach(() => {
	rmSync(reports, { recursive: true, force: true });
	mkdirSync(reports, { recursive: true });
});

afterAll(() => {
	rmSync(project, { recursive: true, force: true });
});

function run(script: string, ...args: string[]) {
	const file = join(project, 'tools', 'setup', script);
	const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
		cwd: project,
		encoding: 'utf8',
		timeout: 60_000,
	});
	return { status, stdout, stderr };
}

const passed = (count: number) => ({
	numPassedTests: count,
	numFailedTests: 0,
	testResults: [],
});
const failed = {
	numPassedTests: 2,
	numFailedTests: 1,
	testResults: [{ name: 'bread.test.ts', status: 'failed', message: 'It did not rise.' }],
};

describe('the count of several reports', () => {
	it.each([
		['all passed', { unit: passed(3), engine: passed(4) }, '7 passed, 0 failed\n', 0],
		[
			'one failed',
			{ unit: passed(3), engine: failed },
			'✗ bread.test.ts\n\nIt did not rise.\n\n5 passed, 1 failed\n',
			1,
		],
		[
			'one is missing',
			{ unit: passed(3) },
			'✗ There is no report of engine: it did not get to its end.\n\n3 passed, 1 failed\n',
			1,
		],
		['nothing was tested', { unit: passed(0), engine: passed(0) }, '0 passed, 0 failed\n', 1],
		[
			'a file could not be loaded',
			{ unit: passed(3), engine: { ...passed(1), numRuntimeErrorTestSuites: 1 } },
			'\n4 passed, 1 failed\n',
			1,
		],
	])('%s', (_what, left, told, code) => {
		for (const [name, report] of Object.entries(left))
			writeFileSync(join(reports, `${name}.json`), JSON.stringify(report));
		const { status, stdout } = run('count.mjs', 'unit', 'engine');
		expect(stdout).toBe(told);
		expect(status).toBe(code);
	});
});

describe('a suite', () => {
	/** Stands in for jest: leaves this report where it is told to, and ends with this code. */
	function runSuite(report: object | undefined, code: number) {
		const program = `
			const [file] = process.argv.filter((each) => each.startsWith('--outputFile='));
			const report = ${JSON.stringify(report) ?? 'undefined'};
			if (report) require('node:fs').writeFileSync(file.slice('--outputFile='.length), JSON.stringify(report));
			console.log(JSON.stringify([process.argv.slice(2), process.env.TEST_WORK]));
			process.exitCode = ${code};`;
		writeFileSync(jestFile, program);
		return run('suite.mjs', 'unit', '--silent', 'bread');
	}

	it('that passes says how many tests there were, and ends with 0', () => {
		expect(runSuite(passed(3), 0)).toMatchObject({ status: 0, stdout: '3 tests. \n' });
	});

	it('that fails says what, and ends as jest does', () => {
		const { status, stdout } = runSuite(failed, 1);
		expect(status).toBe(1);
		expect(stdout).toMatch(/✗ bread\.test\.ts\n\nIt did not rise\.\n\n2 passed, 1 failed\n$/);
	});

	it('that breaks off says so, and never ends with 0', () => {
		const { status, stdout, stderr } = runSuite(undefined, 0);
		expect(status).toBe(1);
		expect(stdout).toBe('');
		expect(stderr).toContain('jest broke off and has left no report.');
	});

	it('runs one project of jest, with what else jest is told, and without old notes of work', () => {
		const work = join(reports, 'unit.json.work');
		writeFileSync(work, '{"name":"old","seconds":1}\n');
		const { stdout, stderr } = runSuite(
			{ ...passed(1), testResults: [{ name: 'old', status: 'passed', startTime: 1, endTime: 2 }] },
			0,
		);
		const args = [
			'--selectProjects',
			'unit',
			'--json',
			`--outputFile=${join(reports, 'unit.json')}`,
		];
		expect(stderr).toContain(JSON.stringify([[...args, '--silent', 'bread'], work]));
		expect(stdout).toContain('of them 0 s of work');
	});
});
