import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { run, SetupError, step } from './progress.mjs';

const require = createRequire(import.meta.url);

/** Names under which a program is installed, and the packages of Debian that hold it. */
export const programs = {
	chromium: {
		names: ['chromium', 'chromium-browser', 'google-chrome'],
		packages: ['chromium', 'fonts-liberation'],
	},
	redis: { names: ['redis-server'], packages: ['redis-server'] },
	haproxy: { names: ['haproxy'], packages: ['haproxy'] },
	postgres: { names: ['postgres'], packages: ['postgresql'] },
	compiler: { names: ['g++'], packages: ['build-essential', 'python3'] },
};

/** Debian keeps these folders out of the PATH of a user; PostgreSQL has one for each version. */
function furtherFolders() {
	const versions = '/usr/lib/postgresql';
	const found = existsSync(versions) ? readdirSync(versions) : [];
	return ['/usr/sbin', ...found.map((version) => join(versions, version, 'bin'))];
}

/** @returns the path of a program that is installed, or undefined */
export function find(name) {
	const folders = [...process.env.PATH.split(delimiter), ...furtherFolders()];
	const paths = folders.flatMap((folder) => programs[name].names.map((each) => join(folder, each)));
	// What `npx playwright-core install chromium` has downloaded.
	if (name === 'chromium') paths.push(require('playwright-core').chromium.executablePath());
	return paths.find((path) => existsSync(path));
}

/**
 * Answers a program's path. In CI, as root, a program that is missing is installed.
 * @throws SetupError with what to install
 */
export async function provide(name) {
	const { packages } = programs[name];
	const line = `apt-get update && apt-get install --yes --no-install-recommends ${packages.join(' ')}`;
	if (find(name) === undefined && process.env.CI && process.getuid() === 0) {
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		await step(`Installing ${packages.join(' and ')}`, '1 to 2 minutes', () =>
			run('sh', ['-c', line], { env }),
		);
	}
	const found = find(name);
	if (found !== undefined) return found;
	const other = name === 'chromium' ? 'Run `npx playwright-core install chromium`. ' : '';
	throw new SetupError(`${name} is missing. ${other}In Debian, run this as root:\n  ${line}`);
}
