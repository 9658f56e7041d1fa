import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';

// The set-up in a project of nothing else: there is nothing to install and nothing to build, and a task does as it is told.

const folder = mkdtempSync(join(tmpdir(), 'run-'));
const project = join(folder, 'project');

beforeAll(() => {
	cpSync(join(projectFolder, 'tools', 'setup'), join(project, 'tools', 'setup'), {
		recursive: true,
	});
	const manifest = { name: 'nothing', devDependencies: {}, scripts: { build: 'true' } };
	const lock = { ...manifest, lockfileVersion: 3, packages: { '': manifest } };
	for (const [name, text] of Object.entries({
		'package.json': JSON.stringify(manifest),
		'package-lock.json': JSON.stringify(lock),
		'tsconfig.json': '{}',
		'gulpfile.js': '',
		'LICENSE.md': 'MIT',
	}))
		writeFileSync(join(project, name), text);
	// Beside the project, where npm does not clear it away.
	mkdirSync(join(folder, 'node_modules', 'tsx'), { recursive: true });
});

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

it.each([
	['that ends well', 'process.exit(0)', 0],
	['that fails', 'process.exit(3)', 3],
	['that is killed, as for its memory', "process.kill(process.pid, 'SIGKILL')", 1],
])('a task %s ends with the code that says so', (_what, program, code) => {
	writeFileSync(join(folder, 'node_modules', 'tsx', 'index.js'), program);
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[join(project, 'tools', 'setup', 'run.mjs'), 'release:keep'],
		{
			encoding: 'utf8',
			timeout: 60_000,
			env: { ...process.env, MESSAGING_GATEWAY_CACHE: join(folder, 'cache') },
		},
	);
	expect(stdout + stderr).toContain('Set-up is complete');
	expect(status).toBe(code);
});
