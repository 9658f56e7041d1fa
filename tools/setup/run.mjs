// The one entry behind `npm start`, `npm test` and the other tasks. It runs on Node 20 with nothing installed, prepares
// the needs of the task, and then runs the task itself on Node 24.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import {
	buildPackage,
	findNode24,
	installPackages,
	installPinned,
	rememberPlaces,
} from './install.mjs';
import { programs } from './programs.mjs';
import { formatTime, projectFolder, reportOf, SetupError } from './progress.mjs';

const script = (file, ...args) => ['--import', 'tsx', file, ...args];
const jest = (project, ...args) => [
	'node_modules/jest/bin/jest.js',
	...['--selectProjects', project, '--forceExit'],
	...['--json', `--outputFile=${reportOf(project)}`, ...args],
];
const verify = (...checks) => script('tools/verification/verify.ts', ...checks);

/** The needs of each task in the order in which they are prepared, and what Node then runs. */
const tasks = {
	start: { needs: ['build', 'n8n'], run: script('tools/demo/start.ts') },
	dev: { needs: ['build', 'n8n'], run: script('tools/demo/start.ts', '--dev') },
	gateway: { needs: [], run: script('simulator/start.ts') },
	compare: { needs: [], run: script('tools/compare/compare.ts') },
	test: { needs: ['verification'], run: verify() },
	spec: { needs: [], run: jest('spec') },
	lint: {
		needs: ['verification'],
		run: verify('types', 'format', 'lint', 'oxlint', 'knip', 'description', 'scan'),
	},
	// Each file with an n8n of its own mostly waits: two at once.
	e2e: { needs: ['build', 'n8n', 'chromium', 'redis'], run: jest('e2e', '--maxWorkers=2') },
	// Files that measure: one at a time.
	nightly: {
		needs: ['linux', 'build', 'n8n', 'redis', 'haproxy', 'postgres'],
		run: jest('nightly', '--runInBand'),
	},
	versions: { needs: ['build'], run: ['tools/setup/versions.mjs'] },
	bench: { needs: ['linux', 'build', 'n8n'], run: script('tools/bench.ts') },
	pictures: { needs: ['build', 'n8n', 'chromium'], run: script('tools/pictures.ts') },
};

async function main([first, ...rest]) {
	const isVersions = first === 'nightly' && rest[0] === 'versions';
	const [name, ...args] = isVersions ? rest : [first, ...rest];
	const task = tasks[name];
	if (task === undefined)
		throw new SetupError(`Unknown task ${name}. There are: ${Object.keys(tasks).join(', ')}`);
	const started = Date.now();
	const { node, env } = await findNode24();
	await installPackages(env);
	rememberPlaces({});
	for (const need of task.needs) {
		if (need === 'linux') requireLinux(name);
		else if (need === 'build') await buildPackage(env);
		else if (need in programs) rememberPlaces({ [need]: await programs[need]() });
		else rememberPlaces({ [need]: await installPinned(need, env) });
	}
	console.log(`Set-up is complete (${formatTime(Date.now() - started)}).`);
	mkdirSync(dirname(reportOf(name)), { recursive: true });
	const child = spawn(node, [...task.run, ...args], { cwd: projectFolder, env, stdio: 'inherit' });
	// The task gets the terminal's signals itself; this process waits for its end.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
		process.on(signal, () => child.kill(signal));
	child.once('exit', (code) => (process.exitCode = code ?? 1));
}

/** Computing time comes from `/proc`, and HAProxy from Debian's packages. */
function requireLinux(name) {
	if (process.platform !== 'linux')
		throw new SetupError(`npm run ${name} needs Linux. All other commands run here too.`);
}

main(process.argv.slice(2)).catch((error) => {
	console.error(error instanceof SetupError ? `\n${error.message}` : error);
	process.exitCode = 1;
});
