import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { installCompiler } from './programs.mjs';
import { cacheFolder, projectFolder, run, stateFolder, step } from './progress.mjs';

/** n8n runs on this Node; npm checks the download against the hash of exactly this version. */
const NODE_VERSION = '24.21.0';
const STALE_AFTER_MS = 60_000;
const NPM = ['--no-audit', '--no-fund', '--ignore-scripts'];

/** The two installations with a lock file of their own, kept in the cache under a name made from it. */
const pinned = {
	n8n: { pins: 'host', usually: '4 to 6 minutes, 2.2 GB', natives: ['sqlite3', 'isolated-vm'] },
	verification: { pins: 'tools/verification', usually: '1 minute, 570 MB', natives: [] },
};

/**
 * Finds Node 24: the one that runs this, or else the one that npm has as a package.
 * @returns the path of its executable, and the environment in which it and its npm are found first
 */
export async function findNode24() {
	const major = (version) => version.split('.')[0];
	const note = join(cacheFolder, `node-${NODE_VERSION}.path`);
	let node = process.execPath;
	if (major(process.versions.node) !== major(NODE_VERSION)) {
		node = existsSync(note) ? readFileSync(note, 'utf8') : '';
		if (!existsSync(node)) {
			const title = `Getting Node ${NODE_VERSION} (you have ${process.versions.node})`;
			const args = [
				'--yes',
				`--package=node@${NODE_VERSION}`,
				'--',
				'node',
				'-p',
				'process.execPath',
			];
			const printed = await step(title, 'under 1 minute', () => run('npx', args));
			node = printed.trim().split('\n').at(-1);
			writeFileSync(note, node);
		}
	}
	const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
	// Compiling finds the headers beside the installed Node: no download.
	const prefix = dirname(dirname(process.execPath));
	if (existsSync(join(prefix, 'include', 'node', 'node_api.h'))) env.npm_config_nodedir ??= prefix;
	return { node, env };
}

/** Installs the project's packages unless they are those of its lock file. */
export async function installPackages(env) {
	const state = () => hashOf(read('package-lock.json'));
	const title = "Installing the project's packages";
	await renew('packages', state, title, 'about 1 minute', env, ['ci', ...NPM]);
}

/** Builds the package unless `dist` was built from the sources as they are. */
export async function buildPackage(env) {
	const state = () => {
		const files = ['nodes', 'credentials', 'dist'].flatMap(filesIn);
		const settings = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'gulpfile.js'];
		return hashOf(...files, ...[...files, ...settings].map(read));
	};
	await renew('build', state, 'Building the package', '10 seconds', env, ['run', 'build']);
}

/** Runs npm unless it has run for this state. The note is inside node_modules, and goes with that folder. */
async function renew(name, state, title, usually, env, args) {
	const note = join(stateFolder, name);
	const isDone = () => existsSync(note) && readFileSync(note, 'utf8') === state();
	if (isDone()) return;
	await step(title, usually, () =>
		withLock(join(cacheFolder, `${name}-${hashOf(projectFolder)}.lock`), async () => {
			if (isDone()) return;
			await run('npm', args, { cwd: projectFolder, env });
			mkdirSync(stateFolder, { recursive: true });
			writeFileSync(note, state());
		}),
	);
}

/** Installs n8n or its verification tools as their lock file says. Answers the folder. */
export async function installPinned(name, env) {
	const { pins } = pinned[name];
	const names = ['package.json', 'package-lock.json'];
	const files = Object.fromEntries(names.map((file) => [file, read(join(pins, file))]));
	const folder = join(cacheFolder, `${name}-${hashOf(...Object.values(files))}-node24`);
	return await installOnce(name, folder, files, env);
}

/**
 * Installs another n8n than the locked one. n8n publishes no lock file: packages with an override in `host/package.json`
 * have the version that this n8n names, or else that of the override. Answers the folder.
 */
export async function installVersion(version, env) {
	const { overrides, ...host } = JSON.parse(read(join('host', 'package.json')));
	const view = async (spec) =>
		JSON.parse(await run('npm', ['view', spec, 'dependencies', '--json'], { env }));
	const own = await view(`n8n@${version}`);
	const agents = '@n8n/n8n-nodes-langchain';
	const named = { ...(await view(`${agents}@${own[agents]}`)), ...own };
	const isExact = (wanted) => /^\d/.test(wanted ?? '');
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
			rmSync(partial, { recursive: true, force: true });
			mkdirSync(partial);
			for (const file in files) writeFileSync(join(partial, file), files[file]);
			const command = 'package-lock.json' in files ? 'ci' : 'install';
			await run('npm', [command, '--legacy-peer-deps', ...NPM], { cwd: partial, env });
			if (natives.length > 0) await buildNatives(natives, partial, env);
			renameSync(partial, folder);
		}),
	);
	return folder;
}

/** Some packages refuse npm or download programs when they install themselves. These alone are built. */
async function buildNatives(natives, cwd, env) {
	const build = async () => {
		await run('npm', ['rebuild', ...natives], { cwd, env });
		await run('node', ['-e', natives.map((name) => `require('${name}');`).join('')], { cwd, env });
	};
	await build().catch(async (error) => {
		if (!(await installCompiler())) throw error;
		await build();
	});
}

/** Notes the folders and programs of this machine for the tests that need them (`host/places.ts`). */
export function rememberPlaces(places) {
	const note = join(stateFolder, 'places.json');
	const known = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : {};
	for (const folder of [stateFolder, cacheFolder]) mkdirSync(folder, { recursive: true });
	writeFileSync(note, JSON.stringify({ ...known, cache: cacheFolder, ...places }));
}

/** Lets one process at a time do the work. The lock of a process that has died goes stale. */
async function withLock(path, work) {
	mkdirSync(dirname(path), { recursive: true });
	for (let told = false; !take(path); told = true) {
		if (!told) console.log('  Another process is doing this; waiting for it.');
		await new Promise((wake) => setTimeout(wake, 500));
	}
	const heartbeat = setInterval(() => utimesSync(path, new Date(), new Date()), STALE_AFTER_MS / 6);
	try {
		return await work();
	} finally {
		clearInterval(heartbeat);
		rmSync(path, { force: true });
	}
}

function take(path) {
	const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
	if (age > STALE_AFTER_MS) rmSync(path, { force: true });
	try {
		writeFileSync(path, '', { flag: 'wx' });
		return true;
	} catch (error) {
		if (error.code === 'EEXIST') return false;
		throw error;
	}
}

function hashOf(...contents) {
	const hash = createHash('sha256');
	for (const content of contents) hash.update(content).update('\0');
	return hash.digest('hex').slice(0, 12);
}

const read = (path) => readFileSync(join(projectFolder, path));

function filesIn(folder) {
	if (!existsSync(join(projectFolder, folder))) return [];
	return readdirSync(join(projectFolder, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(projectFolder, join(entry.parentPath, entry.name)))
		.sort();
}
