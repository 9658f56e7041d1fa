import { execFile } from 'node:child_process';
import { cpSync, watch } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { communityPackageFolder } from '../../host/packages';
import { projectFolder } from '../../host/places';
import { findFreePort } from '../../host/ports';
import { introduce, stopOnSignal } from './present';
import { openStage } from './stage';

const execute = promisify(execFile);
const SETTLE_MS = 100;

const { values } = parseArgs({ options: { data: { type: 'string' } } });

/** The demo, with the package rebuilt on every save and reloaded by n8n: the open editor shows the change. */
async function main(): Promise<void> {
	const started = Date.now();
	console.log('Starting the gateway and n8n (usually 10 to 20 seconds)');
	const debuggerAddress = `127.0.0.1:${await findFreePort()}`;
	const env = { N8N_DEV_RELOAD: 'true', NODE_OPTIONS: `--inspect=${debuggerAddress}` };
	const stage = await openStage({ folder: values.data, env });
	stopOnSignal(stage);
	console.log(introduce(stage, `${((Date.now() - started) / 1000).toFixed(1)} s`));
	watchSources(async () => await rebuild(stage.n8n.folder));
	console.log(
		`Waiting for changes in nodes and credentials. A debugger reaches n8n at ${debuggerAddress}.`,
	);
}

/** n8n watches where the package is installed, and loads its nodes anew when something changes there. */
async function rebuild(n8nUserFolder: string): Promise<void> {
	const started = Date.now();
	try {
		await execute(process.execPath, ['node_modules/gulp/bin/gulp.js', 'ship'], {
			cwd: projectFolder,
		});
		cpSync(
			join(projectFolder, 'dist'),
			join(communityPackageFolder(projectFolder, n8nUserFolder), 'dist'),
			{
				recursive: true,
			},
		);
		console.log(`Rebuilt (${((Date.now() - started) / 1000).toFixed(1)} s); n8n loads it now.`);
	} catch (error) {
		const { stdout, stderr, message } = error as Error & { stdout?: string; stderr?: string };
		console.log(`The build failed; n8n keeps what it has.\n${stdout || stderr || message}`);
	}
}

/** Runs the work soon after a save, once for saves that come together, and never twice at a time. */
function watchSources(work: () => Promise<void>): void {
	let timer: NodeJS.Timeout | undefined;
	let under = Promise.resolve();
	const plan = () => {
		clearTimeout(timer);
		timer = setTimeout(() => (under = under.then(work)), SETTLE_MS);
	};
	for (const folder of ['nodes', 'credentials'])
		watch(join(projectFolder, folder), { recursive: true }, plan);
}

main().catch((error: Error) => {
	console.error(`\n${error.message}`);
	process.exit(1);
});
