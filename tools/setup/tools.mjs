import { cpSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder, hashOf, installOnce } from './cache.mjs';
import { findOrInstall, findProgram } from './debian.mjs';
import { NODE_MAJOR } from './node24.mjs';
import { logIn, run, SetupError, step } from './progress.mjs';
import { projectFolder } from './project.mjs';

/** A real n8n of the pinned version, with the two native modules that it needs. Answers its folder. */
export async function prepareN8n(env) {
	return await install(
		'n8n',
		'test/host/package.json',
		'Installing n8n, once',
		'4 to 6 minutes, 2.2 GB',
		env,
		buildNativeModules,
	);
}

/** The oldest n8n that the package supports. Answers its folder. */
export async function prepareOldestN8n(env) {
	const title = 'Installing the oldest n8n supported, once';
	return await install(
		'n8n-oldest',
		'test/real/compat/package.json',
		title,
		'4 to 6 minutes, 2 GB',
		env,
		buildNativeModules,
	);
}

/** n8n's lint and package scan. Answers their folder. */
export async function prepareVerification(env) {
	const title = "Installing n8n's lint and package scan, once";
	return await install(
		'verification',
		'tools/verification/package.json',
		title,
		'1 minute, 570 MB',
		env,
	);
}

/** A browser for the editor and the phone page. */
export async function prepareChromium() {
	const find = () => findProgram(['chromium', 'chromium-browser', 'google-chrome']);
	return await findOrInstall(find, 'Chromium', ['chromium', 'fonts-liberation'], '1 to 2 minutes');
}

export async function prepareRedis() {
	return await findOrInstall(
		() => findProgram(['redis-server']),
		'Redis',
		['redis-server'],
		'under 1 minute',
	);
}

/** Answers the folder of PostgreSQL's programs, which Debian keeps off the path. */
export async function preparePostgres() {
	const versions = ['18', '17', '16', '15', '14'].map(
		(version) => `/usr/lib/postgresql/${version}/bin`,
	);
	const find = () => findProgram(['initdb'], versions);
	// What stands on the path may be a link to one program only.
	return dirname(realpathSync(await findOrInstall(find, 'PostgreSQL', ['postgresql'], '1 minute')));
}

/** The pins stand in a package.json in the tree; what they install stands in the cache, under a name made from them. */
async function install(name, pins, title, usually, env, finish = async () => {}) {
	const manifest = join(projectFolder, pins);
	const folder = join(cacheFolder, `${name}-${hashOf(readFileSync(manifest))}-node${NODE_MAJOR}`);
	if (existsSync(folder)) return folder;
	return await step(title, usually, () =>
		installOnce(folder, async (partial) => {
			cpSync(manifest, join(partial, 'package.json'));
			const log = logIn(cacheFolder, name);
			// Some of these packages fetch binaries or refuse npm when they install themselves: none of that is needed.
			const args = ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
			await run('npm', args, { cwd: partial, env, log });
			await finish(partial, env, log);
		}),
	);
}

async function buildNativeModules(folder, env, log) {
	const modules = ['sqlite3', 'isolated-vm'];
	const build = () => run('npm', ['rebuild', ...modules], { cwd: folder, env, log });
	const load = () =>
		run('node', ['-e', modules.map((name) => `require('${name}');`).join('')], {
			cwd: folder,
			env,
			log,
		});
	try {
		await build();
		await load();
	} catch (error) {
		if (findProgram(['g++']) !== undefined && findProgram(['python3']) !== undefined) throw error;
		await findOrInstall(
			() => findProgram(['g++']),
			'a C++ compiler',
			['build-essential', 'python3'],
			'1 minute',
		);
		await build();
		await load().catch((cause) => {
			throw new SetupError(
				`n8n's native modules (${modules.join(', ')}) cannot be loaded.\n${cause.message}`,
			);
		});
	}
}
