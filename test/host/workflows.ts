import type { INode } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { StoredCredential, WorkflowDraft } from './api';

/**
 * Reads a workflow's file as somebody does who imports it in the editor and then chooses a credential in every node
 * that asks for one. Webhook ids are new ones, so that two imports do not share an address.
 */
export function readWorkflow(file: string, credentials: Record<string, StoredCredential>): WorkflowDraft {
	const stored = new Map(Object.values(credentials).map(({ type, id, name }) => [type, { id, name }]));
	const { name, nodes, connections, settings } = JSON.parse(readFileSync(file, 'utf8')) as WorkflowDraft;
	const choose = (node: INode): INode => ({
		...node,
		...(node.webhookId !== undefined && { webhookId: randomUUID() }),
		...(node.credentials && {
			credentials: Object.fromEntries(
				Object.entries(node.credentials).map(([type, named]) => [type, stored.get(type) ?? named]),
			),
		}),
	});
	return { name, nodes: nodes.map(choose), connections, settings };
}
