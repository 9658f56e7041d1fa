import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { cacheFolder } from './cache.mjs';
import { logIn, run, step } from './progress.mjs';

/** The Node that n8n 2.36 and later run on; a newer major may lack the prebuilt native modules. */
export const NODE_MAJOR = 24;

/** The one that is fetched where another Node runs this. npm checks it against the registry's hash of this version. */
const NODE_VERSION = '24.21.0';

/**
 * Finds the Node that everything runs on: the one running this, or else the one that npm has as a package.
 * @returns the path of its executable
 */
export async function findNode24() {
	if (Number(process.versions.node.split('.')[0]) === NODE_MAJOR) return process.execPath;
	const note = join(cacheFolder, `node-${NODE_VERSION}.path`);
	if (existsSync(note) && existsSync(readFileSync(note, 'utf8'))) return readFileSync(note, 'utf8');
	return await step(
		`Getting Node ${NODE_VERSION} (you have ${process.versions.node})`,
		'under 1 minute',
		async () => {
			const ask = [
				'--yes',
				`--package=node@${NODE_VERSION}`,
				'--',
				'node',
				'-p',
				'process.execPath',
			];
			const output = await run('npx', ask, {
				cwd: cacheFolderMade(),
				log: logIn(cacheFolder, 'node'),
			});
			const path = output.trim().split('\n').at(-1);
			writeFileSync(note, path);
			return path;
		},
	);
}

/** The environment in which `node`, `npm` and everything they start are those of the given Node. */
export function environmentFor(node) {
	const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
	// Native modules that are compiled find the headers beside the Node that is installed here: no download.
	const prefix = dirname(dirname(process.execPath));
	if (!env.npm_config_nodedir && existsSync(join(prefix, 'include', 'node', 'node_api.h'))) {
		env.npm_config_nodedir = prefix;
	}
	return env;
}

function cacheFolderMade() {
	mkdirSync(cacheFolder, { recursive: true });
	return cacheFolder;
}
