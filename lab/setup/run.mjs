// The one entry behind `npm start`, `npm test` and the other tasks. It runs on Node 20 with nothing installed, prepares
// the needs of the task, and then runs the task itself on Node 24.
import { spawn } from 'node:child_process';
import {
	buildPackage,
	findNode24,
	installPackages,
	installPinned,
	pinned,
	rememberPlaces,
} from './install.mjs';
import { programs, provide } from './programs.mjs';
import { formatTime, projectFolder, reportOf, SetupError } from './progress.mjs';

const script = (file, ...args) => ['--import', 'tsx', file, ...args];
const jest = (project, ...args) => [
	'node_modules/jest/bin/jest.js',
	'--selectProjects',
	project,
	'--forceExit',
	...args,
];
const verify = (...checks) => script('lab/verification/verify.ts', ...checks);

/** The needs of each task in the order in which they are prepared, and what Node then runs. */
const tasks = {
	start: { needs: ['build', 'n8n'], run: script('lab/demo/start.ts') },
	dev: { needs: ['build', 'n8n'], run: script('lab/demo/start.ts', '--dev') },
	gateway: { needs: [], run: script('lab/simulator/start.ts') },
	compare: { needs: [], run: script('lab/compare/compare.ts') },
	test: { needs: ['verification'], run: verify() },
	spec: { needs: [], run: jest('spec') },
	lint: {
		needs: ['verification'],
		run: verify('types', 'format', 'lint', 'oxlint', 'knip', 'description', 'scan'),
	},
	// Each file with an n8n of its own mostly waits: two at once.
	e2e: {
		needs: ['build', 'n8n', 'chromium', 'redis'],
		run: jest('e2e', '--maxWorkers=2', '--json', `--outputFile=${reportOf('e2e')}`),
	},
	// Files that measure: one at a time.
	nightly: {
		needs: ['build', 'n8n', 'redis', 'haproxy', 'postgres'],
		run: jest('nightly', '--runInBand'),
	},
	bench: { needs: ['build', 'n8n'], run: script('lab/bench/bench.ts') },
	pictures: { needs: ['build', 'n8n', 'chromium'], run: script('lab/pictures/pictures.ts') },
};

async function prepareProject(needs, env) {
	await installPackages(env);
	if (needs.includes('build')) await buildPackage(env);
}

async function installAllPinned(needs, env) {
	const places = {};
	for (const need of needs) if (need in pinned) places[need] = await installPinned(need, env);
	return places;
}

async function main([name, ...args]) {
	const task = tasks[name];
	if (task === undefined)
		throw new SetupError(`Unknown task ${name}. There are: ${Object.keys(tasks).join(', ')}`);
	const started = Date.now();
	const { node, env } = await findNode24();
	const [, places] = await Promise.all([
		prepareProject(task.needs, env),
		// The largest part needs nothing of the project, and takes longer than all the rest.
		installAllPinned(task.needs, env),
	]);
	for (const need of task.needs) if (need in programs) places[need] = await provide(need);
	rememberPlaces(places);
	console.log(`Set-up is complete (${formatTime(Date.now() - started)}).`);
	const child = spawn(node, [...task.run, ...args], { cwd: projectFolder, env, stdio: 'inherit' });
	// The task gets the terminal's signals itself; this process waits for its end.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
		process.on(signal, () => child.kill(signal));
	child.once('exit', (code) => (process.exitCode = code ?? 1));
}

main(process.argv.slice(2)).catch((error) => {
	console.error(error instanceof SetupError ? `\n${error.message}` : error);
	// What is still being installed ends with this process.
	process.exit(1);
});
