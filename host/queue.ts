import { startN8n, type N8n } from './n8n';
import { findFreePort } from './ports';
import { startRedis } from './redis';
import type { Service } from './service';

/** n8n in queue mode: the main process for the editor and its API, whose address this is, and the parts beside it. */
export interface QueueN8n extends N8n {
	/** Takes the deliveries, and puts executions into the queue. */
	processor: N8n;
	/** Runs the executions. */
	worker: N8n;
	redis: Service;
}

/** Starts Redis and the three parts of n8n on one SQLite database. */
export async function startQueueN8n(env: NodeJS.ProcessEnv = {}): Promise<QueueN8n> {
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
		const port = await findFreePort();
		const common = {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
			...env,
		};
		// The main process makes the tables and has the package installed.
		const main = await open(startN8n({ env: common }));
		const beside = { folder: main.folder, packages: [], env: common };
		const processor = await open(startN8n({ ...beside, command: 'webhook', port }));
		const worker = await open(startN8n({ ...beside, command: 'worker' }));
		return Object.assign(main, { processor, worker, redis, stop });
	} catch (error) {
		await stop();
		throw error;
	}
}
