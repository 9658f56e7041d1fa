import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
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
		readPins('host'),
		'Installing n8n, once',
		'4 to 6 minutes, 2.2 GB',
		env,
		buildNativeModules,
	);
}

/** n8n's lint and package scan. Answers their folder. */
export async function prepareVerification(env) {
	const title = "Installing n8n's lint and package scan, once";
	return await install(
		'verification',
		readPins('tools/verification'),
		title,
		'1 minute, 570 MB',
		env,
	);
}

/** A browser for the editor and the phone page. */
export async function prepareChromium() {
	const find = () => findProgram(['chromium', 'chromium-browser', 'google-chrome']);
	return await findOrInstall(find, {
		what: 'Chromium',
		why: "The tests and the pictures look at n8n's editor and the phone page in it.",
		packages: ['chromium', 'fonts-liberation'],
		usually: '1 to 2 minutes',
	});
}

/** The proxy whose configuration the documentation gives people. */
export async function prepareHaproxy() {
	return await findOrInstall(() => findProgram(['haproxy'], ['/usr/sbin']), {
		what: 'HAProxy',
		why: 'A test puts it in front of n8n, as the documentation tells people to.',
		packages: ['haproxy'],
		usually: 'under 1 minute',
	});
}

export async function prepareRedis() {
	return await findOrInstall(() => findProgram(['redis-server']), {
		what: 'Redis',
		why: "n8n's queue mode, which these tests run in, needs it.",
		packages: ['redis-server'],
		usually: 'under 1 minute',
	});
}

/** Answers the folder of PostgreSQL's programs, which Debian keeps off the path. */
export async function preparePostgres() {
	const versions = ['18', '17', '16', '15', '14'].map(
		(version) => `/usr/lib/postgresql/${version}/bin`,
	);
	const find = () => findProgram(['initdb'], versions);
	// What stands on the path may be a link to one program only.
	const program = await findOrInstall(find, {
		what: 'PostgreSQL',
		why: "n8n's queue mode, which these tests run in, keeps its data there.",
		packages: ['postgresql'],
		usually: '1 minute',
	});
	return dirname(realpathSync(program));
}

/** The pins in a folder of the tree: a package.json and its lock file. */
function readPins(folder) {
	return Object.fromEntries(
		['package.json', 'package-lock.json'].map((file) => [file, readPin(folder, file)]),
	);
}

function readPin(folder, file) {
	return readFileSync(join(projectFolder, folder, file), 'utf8');
}

/** What pins install stands in the cache, under a name made from them. */
function folderOf(name, files) {
	return join(cacheFolder, `${name}-${hashOf(...Object.values(files))}-node${NODE_MAJOR}`);
}

async function install(name, files, title, usually, env, finish = async () => {}) {
	const folder = folderOf(name, files);
	if (existsSync(folder)) return folder;
	return await step(title, usually, () =>
		installOnce(folder, async (partial) => {
			for (const [file, content] of Object.entries(files))
				writeFileSync(join(partial, file), content);
			const log = logIn(cacheFolder, name);
			// Some of these packages fetch binaries or refuse npm when they install themselves: none of that is needed.
			const args = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
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
		await findOrInstall(() => findProgram(['g++']), {
			what: 'A C++ compiler',
			why: "Two modules of n8n have to be compiled, because they don't come ready for this machine.",
			packages: ['build-essential', 'python3'],
			usually: '1 minute',
		});
		await build();
		await load().catch((cause) => {
			throw new SetupError(
				`n8n's native modules (${modules.join(', ')}) cannot be loaded.\n${cause.message}`,
			);
		});
	}
}
