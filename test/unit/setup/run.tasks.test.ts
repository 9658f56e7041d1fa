import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { waitFor } from '../../../host/waiting';

// The tasks, around a set-up that says what it would prepare, and a Node that says what it would run.

const folder = mkdtempSync(join(tmpdir(), 'tasks-'));
const setup = join(folder, 'tools', 'setup');
const node = join(folder, 'bin', 'node');
const run = join(setup, 'run.mjs');
const answers = (name: string, place: string) =>
	`export const ${name} = async () => { console.log('needs ${place}'); return process.env.WITHOUT === '${place}' ? undefined : '/${place}'; };`;

beforeAll(() => {
	for (const file of ['run.mjs', 'usage.mjs', 'progress.mjs', 'cache.mjs'])
		cpSync(join(projectFolder, 'tools', 'setup', file), join(setup, file));
	const files = {
		'node24.mjs': `
			export const environmentFor = () => process.env;
			export const findNode24 = async () => '${node}';`,
		'project.mjs': `
			export const projectFolder = '${folder}';
			export const installPackages = async () => console.log('needs packages');
			export const buildPackage = async () => console.log('needs build');
			export const rememberPlaces = (places) => console.log('notes', JSON.stringify(places));`,
		'newest.mjs': answers('prepareNewest', 'newest'),
		'officialImage.mjs': answers('prepareOfficialImage', 'image'),
		'tools.mjs': [
			answers('prepareN8n', 'n8n'),
			answers('prepareOldestN8n', 'oldest'),
			answers('prepareVerification', 'verification'),
			answers('prepareChromium', 'chromium'),
			answers('prepareHaproxy', 'haproxy'),
			answers('prepareRedis', 'redis'),
			answers('preparePostgres', 'postgres'),
		].join('\n'),
	};
	for (const [name, text] of Object.entries(files)) writeFileSync(join(setup, name), text);
	mkdirSync(join(folder, 'bin'));
	writeFileSync(
		node,
		'#!/bin/sh\necho "runs $*"\ntrap "echo ended; exit 7" TERM\n[ -z "$HANGS" ] || while :; do sleep 0.05; done\n',
		{ mode: 0o755 },
	);
});

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

function start(args: string[], env: Record<string, string> = {}) {
	const { status, stdout } = spawnSync(process.execPath, [run, ...args], {
		encoding: 'utf8',
		timeout: 60_000,
		env: { ...process.env, ...env },
	});
	const read = (word: string) =>
		[...stdout.matchAll(new RegExp(`^${word} (.+)$`, 'gm'))].map(([, said]) => said);
	return { status, needs: read('needs').slice(1), notes: read('notes'), runs: read('runs') };
}

const SUITE = 'tools/setup/suite.mjs';

it.each([
	['demo', ['build', 'n8n'], '--import tsx tools/demo/start.ts'],
	['dev', ['build', 'n8n'], '--import tsx tools/demo/develop.ts'],
	['test', ['verification', 'chromium'], '--import tsx tools/verification/verify.ts'],
	[
		'lint',
		['verification'],
		'--import tsx tools/verification/verify.ts types format lint description scan',
	],
	['e2e', ['build', 'n8n', 'chromium'], `${SUITE} e2e --maxWorkers=2`],
	['e2e:weekly', ['build', 'n8n', 'chromium'], `${SUITE} weekly --maxWorkers=2`],
	['e2e:queue', ['build', 'n8n', 'chromium', 'redis', 'postgres'], `${SUITE} queue --runInBand`],
	['e2e:alone', ['build', 'n8n', 'haproxy'], `${SUITE} alone --runInBand`],
	['compat', ['build', 'n8n', 'oldest', 'chromium'], `${SUITE} compat --runInBand`],
	['compat:newest', ['build', 'n8n', 'newest'], `${SUITE} newest --runInBand`],
	['compat:image', ['build', 'n8n', 'image'], `${SUITE} newest --runInBand main`],
	['release:check', ['build', 'n8n', 'verification'], '--import tsx tools/release/check.ts'],
	['release:keep', ['build'], '--import tsx tools/release/keep.ts'],
	['pictures', ['build', 'n8n', 'chromium'], '--import tsx tools/pictures/take.ts'],
	['bench', ['build', 'n8n'], '--import tsx tools/bench/run.ts'],
])('%s needs %j', (task, needs, runs) => {
	expect(start([task])).toMatchObject({ status: 0, needs, runs: [runs] });
});

it('what was prepared is noted under the name by which it is found', () => {
	const notes = [...start(['e2e:queue']).notes, ...start(['compat:image']).notes];
	const places = Object.assign({}, ...notes.map((note) => JSON.parse(note) as object)) as object;
	expect(places).toEqual({
		cache: expect.stringContaining('n8n-nodes-messaging-gateway'),
		n8n: '/n8n',
		chromium: '/chromium',
		redis: '/redis',
		postgres: '/postgres',
		n8nNewest: '/image',
	});
});

it('hands its further arguments on', () => {
	expect(start(['e2e', '--', '-t', 'bread']).runs).toEqual([
		`${SUITE} e2e --maxWorkers=2 -- -t bread`,
	]);
});

it('runs nothing and passes where there is no newer n8n', () => {
	expect(start(['compat:newest'], { WITHOUT: 'newest' })).toMatchObject({ status: 0, runs: [] });
});

it('ends the task when it is asked to end, and as the task does', async () => {
	const child = spawn(process.execPath, [run, 'demo'], {
		env: { ...process.env, HANGS: 'yes' },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let said = '';
	child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
	const ended = new Promise((resolve) => child.once('close', resolve));
	await waitFor('the task to run', () => said.includes('runs '));
	child.kill('SIGTERM');
	expect(await ended).toBe(7);
	expect(said).toContain('ended\n');
});
