import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { putAmong } from '../aroundScript';

// The check of the tarball, around a scan that comes out as told.

const script = join('tools', 'verification', 'checks.ts');
const folder = putAmong(script, {
	'host/places.ts': `
		import { join } from 'node:path';
		export const projectFolder = join(__dirname, '..');
		export const findPlace = () => '/tools';`,
	'host/packages.ts': `
		import { writeFileSync } from 'node:fs';
		export const packPackage = async (_folder: string, into: string) => {
			writeFileSync(into + '/package.tgz', 'x'.repeat(Number(process.env.SIZE)));
			return into + '/package.tgz';
		};
		export const unpackTarball = async (tarball: string, into: string) =>
			writeFileSync(into + '/unpacked', '');`,
	'tools/verification/command.ts': 'export class Finding extends Error {}',
	'tools/verification/scan.ts': `
		import { mkdtempSync, readdirSync } from 'node:fs';
		export const SHIPPED_SOURCES = ['sources'];
		export const copyBesideTools = (names: string[]) => {
			console.log('copies', names.join());
			return mkdtempSync(__dirname + '/copy-');
		};
		export const scanPackage = async (folder: string, what: string) => {
			console.log('scans', what, readdirSync(folder).join());
			if (process.env.BAD) throw new Error('It broke');
			return '3 files';
		};`,
	'look.ts': `
		import * as checks from './tools/verification/checks';
		const [name, ...args] = process.argv.slice(2);
		const check = args.length > 0 ? checks[name](...args) : checks[name];
		check().then((told) => console.log('→', told), ({ message }) => console.log('✗', message));`,
});

function look(check: string[], env: Record<string, string> = {}): string {
	mkdirSync(join(folder, 'tmp'), { recursive: true });
	const args = ['--import', 'tsx', join(folder, 'look.ts'), ...check];
	const { stdout } = spawnSync(process.execPath, args, {
		cwd: projectFolder,
		encoding: 'utf8',
		timeout: 60_000,
		env: { ...process.env, TMPDIR: join(folder, 'tmp'), ...env },
	});
	// What tsx keeps there is its own.
	expect(readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('tarball-'))).toEqual(
		[],
	);
	expect(readdirSync(join(folder, 'tools', 'verification'))).toHaveLength(3);
	return stdout;
}

it.each([
	[249_999, /^copies \nscans tarball unpacked\n→ 3 files, 250\.0 kB\n$/],
	[250_000, /^copies \n✗ The tarball has 250000 bytes; 250000 are too many\.\n$/],
])('a tarball of %i bytes', (size, told) => {
	expect(look(['scanTarball'], { SIZE: String(size) })).toMatch(told);
});

it('a tarball that the scan breaks on leaves nothing behind', () => {
	expect(look(['scanTarball'], { SIZE: '1', BAD: 'yes' })).toMatch(/\n✗ It broke\n$/);
});
