// The one entry behind `npm start`, `npm test` and the other tasks. It runs on Node 20 with nothing installed, prepares
// what the task needs, and then runs the task itself on Node 24.
import { spawn } from 'node:child_process';
import { cacheFolder } from './cache.mjs';
import { environmentFor, findNode24 } from './node24.mjs';
import { formatTime, SetupError } from './progress.mjs';
import { buildPackage, installPackages, projectFolder, rememberPlaces } from './project.mjs';
import {
	prepareChromium,
	prepareHaproxy,
	prepareN8n,
	preparePostgres,
	prepareRedis,
	prepareVerification,
} from './tools.mjs';
import { findUsage } from './usage.mjs';

const script = (file) => ['--import', 'tsx', file];
// Each file has a whole n8n of its own, which mostly waits: two at once, but one at a time where a test measures.
const suite = (project) => ['tools/setup/suite.mjs', project, '--runInBand'];
const suiteAtOnce = (project) => ['tools/setup/suite.mjs', project, '--maxWorkers=2'];

const prepare = {
	build: async (env) => void (await buildPackage(env)),
	n8n: async (env) => rememberPlaces({ n8n: await prepareN8n(env) }),
	verification: async (env) => rememberPlaces({ verification: await prepareVerification(env) }),
	chromium: async () => rememberPlaces({ chromium: await prepareChromium() }),
	haproxy: async () => rememberPlaces({ haproxy: await prepareHaproxy() }),
	redis: async () => rememberPlaces({ redis: await prepareRedis() }),
	postgres: async () => rememberPlaces({ postgres: await preparePostgres() }),
};

/** What each task needs, in the order in which it is prepared, and what Node then runs. */
const tasks = {
	demo: { needs: ['build', 'n8n'], run: script('tools/demo/start.ts') },
	dev: { needs: ['build', 'n8n'], run: script('tools/demo/develop.ts') },
	test: { needs: ['verification', 'chromium'], run: script('tools/verification/verify.ts') },
	lint: {
		needs: ['verification'],
		run: [
			...script('tools/verification/verify.ts'),
			'types',
			'format',
			'lint',
			'description',
			'scan',
		],
	},
	e2e: { needs: ['build', 'n8n', 'chromium'], run: suiteAtOnce('e2e') },
	'e2e:weekly': { needs: ['build', 'n8n', 'chromium'], run: suiteAtOnce('weekly') },
	'e2e:queue': { needs: ['build', 'n8n', 'chromium', 'redis', 'postgres'], run: suite('queue') },
	'e2e:alone': { needs: ['build', 'n8n', 'haproxy'], run: suite('alone') },
	'release:keep': { needs: ['build'], run: script('tools/release/keep.ts') },
	pictures: { needs: ['build', 'n8n', 'chromium'], run: script('tools/pictures/take.ts') },
	bench: { needs: ['build', 'n8n'], run: script('tools/bench/run.ts') },
};

async function main([name, ...args]) {
	const task = tasks[name];
	if (task === undefined)
		throw new SetupError(`Unknown task ${name ?? ''}. There are: ${Object.keys(tasks).join(', ')}`);
	const usage = findUsage(name, args);
	if (usage !== undefined) return console.log(usage);
	const started = Date.now();
	const node = await findNode24();
	const env = environmentFor(node);
	await installPackages(env);
	rememberPlaces({ cache: cacheFolder });
	for (const need of task.needs) await prepare[need](env);
	console.log(`Set-up is complete (${formatTime(Date.now() - started)}).`);
	process.exitCode = await follow(node, [...task.run, ...args], env);
}

/** Runs the task in the foreground. It gets the terminal's signals itself; this process only waits for its end. */
function follow(node, args, env) {
	let child;
	// First: the task may run, and somebody end it, before spawn has returned.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
		process.on(signal, () => child.kill(signal));
	child = spawn(node, args, { cwd: projectFolder, env, stdio: 'inherit' });
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code) => resolve(code ?? 1));
	});
}

main(process.argv.slice(2)).catch((error) => {
	console.error(error instanceof SetupError ? `\n${error.message}` : error);
	process.exitCode = 1;
});
