import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { N8nApi } from '../../test/host/api';
import { startN8n, type N8n } from '../../test/host/n8n';
import { findPlace } from '../../test/host/places';
import { findFreePort } from '../../test/host/ports';
import { startSimulator, type Simulator } from '../../test/simulator';
import { furnish } from './furnish';

const N8N_PORT = 5678;
const GATEWAY_PORT = 3100;

/** The demo, running: its data outlives it. */
export interface Stage {
	gateway: Simulator;
	n8n: N8n;
	api: N8nApi;
	workflowId: string;
	stop(): Promise<void>;
}

/**
 * Starts gateway and n8n on their usual ports, or on free ones where those are taken, with the data of the last time.
 * @param folder where the data is kept; the cache folder's by default
 * @param env for n8n, beside the usual
 * @throws when the demo runs already: two of them must not share their data
 */
export async function openStage({
	folder = join(findPlace('cache'), 'demo'),
	env,
}: { folder?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Stage> {
	mkdirSync(folder, { recursive: true });
	const leave = enter(join(folder, 'running.json'));
	const opened: Array<() => Promise<void>> = [];
	const stop = async () => {
		for (const close of opened.splice(0).reverse()) await close();
		leave();
	};
	try {
		const gateway = await startSimulator({
			port: await findFreePort(GATEWAY_PORT),
			dataFile: join(folder, 'gateway.json'),
			demoMessages: true,
			statusDelaysMs: { sent: 300, delivered: 900, read: 2500 },
			retryDelaysMs: [1000, 2000, 4000, 8000, 15_000, 30_000, 60_000],
			recordLimit: 5000,
		});
		opened.push(async () => await gateway.stop());
		const n8n = await startN8n({
			folder: join(folder, 'n8n'),
			port: await findFreePort(N8N_PORT),
			env,
		});
		opened.push(async () => await n8n.stop());
		return { gateway, n8n, ...(await furnish(n8n, gateway)), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

function enter(note: string): () => void {
	if (existsSync(note)) {
		const { pid } = JSON.parse(readFileSync(note, 'utf8')) as { pid: number };
		if (isAlive(pid))
			throw new Error(
				`The demo is running already (process ${pid}). Stop it there with Ctrl-C first.`,
			);
	}
	writeFileSync(note, JSON.stringify({ pid: process.pid }));
	return () => rmSync(note, { force: true });
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
