import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { projectFolder, run, SetupError, step } from './progress.mjs';

const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'];

/** Each answers a program's path. A program that is missing comes from Debian's packages, after asking. */
export const programs = {
	chromium: async () =>
		find(CHROMIUM) ??
		(await downloadChromium()) ??
		(await provide(CHROMIUM, {
			what: 'Chromium',
			why: "The tests look at n8n's editor and the phone page in it.",
			packages: ['chromium', 'fonts-liberation'],
		})),
	redis: () =>
		provide(['redis-server'], {
			what: 'Redis',
			why: "n8n's queue mode needs it.",
			packages: ['redis-server'],
		}),
	haproxy: () =>
		provide(['haproxy'], {
			what: 'HAProxy',
			why: 'A test puts it in front of n8n, with the configuration that the documentation gives.',
			packages: ['haproxy'],
			folders: () => ['/usr/sbin'],
		}),
	postgres: () =>
		provide(['postgres'], {
			what: 'PostgreSQL',
			why: "n8n's queue mode keeps its data there.",
			packages: ['postgresql'],
			folders: postgresFolders,
		}),
};

/** Playwright's own download, which needs no root. Undefined if it fails, or if the system lacks a library that it needs. */
async function downloadChromium() {
	const path = createRequire(import.meta.url)('playwright-core').chromium.executablePath();
	const install = ['node_modules/playwright-core/cli.js', 'install', 'chromium', '--no-shell'];
	try {
		if (!existsSync(path))
			await step('Downloading Chromium', '1 minute, 170 MB', () =>
				run(process.execPath, install, { cwd: projectFolder }),
			);
		await run(path, ['--version']);
		return path;
	} catch {
		return undefined;
	}
}

/** Debian keeps the server in a folder for each version, outside of the PATH. */
function postgresFolders() {
	const versions = '/usr/lib/postgresql';
	const found = existsSync(versions) ? readdirSync(versions) : [];
	return found.map((version) => join(versions, version, 'bin'));
}

/** @returns whether it was missing */
export async function installCompiler() {
	if (find(['g++']) !== undefined && find(['python3']) !== undefined) return false;
	await provide(['g++'], {
		what: 'A C++ compiler',
		why: "Two modules of n8n have to be compiled, because they don't come ready for this machine.",
		packages: ['build-essential', 'python3'],
	});
	return true;
}

function find(names, folders = () => []) {
	const paths = [...process.env.PATH.split(delimiter), ...folders()].flatMap((folder) =>
		names.map((name) => join(folder, name)),
	);
	return paths.find((path) => existsSync(path));
}

/** Finds a program, or installs it: as root only, and only in CI or if a person agrees. */
async function provide(names, { what, why, packages, folders }) {
	const found = find(names, folders);
	if (found !== undefined) return found;
	const missing = `${what} is missing. ${why}`;
	const install = ['install', '--yes', '--no-install-recommends', ...packages];
	const line = `apt-get update && apt-get ${install.join(' ')}`;
	if (find(['apt-get']) === undefined)
		throw new SetupError(
			`${missing} This machine has no apt-get: install ${what}, then start again.`,
		);
	const { CI } = process.env;
	const canAsk = process.stdin.isTTY && process.stdout.isTTY;
	if (process.getuid() !== 0 || !(CI || canAsk))
		throw new SetupError(`${missing} As root, run this and start again:\n  ${line}`);
	console.log(`${missing} It is in Debian's packages ${packages.join(' ')}:\n  ${line}`);
	if (!CI && !(await agrees('Install them now? [y/N] ')))
		throw new SetupError('Nothing was installed.');
	await step(`Installing ${what} from Debian's packages`, '1 to 2 minutes', async () => {
		const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
		await run('apt-get', ['update'], options);
		await run('apt-get', install, options);
	});
	const installed = find(names, folders);
	if (installed === undefined) throw new SetupError(`${what} was installed, but is still missing.`);
	return installed;
}

/** No, unless somebody says yes: the end of the input is no. */
async function agrees(question) {
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	const closed = new Promise((resolve) => terminal.once('close', () => resolve('')));
	const answer = await Promise.race([terminal.question(question), closed]).catch(() => '');
	terminal.close();
	return /^\s*y(es)?\s*$/i.test(answer);
}
