import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { INode } from 'n8n-workflow';
import type { StoredCredential, WorkflowDraft } from './api';
import { TRIGGER_NODE } from './drafts/nodes';

const FORM = 'n8n-nodes-base.formTrigger';

/**
 * Reads a workflow's file as somebody does who imports it in the editor, duplicates it, and then chooses a credential in
 * every node that asks for one. The duplicate's trigger has a webhook id of its own, hence its own address; so has its form.
 */
export function readWorkflow(
	file: string,
	credentials: Record<string, StoredCredential>,
): WorkflowDraft {
	const stored = new Map(
		Object.values(credentials).map(({ type, id, name }) => [type, { id, name }]),
	);
	const { name, nodes, connections, settings } = JSON.parse(
		readFileSync(file, 'utf8'),
	) as WorkflowDraft;
	const choose = (node: INode): INode => ({
		...node,
		...([TRIGGER_NODE, FORM].includes(node.type) && { webhookId: randomUUID() }),
		...(node.credentials && {
			credentials: Object.fromEntries(
				Object.entries(node.credentials).map(([type, named]) => [type, stored.get(type) ?? named]),
			),
		}),
	});
	return { name, nodes: nodes.map(choose), connections, settings };
}
