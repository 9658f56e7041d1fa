import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';

/** Runs a task as npm does, from anywhere: what is said about its options needs nothing installed. */
function run(...args: string[]): { status: number | null; told: string } {
	const file = join(projectFolder, 'tools', 'setup', 'run.mjs');
	const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
		encoding: 'utf8',
		timeout: 20_000,
	});
	return { status, told: stdout + stderr };
}

it.each([
	['demo', '--help', 'npm start -- --check'],
	['demo', '-h', 'npm start -- --data FOLDER'],
	['dev', '--help', 'npm run dev -- --data FOLDER'],
])('%s %s says what can be asked for', (task, option, usage) => {
	const { status, told } = run(task, option);
	expect(told).toContain(usage);
	expect(told).not.toContain('Set-up');
	expect(status).toBe(0);
});

it.each([
	['an option that is not there', ['--chekc'], "Unknown option '--chekc'"],
	['a folder that is missing', ['--data'], 'argument missing'],
	['a word', ['check'], "Unexpected argument 'check'"],
])('%s is named, with the usage, and nothing is set up', (_what, args, words) => {
	const { status, told } = run('demo', ...args);
	expect(told).toContain(words);
	expect(told).toContain('npm start -- --check');
	expect(told).not.toMatch(/Set-up|^\s+at /m);
	expect(status).toBe(1);
});
