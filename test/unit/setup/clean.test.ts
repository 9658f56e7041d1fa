import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const folder = mkdtempSync(join(tmpdir(), 'clean-'));
const project = join(folder, 'project');
const cache = join(folder, 'cache');

const OURS = [
	'cache/demo/n8n/database.sqlite',
	'cache/n8n-0123-node24/node_modules/x.js',
	'cache/verification-4567-node24/x.js',
	'cache/logs/x.log',
	'cache/node24.path',
	'project/node_modules/x/x.js',
	'project/dist/bundle.js',
];
const OTHERS = ['cache/photos/holiday.jpg', 'project/README.md', 'project/nodes/x.ts'];

beforeEach(() => {
	for (const path of [...OURS, ...OTHERS]) {
		mkdirSync(join(folder, path, '..'), { recursive: true });
		writeFileSync(join(folder, path), 'x'.repeat(2_000_000));
	}
	const setup = join(__dirname, '..', '..', '..', 'tools', 'setup');
	cpSync(setup, join(project, 'tools', 'setup'), { recursive: true });
});

afterEach(() => {
	for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true }));

/** How the last one ended. */
let code: number | null;

/** Answers all that it said. */
async function clean(...args: string[]): Promise<string> {
	const script = join(project, 'tools', 'setup', 'clean.mjs');
	const child = spawn(process.execPath, [script, ...args], {
		env: { ...process.env, MESSAGING_GATEWAY_CACHE: cache },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const ended = once(child, 'close');
	const said = await Promise.all([text(child.stdout), text(child.stderr)]);
	[code] = (await ended) as [number | null];
	return said.join('');
}

const remaining = (paths: string[]) => paths.filter((path) => existsSync(join(folder, path)));

it('names what it would delete with sizes, and deletes nothing where nobody agrees', async () => {
	const said = await clean();
	for (const name of [
		'demo',
		'n8n-0123-node24',
		'verification-4567-node24',
		'node_modules',
		'dist',
	])
		expect(said).toMatch(new RegExp(`2 MB  \\S+/${name}  \\(`));
	expect(said).toMatch(/14 MB {2}in all/);
	expect(said).toContain('npm run clean -- --yes');
	expect(remaining(OURS)).toEqual(OURS);
	expect(code).toBe(0);
});

it('deletes what is ours, and nothing else', async () => {
	const said = await clean('--yes');
	expect(said).toContain('npm cache clean --force');
	expect(remaining(OURS)).toEqual([]);
	expect(remaining(OTHERS)).toEqual(OTHERS);
	expect(await clean('--yes')).toContain('There is nothing to delete');
	expect(code).toBe(0);
});

it('takes its own folder away too, once nothing of anybody is in it', async () => {
	rmSync(join(cache, 'photos'), { recursive: true });
	await clean('--yes');
	expect(existsSync(cache)).toBe(false);
});

it('tells big sizes in gigabytes', async () => {
	// Stands in for the program that weighs folders.
	const bin = join(folder, 'bin');
	mkdirSync(bin);
	writeFileSync(join(bin, 'du'), '#!/bin/sh\nprintf "976562\\t$2\\n"\n', { mode: 0o755 });
	const { PATH } = process.env;
	process.env.PATH = `${bin}:${PATH}`;
	const said = await clean().finally(() => (process.env.PATH = PATH));
	expect(said).toMatch(/^ 1000 MB {2}\S+\/demo {2}/m);
	expect(said).toMatch(/^ {2}7\.0 GB {2}in all$/m);
});

it('takes nothing from under a running demo', async () => {
	writeFileSync(join(cache, 'demo', 'running.json'), JSON.stringify({ pid: process.pid }));
	expect(await clean('--yes')).toContain('The demo is running');
	expect(code).toBe(1);
	expect(remaining(OURS)).toEqual(OURS);
});

it('takes no demo for running whose process is gone', async () => {
	const gone = spawn('true');
	await once(gone, 'close');
	writeFileSync(join(cache, 'demo', 'running.json'), JSON.stringify({ pid: gone.pid }));
	await clean('--yes');
	expect(remaining(OURS)).toEqual([]);
});
