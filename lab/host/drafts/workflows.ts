import { randomUUID } from 'node:crypto';
import type { IDataObject, INode } from 'n8n-workflow';
import type { N8nApi, WorkflowDraft } from '../api';
import type { Execution } from '../executions';
import type { Host } from '../host';
import { chain, makeEntrance } from './nodes';

/** Stores a workflow and publishes it. Answers its id. */
export async function publishDraft(api: N8nApi, draft: WorkflowDraft): Promise<string> {
	const { id } = await api.createWorkflow(draft);
	await api.publish(id);
	return id;
}

/** Starts a published workflow that begins with n8n's Webhook node. Answers when it has started. */
export async function startPublished(url: string, path: string, body: object): Promise<void> {
	const answer = await fetch(`${url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!answer.ok)
		throw new Error(`The workflow was not started: ${answer.status} ${await answer.text()}`);
}

/** Publishes the workflow, starts it with the body given, and waits for its end. */
export async function runPublished(
	{ api, n8n }: Host,
	draft: WorkflowDraft,
	path: string,
	body: object = {},
): Promise<Execution> {
	const id = await publishDraft(api, draft);
	await startPublished(n8n.url, path, body);
	const [execution] = await api.waitForExecutions(id, 1, 120_000);
	await api.deleteWorkflow(id);
	return execution;
}

/**
 * Publishes a workflow of an entrance and the nodes given, one after another.
 * @returns its id, and what starts an execution with items, and answers when it has started
 */
export async function publishBehindEntrance(host: Host, nodes: INode[]) {
	const path = randomUUID();
	const all = [...makeEntrance(path), ...nodes];
	const draft = { name: `Send ${path}`, nodes: all, connections: chain(all) };
	const start = async (items: IDataObject[]) => await startPublished(host.n8n.url, path, { items });
	return { id: await publishDraft(host.api, draft), start };
}
