import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Host } from '../host/host';
import { waitFor } from '../host/waiting';

const TIMEOUT_MS = 300_000;

/** The executions of a workflow, read in n8n's database: a request would cost n8n computing time. */
export interface Executions {
	count(workflowId: string): number;
	/** Waits until a workflow has so many executions, and all of them have succeeded. */
	waitForEnds(workflowId: string, atLeast: number): Promise<void>;
	close(): void;
}

export function openExecutions({ n8n }: Host): Executions {
	const file = join(n8n.folder, '.n8n', 'database.sqlite');
	const database = new DatabaseSync(file, { readOnly: true });
	const select = 'SELECT count(*) AS count FROM execution_entity WHERE workflowId = ?';
	const all = database.prepare(select);
	const ended = database.prepare(`${select} AND status = 'success'`);
	const read = (query: typeof all, id: string) => (query.get(id) as { count: number }).count;

	return {
		count: (id) => read(all, id),
		async waitForEnds(id, atLeast) {
			const haveEnded = () => read(all, id) >= atLeast && read(ended, id) === read(all, id);
			await waitFor(`the ends of executions of workflow ${id}`, haveEnded, TIMEOUT_MS);
		},
		close: () => database.close(),
	};
}
