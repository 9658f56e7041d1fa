import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { waitFor } from '../../../host/waiting';
import { execute, Finding } from '../../../tools/verification/command';

const both = "printf '\\033[31mout\\033[0m\\n'; echo err >&2; ";

it('gives what a command prints, without colours', async () => {
	await expect(execute('sh', ['-c', 'echo out; echo err >&2'])).resolves.toMatch(
		/^(out\nerr|err\nout)$/,
	);
	await expect(execute('sh', ['-c', both], { told: ['stdout'] })).resolves.toBe('out');
	await expect(execute('sh', ['-c', both], { told: ['stderr'] })).resolves.toBe('err');
});

it('runs in the checkout, unless told otherwise', async () => {
	await expect(execute('pwd', [])).resolves.toBe(projectFolder);
	await expect(execute('pwd', [], { cwd: '/' })).resolves.toBe('/');
});

it.each([
	['the stream that tells', `${both}exit 2`, 'out'],
	['the other one, if that is silent', 'echo err >&2; exit 2', 'err'],
	['nothing, if it was ended', 'kill -9 $$', ''],
])('a command that fails is a finding, with %s', async (_what, script, told) => {
	const failed = execute('sh', ['-c', script], { told: ['stdout'] });
	await expect(failed).rejects.toThrow(Finding);
	await expect(failed).rejects.toHaveProperty('message', told);
});

it('a command that is not there is no finding', async () => {
	const failed = execute('no-such-tool', []);
	await expect(failed).rejects.toThrow('ENOENT');
	await expect(failed).rejects.not.toThrow(Finding);
});

it('whoever ends the check ends the command', async () => {
	const program = `
		import { execute } from './tools/verification/command';
		void execute(process.execPath, ['-e', 'console.error(process.pid); setInterval(() => {}, 1000)']);`;
	const check = spawn(
		process.execPath,
		['--import', 'tsx', '--input-type=module', '--eval', program],
		{ cwd: projectFolder, stdio: 'ignore' },
	);
	const ended = once(check, 'exit') as Promise<[number | null, string | null]>;
	const list = join('/proc', String(check.pid), 'task', String(check.pid), 'children');
	const [command] = await waitFor('the command to run', async () => {
		const children = await execute('sh', [
			'-c',
			`for pid in $(cat ${list}); do tr '\\0' ' ' < /proc/$pid/cmdline; echo " $pid"; done`,
		]);
		return /setInterval.* (\d+)$/m.exec(children)?.slice(1) ?? undefined;
	});
	check.kill('SIGTERM');
	expect(await ended).toEqual([null, 'SIGTERM']);
	await waitFor('the command to end', async () => {
		const state = await execute('sh', ['-c', `grep State /proc/${command}/status || echo gone`]);
		return /gone|Z/.test(state);
	});
});
