// `npm run nightly -- versions`: the promises that depend on n8n, in the lowest n8n that `package.json` promises, in the
// pinned one, and in the newest of the registry. `npm run nightly -- versions lowest` tries one of them.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { installPinned, installVersion } from './install.mjs';
import { projectFolder, reportOf, run, step } from './progress.mjs';

const FILES = ['lifecycle', 'sending', 'ask', 'agent'];
const { env } = process;
const readManifest = (path) => JSON.parse(readFileSync(`${projectFolder}/${path}`, 'utf8'));
const pinnedVersion = readManifest('host/package.json').dependencies.n8n;

/** The versions of n8n in the registry that fit a range, the oldest first, as npm sorts them. */
async function listVersions(range) {
	const found = await run('npm', ['view', `n8n@${range}`, 'version', '--json'], { env });
	return [JSON.parse(found)].flat();
}

/** Each answers a version and the folder in which it is installed. */
const targets = {
	async lowest() {
		const promised = readManifest('package.json').engines.n8n.replace('>=', '');
		const version = (await listVersions(`~${promised}`)).at(-1);
		return [version, await installVersion(version, env)];
	},
	pinned: async () => [pinnedVersion, await installPinned('n8n', env)],
	async newest() {
		for (const version of (await listVersions(`>=${pinnedVersion}`)).reverse()) {
			if (version === pinnedVersion) break;
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

/** Answers how many tests of each file have passed, e.g. `12 of 12`. */
async function test(report, version, folder) {
	rmSync(report, { force: true });
	const args = ['--selectProjects', 'e2e', '--forceExit', '--maxWorkers=2', '--json'];
	const files = [`--outputFile=${report}`, `e2e/(${FILES.join('|')})\\.test`];
	const options = { cwd: projectFolder, env: { ...env, MESSAGING_GATEWAY_N8N: folder } };
	await step(`Testing in n8n ${version}`, '8 minutes', () =>
		run(process.execPath, ['node_modules/jest/bin/jest.js', ...args, ...files], options),
	).catch((error) => {
		if (!existsSync(report)) throw error;
	});
	const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
	const count = (file) => {
		const result = testResults.find(({ name }) => basename(name) === `${file}.test.ts`);
		const tests = result?.assertionResults ?? [];
		return `${tests.filter(({ status }) => status === 'passed').length} of ${tests.length}`;
	};
	return Object.fromEntries(FILES.map((file) => [file, count(file)]));
}

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(targets);
const rows = {};
for (const name of chosen) {
	const [version, folder] = await targets[name]();
	rows[`${name} ${version}`] = await test(reportOf(`versions-${name}`), version, folder);
}
console.table(rows);
// It counts the reports that it is given.
process.argv.splice(2, Infinity, ...chosen.map((name) => `versions-${name}`));
await import('./count.mjs');
