import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { waitFor } from '../../host/waiting';

const cache = pathToFileURL(join(__dirname, '..', '..', '..', 'tools', 'setup', 'cache.mjs')).href;
const folder = mkdtempSync(join(tmpdir(), 'cache-'));
const installed = join(folder, 'tool');
const began = join(folder, 'began');

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

/** A process of its own that installs: it notes that it has begun, takes its time, and writes the file `done`. */
function startInstalling(milliseconds: number): {
	child: ChildProcess;
	ended: Promise<number | null>;
} {
	const program = `
		import { appendFileSync, writeFileSync } from 'node:fs';
		import { setTimeout as pause } from 'node:timers/promises';
		import { installOnce } from '${cache}';
		await installOnce(${JSON.stringify(installed)}, async (partial) => {
			writeFileSync(partial + '/begun', '');
			appendFileSync(${JSON.stringify(began)}, 'x');
			await pause(${milliseconds});
			writeFileSync(partial + '/done', '');
		});`;
	const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
		stdio: 'inherit',
	});
	return { child, ended: new Promise((resolve) => child.once('exit', (code) => resolve(code))) };
}

it('does not take an interrupted installation for finished, and clears it away', async () => {
	const { child, ended } = startInstalling(60_000);
	await waitFor('the installation to begin', () => existsSync(began));
	child.kill('SIGKILL');
	await ended;
	expect(existsSync(installed)).toBe(false);

	expect(await startInstalling(0).ended).toBe(0);
	expect(readdirSync(installed).sort()).toEqual(['begun', 'done']);
	expect(readdirSync(folder).sort()).toEqual(['began', 'tool']);
});

it('installs once when two ask at the same time', async () => {
	rmSync(installed, { recursive: true });
	rmSync(began);
	expect(await Promise.all([startInstalling(500).ended, startInstalling(500).ended])).toEqual([
		0, 0,
	]);
	expect(readFileSync(began, 'utf8')).toBe('x');
	expect(existsSync(join(installed, 'done'))).toBe(true);
});
