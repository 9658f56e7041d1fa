// `npm run nightly -- versions`: the promises that depend on n8n, in the lowest n8n that `package.json` promises, in the
// pinned one, and in the newest of the registry. `npm run nightly -- versions lowest` runs one of them.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { installPinned, installVersion } from './install.mjs';
import { projectFolder, reportOf, run, SetupError, step } from './progress.mjs';

const FILES = ['lifecycle', 'sending', 'ask', 'agent'];
const { env } = process;
const readManifest = (path) => JSON.parse(readFileSync(`${projectFolder}/${path}`, 'utf8'));
const pinnedVersion = readManifest('host/package.json').dependencies.n8n;

/** The versions of n8n in the registry that fit a range, the oldest first. */
async function listVersions(range) {
	const found = JSON.parse(
		await run('npm', ['view', `n8n@${range}`, 'version', '--json'], { env }),
	);
	const parts = (version) => version.split('.').map(Number);
	return [found].flat().sort((one, other) => {
		const [left, right] = [parts(one), parts(other)];
		const differing = left.findIndex((part, index) => part !== right[index]);
		return differing === -1 ? 0 : left[differing] - right[differing];
	});
}

/** Each answers the version and the folder in which it is installed. */
const targets = {
	async lowest() {
		const promised = readManifest('package.json').engines.n8n.replace('>=', '');
		const version = (await listVersions(`~${promised}`)).at(-1);
		return [version, await installVersion(version, env)];
	},
	pinned: async () => [pinnedVersion, await installPinned('n8n', env)],
	async newest() {
		const newer = await listVersions(`>${pinnedVersion}`).catch(() => []);
		for (const version of newer.reverse()) {
			try {
				return [version, await installVersion(version, env)];
			} catch (error) {
				// A mirror may have n8n, and lack some of its packages.
				const missing = /No matching version found for (\S+)\./.exec(error.message)?.[1];
				if (missing === undefined) throw error;
				console.log(`The registry lacks ${missing}, so n8n ${version} cannot be installed.`);
			}
		}
		return await targets.pinned();
	},
};

/** Runs the files. Answers how many tests of each have passed, e.g. `12 of 12`. */
async function test(name, version, folder) {
	const report = reportOf(name);
	rmSync(report, { force: true });
	await step(`Testing in n8n ${version}`, '8 minutes', () =>
		run(
			process.execPath,
			[
				'node_modules/jest/bin/jest.js',
				...['--selectProjects', 'e2e', '--forceExit', '--maxWorkers=2'],
				...['--json', `--outputFile=${report}`, `e2e/(${FILES.join('|')})\\.test`],
			],
			{ cwd: projectFolder, env: { ...env, MESSAGING_GATEWAY_N8N: folder } },
		).catch((error) => {
			if (!existsSync(report)) throw error;
		}),
	);
	const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
	return FILES.map((file) => {
		const result = testResults.find((each) => basename(each.name) === `${file}.test.ts`);
		const tests = result?.assertionResults ?? [];
		return `${tests.filter(({ status }) => status === 'passed').length} of ${tests.length}`;
	});
}

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(targets);
const unknown = chosen.filter((name) => !(name in targets));
if (unknown.length > 0)
	throw new SetupError(`Unknown ${unknown}. There are: ${Object.keys(targets).join(', ')}`);
const rows = {};
const reports = [];
for (const name of chosen) {
	const [version, folder] = await targets[name]();
	const done = Object.keys(rows).find((row) => row.endsWith(` ${version}`));
	if (done !== undefined) {
		rows[`${name} ${version}`] = rows[done];
		continue;
	}
	reports.push(`versions-${name}`);
	const counts = await test(reports.at(-1), version, folder);
	rows[`${name} ${version}`] = Object.fromEntries(FILES.map((file, i) => [file, counts[i]]));
}
console.table(rows);
const count = spawn(process.execPath, ['tools/setup/count.mjs', ...reports], {
	cwd: projectFolder,
	stdio: 'inherit',
});
count.once('exit', (code) => (process.exitCode = code ?? 1));
