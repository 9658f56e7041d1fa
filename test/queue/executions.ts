import { query } from '../host/postgres';
import type { QueueN8n } from '../host/queue';
import { waitFor } from '../host/waiting';

const PATIENCE_MS = 300_000;

export interface Row {
	id: string;
	status: string;
}

/**
 * Waits until none of a workflow's executions is under way, and answers all of them.
 * Read from the database, since n8n's list loses one now and then where one page ends and the next begins.
 */
export async function waitForQuiet({ postgres }: QueueN8n, workflowId: string): Promise<Row[]> {
	const select = `SELECT id, status FROM execution_entity WHERE "workflowId" = '${workflowId}'`;
	return await waitFor('the executions to end', async () => {
		const rows = (await query(postgres.port, select)).map((line) => {
			const [id, status] = line.split('|');
			return { id, status };
		});
		return !rows.some(({ status }) => ['new', 'running', 'waiting'].includes(status)) && rows;
	}, PATIENCE_MS);
}
