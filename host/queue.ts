import { startN8n, type N8n, type N8nOptions } from './n8n';
import { POSTGRES_USER, startPostgres } from './postgres';
import { startProxy, type Proxy, type SpreadBy } from './proxy';
import { startRedis, type RedisOptions } from './redis';
import type { Service } from './service';

export interface QueueOptions extends Omit<N8nOptions, 'command' | 'folder' | 'port'> {
	redis?: RedisOptions;
	/** How many webhook processors; 2 by default. */
	processors?: number;
	/** By what the proxy chooses the processor; in turn by default. */
	spreadBy?: SpreadBy;
}

/** n8n in queue mode, which to whoever uses it looks like one n8n: its address is the proxy's. */
export interface QueueN8n extends N8n {
	/** Editor, API and registration of webhooks; takes no deliveries. */
	main: N8n;
	/** Take the deliveries and put executions into the queue. */
	processors: N8n[];
	/** Run the executions. */
	workers: N8n[];
	redis: Service;
	postgres: Service;
	proxy: Proxy;
}

const WORKERS = 2;

/** Starts Redis, PostgreSQL, one main process, two webhook processors, two workers, and a proxy in front of them. */
export async function startQueueN8n({
	redis: redisOptions,
	processors: processorCount = 2,
	spreadBy = 'turn',
	...options
}: QueueOptions = {}): Promise<QueueN8n> {
	const opened: Array<{ stop(): Promise<void> }> = [];
	const open = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
		const started = await starting;
		opened.unshift(started);
		return started;
	};
	const stop = async () => {
		// What depends on Redis and PostgreSQL ends before them.
		for (const part of opened.splice(0)) await part.stop();
	};
	try {
		const [redis, postgres, proxy] = await settleAll([
			open(startRedis(redisOptions)),
			open(startPostgres()),
			open(startProxy()),
		]);
		const env = { ...environmentOf(redis, postgres, proxy), ...options.env };
		// The first one makes the tables.
		const main = await open(
			startN8n({ ...options, env: { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true', ...env } }),
		);
		const processor = { ...options, env, command: 'webhook' as const };
		const processors = await settleAll(
			Array.from({ length: processorCount }, () => open(startN8n(processor))),
		);
		const worker = {
			...options,
			env,
			command: 'worker' as const,
			commandArgs: ['--concurrency=10'],
		};
		const workers = await settleAll(Array.from({ length: WORKERS }, () => open(startN8n(worker))));
		proxy.spread({ main: main.url, processors: processors.map(({ url }) => url), by: spreadBy });
		const parts = { main, processors, workers, redis, postgres, proxy };
		return Object.assign(asOne(parts), parts, { stop });
	} catch (error) {
		await stop();
		throw error;
	}
}

function environmentOf(redis: Service, postgres: Service, proxy: Proxy): NodeJS.ProcessEnv {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_USER: POSTGRES_USER,
		DB_POSTGRESDB_DATABASE: POSTGRES_USER,
		DB_POSTGRESDB_PASSWORD: 'not asked for',
		N8N_WEBHOOK_URL: `${proxy.url}/`,
	};
}

/** What stands for the whole: each step goes through all parts of n8n. */
function asOne(
	parts: Pick<QueueN8n, 'main' | 'processors' | 'workers' | 'proxy'>,
): Omit<N8n, 'stop'> {
	const { main, proxy } = parts;
	const all = [main, ...parts.processors, ...parts.workers];
	const start = async () => {
		await main.start();
		await settleAll(all.slice(1).map(async (part) => await part.start()));
	};
	const shutDown = async () =>
		void (await settleAll(all.map(async (part) => await part.shutDown())));
	return {
		url: proxy.url,
		port: Number(new URL(proxy.url).port),
		folder: main.folder,
		get pid() {
			return main.pid;
		},
		isRunning: () => all.every((part) => part.isRunning()),
		log: () => all.map((part) => part.log()).join('\n'),
		memory: () => all.reduce((sum, part) => sum + part.memory(), 0),
		computing: () => all.reduce((sum, part) => sum + part.computing(), 0),
		command: async (...args) => await main.command(...args),
		shutDown,
		kill: async () => void (await settleAll(all.map(async (part) => await part.kill()))),
		start,
		async restart() {
			await shutDown();
			await start();
		},
	};
}

/** Like `Promise.all`, but waits for all of them before it throws, so that nothing still starting is left behind. */
async function settleAll<T extends readonly unknown[]>(
	tasks: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T>;
async function settleAll<T>(tasks: ReadonlyArray<Promise<T>>): Promise<T[]>;
async function settleAll<T>(tasks: ReadonlyArray<Promise<T>>): Promise<T[]> {
	await Promise.allSettled(tasks);
	return await Promise.all(tasks);
}
