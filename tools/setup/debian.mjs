import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { agrees, canAnswer } from './ask.mjs';
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
 * Finds a program and, where it is missing, installs Debian's packages that bring it: as root only, after saying what and
 * why, and only in CI or where somebody agrees.
 * @param find answers the program's path, or undefined
 * @param wanted `what`: the program's name for people; `why` it is needed, as a sentence; `packages` of Debian;
 * `usually`: how long installing them takes
 */
export async function findOrInstall(find, wanted) {
	const found = find();
	if (found !== undefined) return found;
	await installDebianPackages(wanted);
	const installed = find();
	if (installed === undefined)
		throw new SetupError(
			`${wanted.packages.join(' ')} were installed, but ${wanted.what} is still missing.`,
		);
	return installed;
}

async function installDebianPackages({ what, why, packages, usually }) {
	const missing = `${what} is missing. ${why}`;
	const install = ['install', '--yes', '--no-install-recommends', ...packages];
	const byHand = `apt-get update && apt-get ${install.join(' ')}`;
	if (findProgram(['apt-get']) === undefined) {
		throw new SetupError(
			`${missing} This machine has no apt-get: install ${what} yourself, then start again.`,
		);
	}
	const isAsked = !process.env.CI;
	if (process.getuid() !== 0 || (isAsked && !canAnswer()))
		throw new SetupError(`${missing} As root, run this and start again:\n  ${byHand}`);
	console.log(
		`${missing} It comes with Debian's packages ${packages.join(' ')}, as root:\n  ${byHand}`,
	);
	if (isAsked && !(await agrees('Install them now? [y/N] '))) {
		throw new SetupError(
			`Nothing was installed. Install ${what} yourself, e.g. with the line above, then start again.`,
		);
	}
	const log = logIn(cacheFolder, packages[0]);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	await step(`Installing ${what} from Debian's packages`, usually, async () => {
		await run('apt-get', ['update'], { env, log });
		await run('apt-get', install, { env, log });
	});
}
