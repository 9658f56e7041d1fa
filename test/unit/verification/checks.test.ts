import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFolder } from '../../../host/places';

// Beside a lint that says what it is told to, and ends as if all were well: n8n's own does so with warnings.

const folder = mkdtempSync(join(tmpdir(), 'checks-'));
const bin = join(folder, 'node_modules', '.bin', 'n8n-node');

const around: Record<string, string> = {
	'host/places.ts': `
		import { join } from 'node:path';
		export const projectFolder = join(__dirname, '..');
		export const findPlace = () => projectFolder;`,
	'host/packages.ts': 'export const packPackage = 0, unpackTarball = 0;',
	'tools/verification/scan.ts': `
		import { mkdtempSync } from 'node:fs';
		export const SHIPPED_SOURCES = [], scanPackage = 0;
		export const copyBesideTools = () => mkdtempSync(__dirname + '/copy-');`,
	'lint.ts': `
		import { lintSources } from './tools/verification/checks';
		lintSources().then(() => console.log('well'), ({ message }) => console.log(message));`,
	[join('node_modules', '.bin', 'n8n-node')]: '#!/bin/sh\necho "$SAYS"\n',
};

beforeAll(() => {
	for (const [name, text] of Object.entries(around)) {
		mkdirSync(join(folder, dirname(name)), { recursive: true });
		writeFileSync(join(folder, name), text);
	}
	chmodSync(bin, 0o755);
	for (const name of ['checks.ts', 'command.ts'].map((file) => join('tools', 'verification', file)))
		cpSync(join(projectFolder, name), join(folder, name));
});

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

it.each([
	['nothing', '', 'well'],
	['one warning', '✖ 1 problem (0 errors, 1 warning)', '✖ 1 problem (0 errors, 1 warning)'],
	['two warnings', '✖ 2 problems (0 errors, 2 warnings)', '✖ 2 problems (0 errors, 2 warnings)'],
])("of n8n's lint counts: %s", (_what, says, told) => {
	const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', join(folder, 'lint.ts')], {
		cwd: projectFolder,
		encoding: 'utf8',
		timeout: 60_000,
		env: { ...process.env, SAYS: says },
	});
	expect(stdout.trim()).toBe(told);
});
