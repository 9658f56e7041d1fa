import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../../../host/places';

const folder = mkdtempSync(join(tmpdir(), 'progress-'));
const urlOf = (file: string) => pathToFileURL(join(projectFolder, 'tools', 'setup', file)).href;

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

/** Runs a program of Node as the set-up runs, and gives what it prints. */
function run(program: string, input = ''): string {
	const { stdout, stderr, status } = spawnSync(
		process.execPath,
		['--input-type=module', '--eval', program],
		{ input, encoding: 'utf8', timeout: 60_000 },
	);
	if (status !== 0) throw new Error(stderr);
	return stdout;
}

it('tells times as a person reads them', () => {
	const times = [0, 449, 9_940, 10_000, 59_499, 59_500, 60_000, 185_000, 3_600_000];
	const told = run(`
		import { formatTime } from '${urlOf('progress.mjs')}';
		console.log(JSON.stringify(${JSON.stringify(times)}.map(formatTime)));`);
	expect(JSON.parse(told)).toEqual([
		...['0.0 s', '0.4 s', '9.9 s', '10 s', '59 s'],
		...['1 min 00 s', '1 min 00 s', '3 min 05 s', '60 min 00 s'],
	]);
});

describe('a step', () => {
	it('gives what its work gives, and says that it is done', () => {
		const told = run(`
			import { step } from '${urlOf('progress.mjs')}';
			console.log(await step('Baking', '1 minute', async () => 'bread'));`);
		expect(told).toMatch(/^▸ Baking \(usually 1 minute\)\n {2}done in 0\.\d s\nbread\n$/);
	});

	it('that fails says so, and fails', () => {
		const told = run(`
			import { step } from '${urlOf('progress.mjs')}';
			await step('Baking', '1 minute', async () => { throw new Error('burnt'); }).catch((error) => console.log(error.message));`);
		expect(told).toMatch(/^▸ Baking .*\n {2}failed after 0\.\d s\nburnt\n$/);
	});
});

describe('a command', () => {
	const runCommand = (script: string, command = 'sh') =>
		run(`
			import { run, SetupError } from '${urlOf('progress.mjs')}';
			const log = ${JSON.stringify(join(folder, 'logs', 'log'))};
			await run(${JSON.stringify(command)}, ['-c', ${JSON.stringify(script)}], { cwd: ${JSON.stringify(folder)}, env: { ...process.env, BREAD: 'rye' }, log })
				.then((told) => console.log('told', told), (error) => console.log(error instanceof SetupError, error.message));`);

	it('gives what it writes to stdout alone, in its folder and environment', () => {
		expect(runCommand('echo "$BREAD in $(pwd)"; echo crumbs >&2')).toBe(
			`told rye in ${folder}\n\n`,
		);
	});

	it.each([
		['fails', 'echo one; echo two >&2; exit 3', 'ended with code 3.\n\n'],
		['is ended', 'echo one; echo two >&2; kill -9 $$', 'was ended by SIGKILL.\n\n'],
	])('that %s explains itself with the end of its log', (_what, script, why) => {
		const told = runCommand(script);
		expect(told).toContain(`true sh -c ${script} ${why}`);
		expect(told).toContain('\none\ntwo\n');
		expect(told).toContain(`The whole log: ${join(folder, 'logs', 'log')}`);
	});

	it('that fails tells the last two hundred lines of a long log, without what npm always says', () => {
		const told = runCommand(
			'seq 1 300; echo "npm warn Unknown env config \\"x\\""; echo "npm error burnt"; exit 1',
		);
		const lines = told.split('\n');
		expect(lines).toEqual(expect.arrayContaining(['150', '300', 'npm error burnt']));
		expect(lines).not.toContain('50');
		expect(told).not.toMatch(/^npm warn/m);
	});

	it('that is not there is named', () => {
		expect(runCommand('', 'no-such-oven')).toMatch(/^true no-such-oven could not be started: /);
	});
});

it.each([
	['y\n', true],
	['Yes\n', true],
	[' yes \n', true],
	['n\n', false],
	['yesterday\n', false],
	['\n', false],
	['', false],
])('%j agrees: %s', (input, agreed) => {
	const told = run(
		`import { agrees } from '${urlOf('ask.mjs')}';
		console.log('→', await agrees('Delete it? [y/N] '));`,
		input,
	);
	expect(told).toMatch(new RegExp(`Delete it\\? \\[y/N\\] [^→]*→ ${agreed}\n$`));
});
