import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder, hashOf, withLock } from './cache.mjs';
import { logIn, run, step } from './progress.mjs';

export const projectFolder = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Inside `node_modules`, so that whoever deletes that folder deletes the claim that it is complete as well. */
const stateFolder = join(projectFolder, 'node_modules', '.cache', 'messaging-gateway');
const lock = join(cacheFolder, `project-${hashOf(projectFolder)}.lock`);

/** Installs the packages of the project unless they are those of its lock file. */
export async function installPackages(env) {
	const { devDependencies } = JSON.parse(read('package.json'));
	const wanted = hashOf(JSON.stringify(devDependencies), read('package-lock.json'));
	if (remembered('packages') === wanted) return;
	await step("Installing the project's packages", 'about 1 minute', () =>
		withLock(lock, async () => {
			forget('packages');
			const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
			await run('npm', args, { cwd: projectFolder, env, log: logIn(cacheFolder, 'packages') });
			remember('packages', wanted);
		}),
	);
}

/** Builds the package unless `dist` was built from the sources as they are. */
export async function buildPackage(env) {
	const sources = [
		'package.json',
		'tsconfig.json',
		'gulpfile.js',
		'LICENSE.md',
		...filesIn('nodes'),
		...filesIn('credentials'),
	];
	const state = () => `${hashOf(...sources.map(read))} ${hashOf(...filesIn('dist').map(read))}`;
	if (remembered('build') === state()) return;
	await step('Building the package', '10 seconds', () =>
		withLock(lock, async () => {
			forget('build');
			await run('npm', ['run', 'build'], {
				cwd: projectFolder,
				env,
				log: logIn(cacheFolder, 'build'),
			});
			remember('build', state());
		}),
	);
}

/** Where a run of tests leaves its result, in the shape of jest's JSON report. Its folder is there. */
export function reportOf(name) {
	const folder = join(stateFolder, 'reports');
	mkdirSync(folder, { recursive: true });
	return join(folder, `${name}.json`);
}

/** Notes where things are on this machine, for the tests that need them. */
export function rememberPlaces(places) {
	const known = JSON.parse(remembered('places.json') ?? '{}');
	remember('places.json', JSON.stringify({ ...known, ...places }, null, '\t'));
}

function filesIn(folder) {
	if (!existsSync(join(projectFolder, folder))) return [];
	return readdirSync(join(projectFolder, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(projectFolder.length + 1))
		.sort();
}

function read(path) {
	return readFileSync(join(projectFolder, path));
}

function remembered(name) {
	const path = join(stateFolder, name);
	return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function remember(name, content) {
	mkdirSync(stateFolder, { recursive: true });
	writeFileSync(join(stateFolder, name), content);
}

function forget(name) {
	rmSync(join(stateFolder, name), { force: true });
}
