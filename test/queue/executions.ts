import { setTimeout as pause } from 'node:timers/promises';
import { query } from '../host/postgres';
import type { QueueN8n } from '../host/queue';
import { waitFor } from '../host/waiting';

const WATCH_EVERY_MS = 200;
const PATIENCE_MS = 300_000;
/** Longer than n8n needs to notice that the worker of a job is gone. */
const QUIET_MS = 20_000;

export interface Row {
	id: string;
	status: string;
}

/**
 * Waits until nothing happens any more to a workflow's executions, and answers all of them. Those whose worker was
 * killed before it began stay `new` for hours.
 * Read from the database, since n8n's list loses one now and then where one page ends and the next begins.
 */
export async function waitForQuiet({ postgres }: QueueN8n, workflowId: string): Promise<Row[]> {
	const select = `SELECT id, status FROM execution_entity WHERE "workflowId" = '${workflowId}' ORDER BY id`;
	let seen: string[] = [];
	let since = Date.now();
	return await waitFor('the executions to end', async () => {
		const lines = await query(postgres.port, select);
		if (lines.join() !== seen.join()) [seen, since] = [lines, Date.now()];
		const rows = lines.map((line) => {
			const [id, status] = line.split('|');
			return { id, status };
		});
		const haveEnded = !rows.some(({ status }) => ['new', 'running', 'waiting'].includes(status));
		return (haveEnded || Date.now() - since > QUIET_MS) && rows;
	}, PATIENCE_MS);
}

/** Notes what n8n has stored of executions as long as they are under way: of one that fails it keeps little. */
export function watchUnderWay({ postgres }: QueueN8n, workflowId: string): { stop(): Promise<string> } {
	const seen = new Map<string, string>();
	const select = `SELECT e.id, d.data FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
		WHERE e."workflowId" = '${workflowId}' AND e.status IN ('new', 'running')`;
	let watching = true;
	const watch = async () => {
		while (watching) {
			// Without an answer as long as PostgreSQL is the one that was killed.
			const lines = await query(postgres.port, select).catch(() => []);
			for (const line of lines) seen.set(line.split('|')[0], line);
			await pause(WATCH_EVERY_MS);
		}
	};
	const watched = watch();
	return {
		async stop() {
			watching = false;
			await watched;
			return [...seen.values()].join('\n');
		},
	};
}
