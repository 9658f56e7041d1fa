import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { find, provide } from './programs.mjs';
import { cacheFolder, projectFolder, run, stateFolder, step } from './progress.mjs';

/** n8n runs on this Node; npm checks the download against the hash of exactly this version. */
const NODE_VERSION = '24.21.0';
const NPM = ['--no-audit', '--no-fund', '--ignore-scripts'];

/** The two installations with a lock file of their own, kept in the cache under a name made from it. */
export const pinned = {
	n8n: { pins: 'lab/host', usually: '2 to 4 minutes, 1.4 GB', natives: ['sqlite3', 'isolated-vm'] },
	verification: { pins: 'lab/verification', usually: '1 minute, 570 MB', natives: [] },
};

/**
 * Finds Node 24: the one that runs this, or else the one that npm has as a package.
 * @returns the path of its executable, and the environment in which it and its npm are found first
 */
export async function findNode24() {
	const folder = join(cacheFolder, `node-${NODE_VERSION}`);
	const isThis = process.versions.node.split('.')[0] === NODE_VERSION.split('.')[0];
	const node = isThis ? process.execPath : join(folder, 'node_modules', 'node', 'bin', 'node');
	if (!existsSync(node)) {
		const args = ['install', '--prefix', folder, `node@${NODE_VERSION}`];
		const title = `Getting Node ${NODE_VERSION} (you have ${process.versions.node})`;
		await step(title, 'under 1 minute', () => run('npm', args));
	}
	const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
	// Compiling finds the headers beside the installed Node: no download.
	const prefix = dirname(dirname(process.execPath));
	if (existsSync(join(prefix, 'include', 'node', 'node_api.h'))) env.npm_config_nodedir ??= prefix;
	return { node, env };
}

/** Installs the project's packages unless they are those of its lock file. The note goes with `node_modules`. */
export async function installPackages(env) {
	const note = join(stateFolder, 'packages');
	const wanted = hashOf(read('package-lock.json'));
	const isDone = () => existsSync(note) && readFileSync(note, 'utf8') === wanted;
	if (isDone()) return;
	await step("Installing the project's packages", 'about 1 minute', () =>
		withLock(join(cacheFolder, `packages-${hashOf(projectFolder)}.lock`), async () => {
			if (isDone()) return;
			await run('npm', ['ci', ...NPM], { cwd: projectFolder, env });
			mkdirSync(stateFolder, { recursive: true });
			writeFileSync(note, wanted);
		}),
	);
}

/** Builds the package unless the last file of a build is newer than all that it is made from. */
export async function buildPackage(env) {
	const timeOf = (path) => statSync(join(projectFolder, path), { throwIfNoEntry: false })?.mtimeMs;
	const builtAt = timeOf('dist/THIRD-PARTY-LICENSES.txt') ?? 0;
	const sources = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(projectFolder, folder), { recursive: true }).map((name) => join(folder, name)),
	);
	const settings = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'gulpfile.js'];
	if ([...sources, ...settings].every((path) => timeOf(path) < builtAt)) return;
	await step('Building the package', '10 seconds', () =>
		run('npm', ['run', 'build'], { cwd: projectFolder, env }),
	);
}

/** Installs n8n or its verification tools as their lock file says, or the n8n that `N8N_VERSION` names. Answers the folder. */
export async function installPinned(name, env) {
	const { N8N_VERSION } = process.env;
	if (name === 'n8n' && N8N_VERSION) return await installVersion(N8N_VERSION, env);
	const { pins } = pinned[name];
	const names = ['package.json', 'package-lock.json'];
	const files = Object.fromEntries(names.map((file) => [file, read(join(pins, file))]));
	const folder = join(cacheFolder, `${name}-${hashOf(...Object.values(files))}-node24`);
	return await installOnce(name, folder, files, env);
}

/**
 * Installs another n8n: a version, `latest`, or the last of `2.30`. n8n publishes no lock file: packages with an override in `lab/host/package.json`
 * have the version that this n8n names, or else that of the override. Answers the folder.
 */
