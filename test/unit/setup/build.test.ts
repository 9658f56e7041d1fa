import { execFile } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUNDLED } from '../../../host/bundled';
import { packPackage } from '../../../host/packages';
import { projectFolder } from '../../../host/places';

const execute = promisify(execFile);
const workbench = mkdtempSync(join(tmpdir(), 'build-'));
const packages = join(projectFolder, 'node_modules');

afterAll(() => {
	rmSync(workbench, { recursive: true, force: true });
});

/** A checkout of its own, to which `install` brings the packages. */
function checkOut(name: string, install: (folder: string) => void): string {
	const folder = join(workbench, name);
	mkdirSync(folder, { recursive: true });
	for (const file of ['package.json', 'gulpfile.js', 'README.md', 'LICENSE.md', 'SECURITY.md'])
		cpSync(join(projectFolder, file), join(folder, file));
	for (const sources of ['nodes', 'credentials'])
		cpSync(join(projectFolder, sources), join(folder, sources), { recursive: true });
	install(folder);
	return folder;
}

function copyPackages(folder: string): void {
	for (const name of BUNDLED)
		cpSync(join(packages, name), join(folder, 'node_modules', name), { recursive: true });
}

/** Bundles a checkout as it is shipped, in a process whose tools are those of this project. */
async function bundle(folder: string): Promise<void> {
	const program = `require('./gulpfile.js').ship((error) => {
		if (error) console.error(error.message);
		process.exitCode = error ? 1 : 0;
	});`;
	const env = { ...process.env, NODE_PATH: packages };
	await execute(process.execPath, ['--eval', program], { cwd: folder, env });
}

async function contentsOf(folder: string): Promise<string> {
	const tarball = await packPackage(folder, folder);
	const list = join(projectFolder, 'tools', 'release', 'contents.mjs');
	return (await execute(process.execPath, [list, tarball])).stdout;
}

/** A checkout with its bundle, which several tests read. */
let built: string;
/** What its package contains. */
let contents: string;

beforeAll(async () => {
	built = checkOut('one', copyPackages);
	await bundle(built);
	contents = await contentsOf(built);
});

it('the same sources give the same package, whatever the folder', async () => {
	const other = checkOut('another/one/further/down', copyPackages);
	await bundle(other);
	expect(contents).toMatch(
		/^[0-9a-f]{64} {2}package\/dist\/nodes\/MessagingGateway\/action\/run\.js$/m,
	);
	expect(await contentsOf(other)).toBe(contents);
});

it('every library that is bundled brings its licence', () => {
	const notices = readFileSync(join(built, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
	for (const name of BUNDLED)
		expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)$`, 'm'));
	expect(notices).toContain('Permission is hereby granted');
});

it('every library names, in its first line, what it is made of', () => {
	const folder = join(built, 'dist', 'libraries');
	const heads = readdirSync(folder).map(
		(file) => readFileSync(join(folder, file), 'utf8').split('\n')[0],
	);
	for (const head of heads)
		expect(head).toMatch(/^\/\/ Bundled from \S+ [\d.]+ \(\w+\)(?:, \S+ [\d.]+ \(\w+\))*\. Licen/);
	for (const name of BUNDLED) {
		const { version, license } = JSON.parse(
			readFileSync(join(packages, name, 'package.json'), 'utf8'),
		) as { version: string; license: string };
		expect(heads.filter((head) => head.includes(` ${name} ${version} (${license})`))).toHaveLength(
			1,
		);
	}
});

it('the page on security is in the package, which may be all that somebody has', () => {
	expect(contents).toMatch(/^[0-9a-f]{64} {2}package\/SECURITY\.md$/m);
});

it('a build with linked packages, which have no licence to be found, fails', async () => {
	const folder = checkOut('linked', (made) => symlinkSync(packages, join(made, 'node_modules')));
	await expect(bundle(folder)).rejects.toThrow('its licence cannot be shipped');
});

it('what is shipped can be read: a file for each source, with its names and its comments', () => {
	const list = (at: string, extension: string) =>
		readdirSync(join(built, at), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith(extension))
			.map((file) => file.slice(0, -extension.length))
			.sort();
	for (const sources of ['nodes', 'credentials']) {
		expect(list(join('dist', sources), '.js')).toEqual(list(sources, '.ts'));
		for (const file of list(sources, '.ts')) {
			const source = readFileSync(join(built, sources, `${file}.ts`), 'utf8');
			const shipped = readFileSync(join(built, 'dist', sources, `${file}.js`), 'utf8');
			expect(shipped.split('\n')[0]).toMatch(new RegExp(`^// .+ compiled from .+/${file}\\.ts$`));
			const functions = [...source.matchAll(/^(?:export )?(?:async )?function \w+/gm)];
			for (const [head] of functions) expect(shipped).toContain(head.replace('export ', ''));
			const explained = /(^\/\*\*(?:(?!\*\/)[\s\S])+\*\/\n)export (?:async )?function/gm;
			for (const [, comment] of source.matchAll(explained)) expect(shipped).toContain(comment);
		}
	}
	for (const file of list('nodes', '.json'))
		expect(readFileSync(join(built, 'dist', 'nodes', `${file}.json`), 'utf8')).toBe(
			readFileSync(join(built, 'nodes', `${file}.json`), 'utf8'),
		);
});
