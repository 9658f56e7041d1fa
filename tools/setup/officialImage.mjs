import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache.mjs';
import { logIn, run, SetupError } from './progress.mjs';
import { projectFolder } from './project.mjs';

const IMAGE = 'docker.n8n.io/n8nio/n8n';

/**
 * The newest n8n as its official image: npm has none after n8n 2. Answers a folder in which n8n seems to be installed;
 * what is run there starts the image. It needs Docker on Linux.
 */
export async function prepareOfficialImage(env) {
	await run('docker', ['pull', IMAGE], { env, log: logIn(cacheFolder, 'n8n-image') }).catch(
		(cause) => {
			throw new SetupError(`The image ${IMAGE} cannot be had.\n${cause.message}`);
		},
	);
	const folder = join(cacheFolder, 'n8n-image');
	const bin = join(folder, 'node_modules', 'n8n', 'bin');
	mkdirSync(bin, { recursive: true });
	copyFileSync(join(projectFolder, 'tools', 'setup', 'runOfficialImage.cjs'), join(bin, 'n8n'));
	return folder;
}