async function installVersion(wanted, env) {
	const { overrides, ...host } = JSON.parse(read(join('lab', 'host', 'package.json')));
	const view = async (spec, field = 'dependencies') =>
		JSON.parse(await run('npm', ['view', spec, field, '--json'], { env }));
	const version = [await view(`n8n@${wanted}`, 'version')].flat().at(-1);
	const own = await view(`n8n@${version}`);
	const agents = '@n8n/n8n-nodes-langchain';
	const named = { ...(await view(`${agents}@${own[agents]}`)), ...own };
	const isExact = (range) => /^\d/.test(range ?? '');
	// n8n takes this package from its maker's site.
	const chosen = Object.entries({ ...overrides, xlsx: '0.18.5' }).map(([name, fallback]) => [
		name,
		isExact(named[name]) ? named[name] : fallback,
	]);
	const overridden = { overrides: Object.fromEntries(chosen), dependencies: { n8n: version } };
	const manifest = JSON.stringify({ ...host, ...overridden });
	const folder = join(cacheFolder, `n8n-${version}-node24`);
	return await installOnce('n8n', folder, { 'package.json': manifest }, env);
}

async function installOnce(name, folder, files, env) {
	const { usually, natives } = pinned[name];
	if (existsSync(folder)) return folder;
	await step(`Installing ${basename(folder)}, once`, usually, () =>
		withLock(`${folder}.lock`, async () => {
			if (existsSync(folder)) return;
			const partial = `${folder}.partial`;
			// An npm whose parent was killed a moment ago may still write.
			rmSync(partial, { recursive: true, force: true, maxRetries: 10 });
			mkdirSync(partial);
			for (const file in files) writeFileSync(join(partial, file), files[file]);

			// These packages are installed once: npm's own cache would keep each a second time.
			const cache = join(partial, 'npm-cache');
			const command = 'package-lock.json' in files ? 'ci' : 'install';
			const args = [command, '--legacy-peer-deps', '--cache', cache, ...NPM];
			await run('npm', args, { cwd: partial, env });
			rmSync(cache, { recursive: true, force: true, maxRetries: 10 });

			if (natives.length > 0) await buildNatives(natives, partial, env);
			if (name === 'n8n') dropUnused(join(partial, 'node_modules'));
			renameSync(partial, folder);
		}),
	);
	return folder;
}

/** A third of n8n's size that no running n8n reads, and that n8n's images leave out too. */
const UNUSED = /\.(?:map|d\.[cm]?ts)$/;

function dropUnused(folder) {
	for (const entry of readdirSync(folder, { withFileTypes: true })) {
		const path = join(folder, entry.name);
		// A compiler reads the types of the language.
		if (entry.isDirectory() && entry.name !== 'typescript') dropUnused(path);
		else if (entry.isFile() && UNUSED.test(entry.name)) rmSync(path);
	}
}

/** Some packages refuse npm or download programs when they install themselves. These alone are built. */
async function buildNatives(natives, cwd, env) {
	const build = async () => {
		await run('npm', ['rebuild', ...natives], { cwd, env });
		await run('node', ['-e', natives.map((name) => `require('${name}');`).join('')], { cwd, env });
	};
	await build().catch(async (error) => {
		if (find('compiler')) throw error;
		await provide('compiler');
		await build();
	});
}

/** Notes the folders and programs of this machine for the tests that need them (`lab/host/places.ts`). */
export function rememberPlaces(places) {
	const note = join(stateFolder, 'places.json');
	const known = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : {};
	for (const folder of [stateFolder, cacheFolder]) mkdirSync(folder, { recursive: true });
	writeFileSync(note, JSON.stringify({ ...known, cache: cacheFolder, ...places }));
}

/** Lets one process at a time do the work. The lock holds its process ID: if that process has ended, the lock counts no more. */
async function withLock(path, work) {
	mkdirSync(dirname(path), { recursive: true });
	for (let told = false; !take(path); told = true) {
		if (!told) console.log(`  Waiting for the process that is named in ${path}.`);
		await new Promise((wake) => setTimeout(wake, 500));
	}
	try {
		return await work();
	} finally {
		rmSync(path, { force: true });
	}
}

function take(path) {
	try {
		writeFileSync(path, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (error.code !== 'EEXIST') throw error;
		if (!isHeld(path)) rmSync(path, { force: true });
		return false;
	}
}

function isHeld(path) {
	try {
		return process.kill(Number(readFileSync(path, 'utf8')), 0);
	} catch {
		return false;
	}
}

function hashOf(...contents) {
	const hash = createHash('sha256');
	for (const content of contents) hash.update(content).update('\0');
	return hash.digest('hex').slice(0, 12);
}

const read = (path) => readFileSync(join(projectFolder, path));
