import { randomUUID } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

/** Names the folder of a run of tests, also for the processes that the run starts. */
const VARIABLE = 'MESSAGING_GATEWAY_SHARED';

/**
 * Lets everything that is started until the run ends share what is the same for all: the tarball, n8n's compiled code, and
 * a database with n8n's tables. Whoever needs such a thing first leaves it for the others.
 */
export function openShared(): void {
	process.env[VARIABLE] = mkdtempSync(join(tmpdir(), 'shared-'));
}

/** Ends the shared n8ns, and removes all that was shared. */
export function closeShared(): void {
	const folder = process.env[VARIABLE];
	if (folder === undefined) return;
	for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
		const { pid } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { pid: number };
		try {
			process.kill(-pid, 'SIGKILL');
		} catch {
			// It ended with its worker.
		}
	}
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	delete process.env[VARIABLE];
}

/** Where a thing of the run is, or will be. Undefined where nothing is shared. */
export function findShared(name: string): string | undefined {
	const folder = process.env[VARIABLE];
	return folder === undefined ? undefined : join(folder, name);
}

/** Puts the tables that another n8n has made into n8n's user folder: they take seconds to make. */
export function copyTables(userFolder: string): void {
	const tables = findShared('tables.sqlite');
	if (tables === undefined || !existsSync(tables)) return;
	mkdirSync(join(userFolder, '.n8n'), { recursive: true });
	copyFileSync(tables, databaseIn(userFolder));
}

/** Leaves the tables of an n8n that has just started for the others. */
export async function shareTables(userFolder: string): Promise<void> {
	const tables = findShared('tables.sqlite');
	if (tables === undefined || existsSync(tables) || !existsSync(databaseIn(userFolder))) return;
	const database = new DatabaseSync(databaseIn(userFolder), { readOnly: true });
	try {
		const partial = `${tables}-${randomUUID()}`;
		await backup(database, partial);
		renameSync(partial, tables);
	} finally {
		database.close();
	}
}

const databaseIn = (userFolder: string) => join(userFolder, '.n8n', 'database.sqlite');
