import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { projectFolder } from '../../test/host/places';

/** What a check found wrong, in the words of the tool that looked. */
export class Finding extends Error {}

/**
 * Runs a command to its end, in the checkout unless told otherwise.
 * @returns what it printed, without colours
 * @throws Finding with the same when the command fails
 */
export function execute(
	command: string,
	args: string[],
	{
		cwd = projectFolder,
		told = 'everything',
	}: { cwd?: string; told?: 'everything' | 'stderr' } = {},
): Promise<string> {
	const env = { ...process.env, npm_config_loglevel: 'error' };
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
		const chunks: Buffer[] = [];
		child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
		child.stdout.on('data', (chunk: Buffer) => told === 'everything' && chunks.push(chunk));
		child.once('error', reject);
		child.once('close', (code) => {
			const output = stripVTControlCharacters(Buffer.concat(chunks).toString()).trim();
			if (code === 0) resolve(output);
			else reject(new Finding(output));
		});
	});
}
