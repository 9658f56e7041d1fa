import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { OWNER } from '../host/owner';
import { communityPackageFolder } from '../host/packages';
import { findPlace, projectFolder } from '../host/places';
import { checkMailbox, checkReply } from './check';
import { openDemo, type Demo } from './demo';

const DEBUGGER = '127.0.0.1:9229';

const { values } = parseArgs({
	options: {
		/** Tries the demo with data of its own and without a person, and ends. */
		check: { type: 'boolean' },
		/** Rebuilds and reloads the package whenever a source is saved. */
		dev: { type: 'boolean' },
		data: { type: 'string' },
	},
});

async function main(): Promise<void> {
	console.log('Starting the gateway and n8n (usually 10 to 20 seconds)');
	if (values.check) return await check();

	const folder = values.data ?? join(findPlace('cache'), 'demo');
	const env = { N8N_DEV_RELOAD: 'true', NODE_OPTIONS: `--inspect=${DEBUGGER}` };
	const demo = await openDemo(folder, console.error, values.dev ? { env } : {});

	let isStopping = false;
	const stop = () => {
		// A terminal and `run.mjs` each send the signal: the second one must not cut the stop short.
		if (isStopping) return;
		isStopping = true;
		console.log('\nStopping the demo …');
		void demo.stop().then(() => process.exit(0));
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

	console.log(introduce(demo, folder));
	if (values.dev) watchSources(demo.n8n.folder);
}

async function check(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'demo-'));
	const tell = (step: string) => console.log(`✓ ${step}`);
	const demo = await openDemo(folder, console.error, { anyPorts: true });
	try {
		await checkReply(demo, demo.workflowId ?? '', tell);
		await checkMailbox(demo, tell);
		console.log('The demo works.');
	} finally {
		await demo.stop();
		rmSync(folder, { recursive: true, force: true });
	}
	process.exit(0);
}

function introduce({ n8n, gateway, ports, hasRedis }: Demo, folder: string): string {
	const redis = hasRedis
		? 'The credential "Redis of the demo" leads to it, for n8n\'s Redis node.'
		: "Not installed here. For n8n's Redis node, install Debian's redis-server or Homebrew's redis.";
	// n8n's root leads to its Assistant, where no workflow can be seen.
	return `
The demo runs. Write as Ana into the phone: the workflow "Messaging Gateway demo" answers her.

  Phone     ${gateway.pageUrl}
  n8n       ${n8n.url}/home/workflows  (sign in as ${OWNER.email} with the password ${OWNER.password})
  Mailbox   http://127.0.0.1:${ports.mailbox}  (each e-mail that n8n sends)
  AI        The credential "OpenAI account" leads to a stand-in for a language model. It answers
            with the line of the agent's System Message that shares most words with the question.
  Redis     ${redis}

Your changes are kept in ${folder}. Ctrl-C stops the demo.
`;
}

/** n8n watches the folder in which the package is installed, and loads the nodes anew if something changes there. */
function watchSources(n8nFolder: string): void {
	const target = join(communityPackageFolder(projectFolder, n8nFolder), 'dist');
	const build = async () => {
		const gulp = ['node_modules/gulp/bin/gulp.js', 'ship'];
		await promisify(execFile)(process.execPath, gulp, { cwd: projectFolder });
		cpSync(join(projectFolder, 'dist'), target, { recursive: true });
		console.log('Rebuilt; n8n loads it now.');
	};

	let timer: NodeJS.Timeout | undefined;
	let building = Promise.resolve();
	const plan = () => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			building = building.then(build).catch((error: { stderr?: string; message: string }) => {
				console.log(`The build failed; n8n keeps the last one.\n${error.stderr || error.message}`);
			});
		}, 100);
	};

	for (const folder of ['nodes', 'credentials'])
		watch(join(projectFolder, folder), { recursive: true }, plan);
	console.log(`Each saved source is loaded. A debugger reaches n8n at ${DEBUGGER}.`);
}

main().catch((error: Error) => {
	console.error(`\n${error.message}`);
	process.exit(1);
});
