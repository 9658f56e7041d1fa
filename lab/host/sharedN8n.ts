import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { N8nApi } from './api';
import { readComputing, startN8n, type N8n } from './n8n';
import { OWNER } from './owner';
import { findShared } from './shared';

interface Note {
	url: string;
	port: number;
	folder: string;
	pid: number;
	/** Of the owner's session. */
	cookie: string;
}

/**
 * The n8n that all test files of one jest worker share, emptied. It ends with the run.
 * @returns undefined outside of a run of jest
 */
export async function borrowN8n(): Promise<{ n8n: N8n; api: N8nApi } | undefined> {
	const file = findShared(`n8n-${process.env.JEST_WORKER_ID ?? 1}`);
	if (file === undefined) return undefined;
	if (!existsSync(`${file}.json`)) await startShared(file);
	const note = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Note;
	const api = new N8nApi(note.url);
	api.cookie = note.cookie;
	await empty(api);
	return { n8n: represent(note, async () => await empty(api)), api };
}

async function startShared(file: string): Promise<void> {
	const { url, port, folder, pid } = await startN8n({ folder: file });
	const api = new N8nApi(url);
	await api.setUpOwner(OWNER);
	writeFileSync(`${file}.json`, JSON.stringify({ url, port, folder, pid, cookie: api.cookie }));
}

function represent({ url, port, folder, pid }: Note, stop: () => Promise<void>): N8n {
	const readLog = () => readFileSync(join(folder, 'n8n.log'), 'utf8');
	const before = readLog().length;
	const refuse = async (): Promise<never> => {
		throw new Error('This n8n is shared. Start one for this file: startHost({ n8n: {} })');
	};
	const ended = new Promise<never>(() => {});

	return {
		url,
		port,
		folder,
		pid,
		ended,
		log: () => readLog().slice(before),
		computing: () => readComputing(pid),
		shutDown: refuse,
		kill: refuse,
		start: refuse,
		restart: refuse,
		stop,
	};
}

/** Deletes all that a test file, also one that failed, has left in n8n. */
async function empty(api: N8nApi): Promise<void> {
	for (const { id } of await api.listWorkflows()) await api.deleteWorkflow(id);
	for (const { id } of await api.listCredentials()) await api.deleteCredential(id);
	const project = await api.request<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${project.id}/data-tables`;
	const { data } = await api.request<{ data: Array<{ id: string }> }>('GET', tables);
	for (const { id } of data) await api.request('DELETE', `${tables}/${id}`);
}
