import { cacheFolder } from './cache.mjs';
import { logIn, run, SetupError, step } from './progress.mjs';
import { projectFolder } from './project.mjs';
import { pinnedN8n, prepareFreeN8n } from './tools.mjs';

/** How many versions are tried, the newest first, until one runs. */
const TRIED = 3;

/**
 * Installs the newest n8n that the registry has: as somebody gets it today, and if that does not start even without our
 * package, with what the pinned n8n is held to. n8n publishes no lock file, and now and then what it asks for breaks it:
 * that is told, and is no failure of ours.
 * @returns the folder of one that starts; undefined if none does that is newer than the pinned one
 */
export async function prepareNewest(env) {
	for (const version of await listNewer(env)) {
		for (const held of [false, true]) {
			const which = `n8n ${version}${held ? ', held to what the pinned one is held to,' : ''}`;
			try {
				const folder = await prepareFreeN8n(env, version, held);
				await step(`Starting ${which} alone`, '20 seconds', () => startAlone(folder, env));
				return folder;
			} catch (error) {
				if (!(error instanceof SetupError)) throw error;
				// A line that GitHub shows above the log.
				console.log(`::warning::${which} does not run, even without this package.`);
				console.log(error.message);
			}
		}
	}
	console.log(`There is no newer n8n than ${pinnedN8n()} to test with.`);
	return undefined;
}

async function startAlone(folder, env) {
	const args = ['--import', 'tsx', 'tools/release/startAlone.ts', folder];
	await run('node', args, { cwd: projectFolder, env, log: logIn(cacheFolder, 'n8n-alone') });
}

/** The newest versions that are meant for everybody, the newest first. */
async function listNewer(env) {
	const args = ['view', 'n8n', 'versions', 'dist-tags.latest', '--json'];
	const told = await run('npm', args, { env, log: logIn(cacheFolder, 'n8n-newest') });
	const { versions, 'dist-tags.latest': latest } = JSON.parse(told);
	return versions
		.filter((version) => /^\d+\.\d+\.\d+$/.test(version))
		.filter((version) => isNewer(version, pinnedN8n()) && !isNewer(version, latest))
		.sort((one, other) => (isNewer(one, other) ? -1 : 1))
		.slice(0, TRIED);
}

function isNewer(one, other) {
	return one.localeCompare(other, 'en', { numeric: true }) > 0;
}
