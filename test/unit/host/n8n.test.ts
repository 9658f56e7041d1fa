import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startN8n, type N8n, type N8nOptions } from '../../../host/n8n';
import { waitFor } from '../../../host/waiting';

// An n8n is started, watched and stopped: one that listens, ends or waits as told.

const installation = mkdtempSync(join(tmpdir(), 'installation-'));
const folder = mkdtempSync(join(tmpdir(), 'user-'));
const bin = join(installation, 'node_modules', 'n8n', 'bin');

const PROGRAM = `
const { appendFileSync, readFileSync } = require('node:fs');
const { createServer } = require('node:http');
const env = process.env;
const starts = env.N8N_USER_FOLDER + '/starts';
appendFileSync(starts, 'x');
console.log('started with', JSON.stringify(process.argv.slice(2)));
console.log('in', JSON.stringify(env));
if (process.argv[2] === 'export:workflow') process.exit(0);
for (let left = Number(env.FAILS ?? 0) - readFileSync(starts).length; left >= 0; left = -1) {
	for (let line = 0; line < 9; line++) console.log('the same again');
	console.log(env.LAST_WORDS);
	process.exit(3);
}
createServer(({ url }, response) => {
	const isKnown = url === '/healthz/readiness' || (url === '/rest/settings' && process.argv[2] === 'start');
	response.writeHead(isKnown ? 200 : 404).end();
}).listen(env.N8N_PORT, env.N8N_LISTEN_ADDRESS);
process.on('SIGTERM', () => { console.log('asked to end'); process.exit(0); });
`;

let n8n: N8n | undefined;

beforeAll(() => {
	mkdirSync(bin, { recursive: true });
	writeFileSync(join(bin, 'n8n'), PROGRAM);
});
afterEach(async () => {
	await n8n?.stop();
	n8n = undefined;
	for (const name of ['starts', 'n8n.log']) rmSync(join(folder, name), { force: true });
});
afterAll(() => {
	for (const each of [installation, folder]) rmSync(each, { recursive: true, force: true });
});

const start = async (options: N8nOptions = {}): Promise<N8n> =>
	(n8n = await startN8n({ installation, packages: [], ...options }));
const environment = ({ log }: N8n) =>
	JSON.parse(/^in (.*)$/m.exec(log())?.[1] ?? '{}') as NodeJS.ProcessEnv;
const countStarts = () => readFileSync(join(folder, 'starts'), 'utf8').length;

it('runs with data of its own, on a port of this machine alone, and takes its data along', async () => {
	process.env.SECRET_OF_THE_SHELL = 'x';
	const started = await start({ env: { BREAD: 'rye', N8N_HOST: undefined } });
	delete process.env.SECRET_OF_THE_SHELL;
	expect(started.log()).toContain('started with ["start"]');
	expect(environment(started)).toMatchObject({
		BREAD: 'rye',
		N8N_USER_FOLDER: started.folder,
		N8N_PORT: String(started.port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_WEBHOOK_URL: `${started.url}/`,
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
		N8N_DIAGNOSTICS_ENABLED: 'false',
	});
	expect(environment(started)).not.toHaveProperty('SECRET_OF_THE_SHELL');
	expect(environment(started)).not.toHaveProperty('N8N_HOST');
	expect((await fetch(`${started.url}/healthz/readiness`)).status).toBe(200);
	expect(started.memory()).toBeGreaterThan(2 ** 20);
	// Starting Node takes some hundredths of a second.
	expect(started.computing() % 10).toBe(0);
	expect(started.computing()).toBeGreaterThanOrEqual(10);
	await started.stop();
	expect(started.isRunning()).toBe(false);
	expect(existsSync(started.folder)).toBe(false);
});

it('leaves a folder that was named, and can go without the lazy engine', async () => {
	const started = await start({ folder, lazyExpressions: false });
	expect(environment(started)).not.toHaveProperty('N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE');
	await started.stop();
	expect(existsSync(folder)).toBe(true);
});

it('is another process after a restart, at the same address, and was asked to end before', async () => {
	const started = await start({ folder });
	const { pid, url } = started;
	await started.restart();
	expect(started.pid).not.toBe(pid);
	expect(started.log()).toContain('asked to end');
	expect((await fetch(`${url}/rest/settings`)).status).toBe(200);
	await started.kill();
	expect(started.isRunning()).toBe(false);
	expect(started.log().match(/asked to end/g)).toHaveLength(1);
});

it('of a queue mode is ready without an editor', async () => {
	const started = await start({ folder, command: 'worker', commandArgs: ['--concurrency=10'] });
	await waitFor('its first words', () =>
		started.log().includes('started with ["worker","--concurrency=10"]'),
	);
});

it('runs another command on its data, and gives what that prints', async () => {
	const started = await start({ folder });
	const told = await started.command('export:workflow', '--all');
	expect(told).toContain('started with ["export:workflow","--all"]');
	expect(told).toContain(`"N8N_USER_FOLDER":"${folder}"`);
});

const RECOVERING = 'TypeError at WorkflowStatisticsService.workflowExecutionCompleted';

it('that ends while it recovers is started again, as what runs n8n does', async () => {
	await start({ folder, env: { FAILS: '3', LAST_WORDS: RECOVERING } });
	expect(countStarts()).toBe(4);
	expect(n8n?.isRunning()).toBe(true);
});

it.each([
	['always ends while it recovers', RECOVERING, 5],
	['ends for another reason', 'No more memory', 1],
])('that %s does not start, and says why with the end of its log', async (_what, words, starts) => {
	const failed = start({ folder, env: { FAILS: '9', LAST_WORDS: words } });
	await expect(failed).rejects.toThrow(/^n8n did not start\. Its log ends with:\n/);
	const error = await failed.catch((cause: Error) => cause);
	expect((error as Error).message.match(/the same again/g)).toHaveLength(1);
	expect((error as Error).message).toContain(words);
	expect((error as Error).cause).toMatchObject({ message: 'n8n ended: 3.' });
	expect(countStarts()).toBe(starts);
});
