import { join } from 'node:path';
import { startHostOn, type Host } from '../../lab/host/host';
import { projectFolder } from '../../lab/host/places';
import { findFreePort } from '../../lab/host/ports';
import { startQueueN8n, type QueueN8n } from '../../lab/host/queue';
import type { SimulatorOptions } from '../../lab/simulator';
import { startHaproxy } from './haproxy';
import { startPostgres } from './postgres';

/** A host on an n8n in queue mode. */
export interface QueueHost extends Host {
	n8n: QueueN8n;
}

/** Settings beside those of every n8n in queue mode. */
export interface QueueHostOptions {
	env?: NodeJS.ProcessEnv;
	/** For a worker with an empty folder of its own: its settings beside `env`. */
	ownWorker?: NodeJS.ProcessEnv;
	gateway?: SimulatorOptions;
}

/**
 * Starts n8n in queue mode as production has it: PostgreSQL, Redis, a worker, and two webhook processors behind a proxy.
 * All deliveries of one webhook reach the same processor. Linux only.
 */
export async function startQueueHost(options: QueueHostOptions = {}): Promise<QueueHost> {
	const publicPort = await findFreePort();
	const one = await findFreePort();
	const two = await findFreePort();
	const haproxy = await startHaproxy(join(projectFolder, 'test', 'nightly', 'queue.cfg'), {
		LISTEN: `127.0.0.1:${publicPort}`,
		ONE: `127.0.0.1:${one}`,
		TWO: `127.0.0.1:${two}`,
	});
	const database = await startPostgres();

	const n8n = await startQueueN8n({
		env: { ...database.env, ...options.env },
		ports: [one, two],
		publicPort,
		ownWorker: options.ownWorker,
	});
	const host = await startHostOn(n8n, options.gateway);

	const stop = async (): Promise<void> => {
		await host.stop();
		await database.stop();
		await haproxy.stop();
	};
	return { ...host, n8n, stop };
}
