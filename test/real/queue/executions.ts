import { query } from '../../../host/postgres';
import type { QueueN8n } from '../../../host/queue';
import { waitFor } from '../../../host/waiting';

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
	return await waitFor(
		'the executions to end',
		async () => {
			const lines = await query(postgres.port, select);
			if (lines.join() !== seen.join()) [seen, since] = [lines, Date.now()];
			const rows = lines.map((line) => {
				const [id, status] = line.split('|');
				return { id, status };
			});
			const haveEnded = !rows.some(({ status }) => ['new', 'running', 'waiting'].includes(status));
			return (haveEnded || Date.now() - since > QUIET_MS) && rows;
		},
		PATIENCE_MS,
	);
}

/**
 * Has PostgreSQL itself keep what every execution begins with, in the transaction in which n8n stores it: of an
 * execution that fails n8n keeps little.
 */
export async function keepBeginnings({ postgres }: QueueN8n): Promise<void> {
	await query(postgres.port, 'CREATE TABLE beginning (data text)');
	const keep = 'BEGIN INSERT INTO beginning VALUES (NEW.data); RETURN NULL; END';
	await query(
		postgres.port,
		`CREATE FUNCTION keep_beginning() RETURNS trigger LANGUAGE plpgsql AS $$ ${keep} $$`,
	);
	await query(
		postgres.port,
		'CREATE TRIGGER keep_beginning AFTER INSERT ON execution_data FOR EACH ROW EXECUTE FUNCTION keep_beginning()',
	);
}

/** What all executions began with since `keepBeginnings`, the items of their triggers included. */
export async function readBeginnings({ postgres }: QueueN8n): Promise<string> {
	return (await query(postgres.port, 'SELECT data FROM beginning')).join('\n');
}
