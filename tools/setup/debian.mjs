import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheFolder } from './cache.mjs';
import { logIn, run, SetupError, step } from './progress.mjs';

/** Finds a program on the path, or in one of the folders named beside it. */
export function findProgram(names, folders = []) {
	for (const folder of [...process.env.PATH.split(delimiter), ...folders]) {
		for (const name of names) {
			if (existsSync(join(folder, name))) return join(folder, name);
		}
	}
	return undefined;
}

/**
 * Finds a program and, where it is missing, installs Debian's packages that bring it.
 * @param find answers the program's path, or undefined
 * @param what the program's name for people
 */
export async function findOrInstall(find, what, packages, usually) {
	const found = find();
	if (found !== undefined) return found;
	await installDebianPackages(what, packages, usually);
	const installed = find();
	if (installed === undefined)
		throw new SetupError(`${packages.join(' ')} were installed, but ${what} is still missing.`);
	return installed;
}

async function installDebianPackages(what, packages, usually) {
	const byHand = `${what} is needed and not installed.`;
	if (findProgram(['apt-get']) === undefined) {
		throw new SetupError(
			`${byHand} This machine has no apt-get: install ${what} yourself, then start again.`,
		);
	}
	if (process.getuid() !== 0) {
		throw new SetupError(
			`${byHand} As root: apt-get update && apt-get install --yes ${packages.join(' ')}`,
		);
	}
	const log = logIn(cacheFolder, packages[0]);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	await step(`Installing ${what} from Debian's packages`, usually, async () => {
		await run('apt-get', ['update'], { env, log });
		await run('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], {
			env,
			log,
		});
	});
}
