import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startN8n, type N8n } from './n8n';
import { findPlace } from './places';
import { accepts, findFreePort } from './ports';
import { startProgram, type SpawnedProcess } from './processes';
import { waitFor } from './waiting';

/** n8n in queue mode: the main process with the editor and its API, whose address this is, and the parts beside it. */
export interface QueueN8n extends N8n {
	/** They receive the deliveries, and put executions into the queue. */
	processors: N8n[];
	/** Runs the executions. */
	worker: N8n;
	redis: Awaited<ReturnType<typeof startRedis>>;
}

/**
 * Starts Redis, a main process, a worker and webhook processors, on one SQLite database unless `env` names another.
 * @param ports where the webhook processors listen: one by default
 * @param publicPort where the deliveries go: that of the first webhook processor unless given
 * @param ownWorker for a worker with an empty folder of its own: its settings beside `env`
 */
export async function startQueueN8n({
	env = {},
	ports,
	publicPort,
	ownWorker,
}: {
	env?: NodeJS.ProcessEnv;
	ports?: number[];
	publicPort?: number;
	ownWorker?: NodeJS.ProcessEnv;
} = {}): Promise<QueueN8n> {
	const parts: Array<{ stop(): Promise<void> }> = [];
	const open = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
		const part = await starting;
		parts.unshift(part);
		return part;
	};
	const stop = async () => {
		for (const part of parts.splice(0)) await part.stop();
	};

	try {
		const redis = await open(startRedis());
		const chosen = ports ?? [await findFreePort()];
		const common = {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			N8N_WEBHOOK_URL: `http://127.0.0.1:${publicPort ?? chosen[0]}/`,
			...env,
		};

		// The main process makes the tables and has the package installed.
		const main = await open(startN8n({ env: common }));
		const beside = { folder: main.folder, packages: [], env: common };
		const processors: N8n[] = [];
		for (const port of chosen) {
			processors.push(await open(startN8n({ ...beside, command: 'webhook', port })));
		}

		const own = ownWorker && { folder: undefined, env: { ...common, ...ownWorker } };
		const worker = await open(startN8n({ ...beside, ...own, command: 'worker' }));
		return Object.assign(main, { processors, worker, redis, stop });
	} catch (error) {
		await stop();
		throw error;
	}
}

/** A Redis of its own, whose data outlive a kill. */
async function startRedis() {
	const folder = mkdtempSync(join(tmpdir(), 'redis-'));
	const port = await findFreePort();
	const args = [
		'--bind',
		'127.0.0.1',
		'--port',
		String(port),
		'--dir',
		folder,
		'--save',
		'',
		'--appendonly',
		'yes',
	];

	let running: SpawnedProcess;
	const redis = {
		port,
		async start() {
			running = startProgram(findPlace('redis'), args, join(folder, 'redis.log'));
			await waitFor('Redis to start', async () => await accepts(port));
		},
		kill: async () => await running.kill(),
		async stop() {
			await running.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
	await redis.start();
	return redis;
}
