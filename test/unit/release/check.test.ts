import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { putAmong } from '../aroundScript';

// The publishing Action goes on where this ends with 0. Around it stands a package of nothing, and lines that come out as told.

const script = join('tools', 'release', 'check.ts');

const around: Record<string, string> = {
	'host/places.ts': 'export const projectFolder = __dirname;',
	'host/packages.ts': `
		import { mkdirSync, writeFileSync } from 'node:fs';
		export const packPackage = async () => 'package.tgz';
		export const unpackTarball = async (_tarball: string, into: string) => {
			mkdirSync(into);
			writeFileSync(into + '/package.json', '{}');
		};`,
	'tools/verification/command.ts': `
		export class Finding extends Error {}
		export const execute = async () => 'package/package.json';`,
	'tools/release/checklist.ts': `
		import { Finding } from '../verification/command';
		export const checklist = process.argv.slice(2).map((line) => ({
			line,
			look: () => {
				if (line.startsWith('bad')) throw new Finding('It is ' + line);
				return 'It is well';
			},
		}));`,
	'tools/release/dryRun.ts': "export const rehearse = async () => ['rehearsed'];",
};

const folder = putAmong(script, around);

it.each([
	[['good', 'good too'], 0, /\nReady\.\n/],
	[['good', 'bad'], 1, /\nNot ready: bad\.\n/],
	[['bad', 'good', 'bad too'], 1, /\nNot ready: bad; bad too\.\n/],
])('of the lines %j ends with %i, and tells of each', (lines, code, verdict) => {
	const { status, stdout } = spawnSync(
		process.execPath,
		['--import', 'tsx', join(folder, script), ...lines],
		{ cwd: projectFolder, encoding: 'utf8', timeout: 60_000 },
	);
	expect(stdout).toMatch(verdict);
	for (const line of lines)
		expect(stdout).toContain(`${line.startsWith('bad') ? '✗' : '✓'} ${line}\n`);
	expect(stdout).toContain(
		'✓ Installed, used, updated and uninstalled by n8n itself\n    rehearsed',
	);
	expect(status).toBe(code);
});
