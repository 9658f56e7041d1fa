import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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

describe('a lock that is left over', () => {
	const lock = `${installed}.lock`;
	beforeEach(() => writeFileSync(mayEnd, ''));

	it('by a process that is gone is taken over at once', async () => {
		const gone = spawn('true');
		await once(gone, 'exit');
		writeFileSync(lock, String(gone.pid));
		expect(await startInstalling().ended).toBe(0);
		expect(readdirSync(folder).sort()).toEqual(['began', 'mayEnd', 'tool']);
	});

	it('by one whose number somebody else has now is taken over when nobody has refreshed it', async () => {
		writeFileSync(lock, String(process.pid));
		const second = startInstalling();
		await waitFor('it to wait', () => second.said.includes('waiting for it to finish'));
		expect(existsSync(began)).toBe(false);
		utimesSync(lock, new Date(), new Date(Date.now() - 61_000));
		expect(await second.ended).toBe(0);
	});
});

it('an installation that fails leaves no lock and no folder, and the next one begins anew', async () => {
	const program = `
		import { installOnce } from '${cache}';
		await installOnce(${JSON.stringify(installed)}, () => { throw new Error('burnt'); })
			.catch(({ message }) => { if (message !== 'burnt') throw new Error(message); });`;
	const failing = spawn(process.execPath, ['--input-type=module', '-e', program]);
	expect(await once(failing, 'exit')).toEqual([0, null]);
	expect(existsSync(installed)).toBe(false);
	expect(existsSync(`${installed}.lock`)).toBe(false);
	writeFileSync(mayEnd, '');
	expect(await startInstalling().ended).toBe(0);
});

it('contents have the same name only if they are the same, piece by piece', async () => {
	const program = `
		import { hashOf } from '${cache}';
		console.log(JSON.stringify([['a', 'b'], ['ab'], ['a', 'b', ''], ['b', 'a'], ['a', 'b']].map((each) => hashOf(...each))));`;
	const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
	const names = JSON.parse(await text(child.stdout)) as string[];
	for (const name of names) expect(name).toMatch(/^[0-9a-f]{12}$/);
	expect(new Set(names).size).toBe(4);
	expect(names.at(-1)).toBe(names[0]);
});
