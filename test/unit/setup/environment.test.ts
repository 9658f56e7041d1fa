import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../../../host/places';

const run = join(projectFolder, 'tools', 'setup', 'run.mjs');

it('each task that a script of the package names is one, and an unknown one is refused with all that are', () => {
	const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
		scripts: Record<string, string>;
	};
	const { status, stderr } = spawnSync(process.execPath, [run, 'bake'], { encoding: 'utf8' });
	expect(status).toBe(1);
	const [, listed = ''] = /^\nUnknown task bake\. There are: (.+)\n$/.exec(stderr) ?? [];
	const named = Object.values(scripts).flatMap(
		(script) => /tools\/setup\/run\.mjs (\S+)/.exec(script)?.[1] ?? [],
	);
	expect(named.sort()).toEqual(listed.split(', ').sort());
});

it('what a task starts finds its own Node first, and keeps the rest of the environment', () => {
	const url = pathToFileURL(join(projectFolder, 'tools', 'setup', 'node24.mjs')).href;
	const program = `
		import { environmentFor } from '${url}';
		const { PATH, BREAD, npm_config_nodedir } = environmentFor('/opt/node/bin/node');
		console.log(JSON.stringify({ PATH, BREAD, npm_config_nodedir }));`;
	const env = { ...process.env, BREAD: 'rye', npm_config_nodedir: '/own' };
	const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
		env,
		encoding: 'utf8',
	});
	expect(JSON.parse(stdout)).toEqual({
		PATH: `/opt/node/bin${delimiter}${process.env.PATH}`,
		BREAD: 'rye',
		npm_config_nodedir: '/own',
	});
});
