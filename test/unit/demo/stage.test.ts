import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Stage from '../../../tools/demo/stage';
import { putAmong } from '../aroundScript';

// What is started and stopped for the demo, in which order, around parts that say so.

const script = join('tools', 'demo', 'stage.ts');
const part = (name: string) => `{
	stop: async () => void (globalThis.told.push('stops ${name}')),
}`;
const starting = (what: string, name: string, more = '') => `
	export const ${what} = async (options) => {
		globalThis.told.push('starts ${name}');
		globalThis.given.${name} = options;
		${more}
		if (globalThis.bad === '${name}') throw new Error('No ${name}');
		return { ...${part(name)}, pageUrl: 'http://phone' };
	};`;
const folder = putAmong(script, {
	'host/n8n.ts': starting('startN8n', 'n8n'),
	'host/owner.ts':
		"export const OWNER = { email: 'ana@example.com', firstName: 'Ana', lastName: 'Souza' };",
	'host/places.ts': 'export const findPlace = () => __dirname;',
	'simulator/index.ts': `
		export const makeNumbers = (count) => Array.from({ length: count }, () => ({ phone: '1' }));
		${starting('startSimulator', 'gateway')}`,
	'tools/demo/furnish.ts': `
		export const furnish = async () => {
			if (globalThis.bad === 'furniture') throw new Error('No furniture');
			return { api: 'the api' };
		};`,
	'tools/demo/note.ts': `
		export const readNote = () => ({ password: 'p', passwordHash: 'h', n8nUrls: ['http://127.0.0.1:1', 'http://127.0.0.1:5'] });
		export const keepNote = (_folder, { n8nUrls }) => void globalThis.told.push('keeps ' + n8nUrls.join());`,
	'tools/demo/ports.ts': `
		export const USUAL_PORTS = { n8n: 1, gateway: 2, standIns: 3, smtp: 4, redis: 5 };
		export const choosePorts = async (wanted) => ({ ports: wanted, taken: [{ what: 'n8n' }] });`,
	'tools/demo/standIns/index.ts': starting('startStandIns', 'standIns'),
});

const world = globalThis as unknown as {
	told: string[];
	given: Record<string, Record<string, unknown>>;
	bad?: string;
};
let openStage: typeof Stage.openStage;
let data: string;

beforeAll(() => {
	({ openStage } = require(join(folder, script)) as typeof Stage);
});
beforeEach(() => {
	data = mkdtempSync(join(tmpdir(), 'stage-'));
	Object.assign(world, { told: [], given: {}, bad: undefined });
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const running = () => join(data, 'running.json');
const STARTED = [
	'starts gateway',
	'starts standIns',
	'keeps http://127.0.0.1:1,http://127.0.0.1:5',
	'starts n8n',
];
const STOPPED = ['stops n8n', 'stops standIns', 'stops gateway'];

it('n8n comes last and goes first, with an address that was noted before; while it runs, that is noted', async () => {
	const stage = await openStage({ folder: data, env: { BREAD: 'rye' } });
	expect(world.told).toEqual(STARTED);
	expect(stage).toMatchObject({
		api: 'the api',
		folder: data,
		password: 'p',
		takenPorts: [{ what: 'n8n' }],
	});
	expect(world.given).toMatchObject({
		gateway: {
			port: 2,
			dataFile: join(data, 'gateway.json'),
			demoMessages: true,
			furtherNumbers: [{ name: 'Café Aurora' }, { name: 'Empório Aurora' }],
		},
		standIns: { folder: data, port: 3, smtpPort: 4, redisPort: 5, phoneUrl: 'http://phone' },
		n8n: {
			folder: join(data, 'n8n'),
			port: 1,
			env: {
				N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
				N8N_INSTANCE_OWNER_EMAIL: 'ana@example.com',
				N8N_INSTANCE_OWNER_PASSWORD_HASH: 'h',
				BREAD: 'rye',
			},
		},
	});
	expect(JSON.parse(readFileSync(running(), 'utf8'))).toEqual({ pid: process.pid });
	await stage.stop();
	expect(world.told).toEqual([...STARTED, ...STOPPED]);
	expect(existsSync(running())).toBe(false);
	await stage.stop();
	expect(world.told).toHaveLength(STARTED.length + STOPPED.length);
});

it.each([
	['gateway', []],
	['standIns', ['stops gateway']],
	['n8n', ['stops standIns', 'stops gateway']],
	['furniture', STOPPED],
])('without %s, all that has started stops, and the next start is free', async (bad, stopped) => {
	world.bad = bad;
	await expect(openStage({ folder: data })).rejects.toThrow(`No ${bad}`);
	expect(world.told.filter((line) => line.startsWith('stops'))).toEqual(stopped);
	expect(existsSync(running())).toBe(false);
});

it('two demos do not share their data', async () => {
	writeFileSync(running(), JSON.stringify({ pid: process.pid }));
	await expect(openStage({ folder: data })).rejects.toThrow(
		`The demo is running already (process ${process.pid})`,
	);
	expect(world.told).toEqual([]);
	expect(existsSync(running())).toBe(true);
});

it('the process of somebody else is running, too', async () => {
	jest.spyOn(process, 'kill').mockImplementation(() => {
		throw Object.assign(new Error('not yours'), { code: 'EPERM' });
	});
	writeFileSync(running(), '{"pid":1}');
	await expect(openStage({ folder: data })).rejects.toThrow('running already');
	jest.restoreAllMocks();
});

it('a demo that was killed is not running', async () => {
	const { pid } = spawnSync('true');
	writeFileSync(running(), JSON.stringify({ pid }));
	const stage = await openStage({ folder: data });
	await stage.stop();
});
