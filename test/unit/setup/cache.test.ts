import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { waitFor } from '../../../host/waiting';

const cache = pathToFileURL(join(__dirname, '..', '..', '..', 'tools', 'setup', 'cache.mjs')).href;
const folder = mkdtempSync(join(tmpdir(), 'cache-'));
const installed = join(folder, 'tool');
const began = join(folder, 'began');
const mayEnd = join(folder, 'mayEnd');

interface Installing {
	child: ChildProcess;
	/** All that it has said. */
	said: string;
	ended: Promise<number | null>;
}

const started: Installing[] = [];

afterEach(async () => {
	for (const { child, ended } of started.splice(0)) {
		child.kill('SIGKILL');
		await ended;
	}
	for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

/** A process of its own that installs: it notes that it has begun, waits until it may end, and writes the file `done`. */
function startInstalling(): Installing {
	const program = `
		import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
		import { setTimeout as pause } from 'node:timers/promises';
		import { installOnce } from '${cache}';
		await installOnce(${JSON.stringify(installed)}, async (partial) => {
			writeFileSync(partial + '/begun', '');
			appendFileSync(${JSON.stringify(began)}, 'x');
			for (let looks = 0; !existsSync(${JSON.stringify(mayEnd)}); looks++) {
				if (looks === 1500) throw new Error('Nobody lets the installation end.');
				await pause(20);
			}
			writeFileSync(partial + '/done', '');
		});`;
	const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
	const installing: Installing = { child, said: '', ended };
	child.stdout.on('data', (chunk: Buffer) => (installing.said += chunk.toString()));
	started.push(installing);
	return installing;
}

it('does not take an interrupted installation for finished, and clears it away', async () => {
	const { child, ended } = startInstalling();
	await waitFor('the installation to begin', () => existsSync(began));
	child.kill('SIGKILL');
	await ended;
	expect(existsSync(installed)).toBe(false);

	writeFileSync(mayEnd, '');
	expect(await startInstalling().ended).toBe(0);
	expect(readdirSync(installed).sort()).toEqual(['begun', 'done']);
	expect(readdirSync(folder).sort()).toEqual(['began', 'mayEnd', 'tool']);
});

it('installs once when two ask at the same time', async () => {
	const first = startInstalling();
	await waitFor('the first one to begin', () => existsSync(began));
	const second = startInstalling();
	await waitFor('the second one to wait', () => second.said.includes('waiting for it to finish'));
	writeFileSync(mayEnd, '');
	expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
	expect(readFileSync(began, 'utf8')).toBe('x');
	expect(existsSync(join(installed, 'done'))).toBe(true);
});
