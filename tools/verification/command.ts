import { spawn, type ChildProcess } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { projectFolder } from '../../host/places';

type Stream = 'stdout' | 'stderr';

/** What a check found wrong, in the words of the tool that looked. */
export class Finding extends Error {}

const running = new Set<ChildProcess>();

// Whoever ends only this process means what it runs as well.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => {
		for (const child of running) child.kill(signal);
		process.kill(process.pid, signal);
	});
}

/**
 * Runs a command to its end, in the checkout unless told otherwise.
 * @param told which of its two streams tells what came of it; both unless told otherwise
 * @returns what it printed there, without colours
 * @throws Finding with the same when the command fails, or with the other stream if it printed nothing there
 */
export function execute(
	command: string,
	args: string[],
	{ cwd = projectFolder, told = ['stdout', 'stderr'] }: { cwd?: string; told?: Stream[] } = {},
): Promise<string> {
	const env = { ...process.env, npm_config_loglevel: 'error' };
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
		running.add(child);
		const printed: Array<{ stream: Stream; chunk: Buffer }> = [];
		for (const stream of ['stdout', 'stderr'] as const)
			child[stream].on('data', (chunk: Buffer) => printed.push({ stream, chunk }));
		const read = (streams: Stream[]) => {
			const chunks = printed.filter(({ stream }) => streams.includes(stream));
			const text = Buffer.concat(chunks.map(({ chunk }) => chunk)).toString();
			return stripVTControlCharacters(text).trim();
		};
		child.once('error', reject);
		child.once('close', (code) => {
			running.delete(child);
			const output = read(told);
			if (code === 0) resolve(output);
			else reject(new Finding(output || read(['stdout', 'stderr'])));
		});
	});
}
