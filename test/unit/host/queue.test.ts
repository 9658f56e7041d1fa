import { join } from 'node:path';
import type * as Queue from '../../../host/queue';
import { putAmong } from '../aroundScript';

// The parts of n8n in queue mode, each of which says what is done with it.

const script = join('host', 'queue.ts');
const beside = (what: string, name: string, more: string) => `
	export const ${what} = async (options) => {
		globalThis.told.push('${name} ' + JSON.stringify(options ?? null));
		if (globalThis.bad === '${name}') throw new Error('No ${name}');
		return { ${more}, stop: async () => void globalThis.told.push('stops ${name}') };
	};`;
const folder = putAmong(script, {
	'host/redis.ts': beside('startRedis', 'redis', 'port: 11'),
	'host/postgres.ts': `export const POSTGRES_USER = 'n8n';
		${beside('startPostgres', 'postgres', 'port: 22')}`,
	'host/proxy.ts': beside(
		'startProxy',
		'proxy',
		"url: 'http://proxy:33', spread: (parts) => (globalThis.spread = parts)",
	),
	'host/n8n.ts': `
		export const startN8n = async ({ command = 'main', ...options }) => {
			const at = globalThis.count++;
			const name = command + ' ' + at;
			const tell = (what) => async () => void globalThis.told.push(what + ' ' + name);
			globalThis.given.push({ command, ...options });
			globalThis.told.push('starts ' + name);
			if (globalThis.bad === name) throw new Error('No ' + name);
			return {
				url: 'http://' + command + ':' + at,
				folder: '/' + name,
				pid: 100 + at,
				isRunning: () => globalThis.ended !== name,
				log: () => 'log of ' + name,
				memory: () => 10 ** at,
				computing: () => 2 * 10 ** at,
				command: async (...args) => name + ' ' + args,
				shutDown: tell('shuts down'),
				kill: tell('kills'),
				start: tell('starts again'),
				stop: tell('stops'),
			};
		};`,
});

const world = globalThis as unknown as {
	told: string[];
	given: Array<{ command: string; commandArgs?: string[]; env: Record<string, string> }>;
	count: number;
	bad?: string;
	ended?: string;
	spread?: object;
};
let startQueueN8n: typeof Queue.startQueueN8n;

beforeAll(() => {
	({ startQueueN8n } = require(join(folder, script)) as typeof Queue);
});
beforeEach(() => {
	Object.assign(world, { told: [], given: [], count: 0, bad: undefined, ended: undefined });
});

const PARTS = ['main 0', 'webhook 1', 'webhook 2', 'worker 3', 'worker 4'];
const beginning = (what: string) =>
	world.told.flatMap((line) => (line.startsWith(`${what} `) ? [line.slice(what.length + 1)] : []));

it('starts what it needs, then the main process, and then the others, all with the same databases', async () => {
	await startQueueN8n({ redis: { durable: false }, env: { BREAD: 'rye' } });
	expect(world.told.slice(0, 3).sort()).toEqual([
		'postgres null',
		'proxy null',
		'redis {"durable":false}',
	]);
	expect(beginning('starts')).toEqual(PARTS);
	for (const { env } of world.given)
		expect(env).toMatchObject({
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_PORT: '11',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_PORT: '22',
			DB_POSTGRESDB_USER: 'n8n',
			DB_POSTGRESDB_DATABASE: 'n8n',
			N8N_WEBHOOK_URL: 'http://proxy:33/',
			BREAD: 'rye',
		});
	const onlyTakesNone = world.given.map(({ env }) => env.N8N_DISABLE_PRODUCTION_MAIN_PROCESS);
	expect(onlyTakesNone).toEqual(['true', ...Array(4).fill(undefined)]);
	expect(world.given.map(({ commandArgs }) => commandArgs?.join())).toEqual([
		...Array(3).fill(undefined),
		...Array(2).fill('--concurrency=10'),
	]);
	expect(world.spread).toEqual({
		main: 'http://main:0',
		processors: ['http://webhook:1', 'http://webhook:2'],
		by: 'turn',
	});
});

it('has as many processors as wanted, and spreads by what is wanted', async () => {
	await startQueueN8n({ processors: 1, spreadBy: 'event' });
	expect(beginning('starts')).toEqual(['main 0', 'webhook 1', 'worker 2', 'worker 3']);
	expect(world.spread).toMatchObject({ processors: ['http://webhook:1'], by: 'event' });
});

it('looks like one n8n, behind the proxy', async () => {
	const n8n = await startQueueN8n();
	expect(n8n).toMatchObject({ url: 'http://proxy:33', port: 33, folder: '/main 0', pid: 100 });
	expect([n8n.memory(), n8n.computing()]).toEqual([11_111, 22_222]);
	expect(n8n.log().split('\n')).toEqual(PARTS.map((name) => `log of ${name}`));
	expect(await n8n.command('export')).toBe('main 0 export');
	expect(n8n.isRunning()).toBe(true);
	world.ended = 'worker 4';
	expect(n8n.isRunning()).toBe(false);
});

it('shuts down, is killed and starts with all of its parts, the main process first', async () => {
	const n8n = await startQueueN8n();
	await n8n.kill();
	expect(beginning('kills').sort()).toEqual(PARTS);
	await n8n.restart();
	expect(beginning('shuts down').sort()).toEqual(PARTS);
	expect(beginning('starts again')[0]).toBe('main 0');
	expect(beginning('starts again').sort()).toEqual(PARTS);
	const last = world.told.findLastIndex((line) => line.startsWith('shuts'));
	expect(world.told.findIndex((line) => line.startsWith('starts again'))).toBeGreaterThan(last);
});

it('stops what depends on others first, once', async () => {
	const n8n = await startQueueN8n();
	await n8n.stop();
	const stopped = beginning('stops');
	expect(stopped).toHaveLength(8);
	expect(stopped.slice(0, 4).sort()).toEqual(PARTS.slice(1));
	expect(stopped[4]).toBe('main 0');
	expect(stopped.slice(5).sort()).toEqual(['postgres', 'proxy', 'redis']);
	await n8n.stop();
	expect(beginning('stops')).toHaveLength(8);
});

it.each([
	['redis', ['postgres', 'proxy']],
	['main 0', ['postgres', 'proxy', 'redis']],
	['webhook 1', ['main 0', 'postgres', 'proxy', 'redis', 'webhook 2']],
	['worker 4', ['main 0', 'postgres', 'proxy', 'redis', 'webhook 1', 'webhook 2', 'worker 3']],
])('without %s, all that has started stops', async (bad, stopped) => {
	world.bad = bad;
	await expect(startQueueN8n()).rejects.toThrow(`No ${bad}`);
	expect(beginning('stops').sort()).toEqual(stopped);
});
