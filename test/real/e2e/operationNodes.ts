import { randomUUID } from 'node:crypto';
import { NodeHelpers, type IConnections, type INode, type INodeParameters } from 'n8n-workflow';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import type { WorkflowDraft } from '../../host/api';
import type { Execution } from '../../host/executions';
import type { Host } from '../../host/host';
import type { DocumentedCall } from '../../oracle/document';

const { description } = new MessagingGateway();

/** The type of the action node, as workflows name it. */
export const GATEWAY_NODE = 'n8n-nodes-messaging-gateway.messagingGateway';

/** What the editor saves of a node's parameters: nothing that stands at its default. */
function saveParameters(parameters: INodeParameters): INodeParameters {
	return (
		NodeHelpers.getNodeParameters(
			description.properties,
			parameters,
			false,
			false,
			null,
			description,
		) ?? {}
	);
}

export function makeNode(
	type: string,
	name: string,
	parameters: INodeParameters,
	others: Partial<INode> = {},
): INode {
	return { id: randomUUID(), type, name, typeVersion: 1, position: [0, 0], parameters, ...others };
}

/** The action node as the editor saves it, with no other credential than the one that the operation asks for. */
export function makeOperationNode(
	name: string,
	{ resource, operation, parameters, requests }: Omit<DocumentedCall, 'title' | 'output'>,
	credentials: Host['credentials'],
	others: Partial<INode> = {},
): INode {
	const token = requests.at(0)?.token;
	const chosen = token && credentials[token];
	return makeNode(
		GATEWAY_NODE,
		name,
		saveParameters({ resource, operation, ...parameters } as INodeParameters),
		{
			...(chosen && { credentials: { [chosen.type]: { id: chosen.id, name: chosen.name } } }),
			...others,
		},
	);
}

/** n8n's Webhook node: a POST to `/webhook/<path>` starts the workflow. */
export function makeStart(path: string): INode {
	return makeNode(
		'n8n-nodes-base.webhook',
		'Start',
		{ path, httpMethod: 'POST' },
		{
			typeVersion: 2,
			webhookId: randomUUID(),
		},
	);
}

/** Lines from one output to nodes, top to bottom. */
export function lead(names: string[]): IConnections[string]['main'][number] {
	return names.map((node) => ({ node, type: 'main', index: 0 }));
}

/** Publishes the workflow, starts it with the body given, and waits for its end. */
export async function runPublished(
	{ api, n8n }: Host,
	draft: WorkflowDraft,
	path: string,
	body: object = {},
): Promise<Execution> {
	const { id } = await api.createWorkflow(draft);
	await api.publish(id);
	await startPublished(n8n.url, path, body);
	const [execution] = await api.waitForExecutions(id, 1, 120_000);
	await api.deleteWorkflow(id);
	return execution;
}

export async function startPublished(url: string, path: string, body: object): Promise<void> {
	const answer = await fetch(`${url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!answer.ok)
		throw new Error(`The workflow was not started: ${answer.status} ${await answer.text()}`);
}
