import { randomUUID } from 'node:crypto';
import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import type { StoredCredential } from '../api';

/** The types of this package's nodes, as workflows name them. */
export const GATEWAY_NODE = 'n8n-nodes-messaging-gateway.messagingGateway';
export const TRIGGER_NODE = 'n8n-nodes-messaging-gateway.messagingGatewayTrigger';

export function makeNode(
	type: string,
	name: string,
	parameters: INodeParameters = {},
	others: Partial<INode> = {},
): INode {
	return { id: randomUUID(), type, name, typeVersion: 1, position: [0, 0], parameters, ...others };
}

/** What a node holds of a credential that was chosen in it. */
export function choose({ type, id, name }: StoredCredential): Pick<INode, 'credentials'> {
	return { credentials: { [type]: { id, name } } };
}

/** The trigger. Whoever drafts it again means the same node: what it remembers belongs to the node's id. */
export function makeTrigger(
	account: StoredCredential,
	parameters: INodeParameters = {},
	others: Partial<INode> = {},
): INode {
	return makeNode(TRIGGER_NODE, 'Trigger', parameters, {
		id: 'trigger',
		typeVersion: 2,
		webhookId: randomUUID(),
		...choose(account),
		...others,
	});
}

/** The node that sends one text for each item `{to, text}`. */
export function makeSend(
	instance: StoredCredential,
	options: INodeParameters = {},
	others: Partial<INode> = {},
): INode {
	const to = { __rl: true, mode: 'phone', value: '={{ $json.to }}' };
	const text = '={{ $json.text }}';
	return makeNode(
		GATEWAY_NODE,
		'Send',
		{ resource: 'message', operation: 'sendText', to, text, options },
		{ ...choose(instance), ...others },
	);
}

/** n8n's Webhook node: a POST to `/webhook/<path>` starts the workflow. */
export function makeStart(path: string, parameters: INodeParameters = {}): INode {
	return makeNode(
		'n8n-nodes-base.webhook',
		'Start',
		{ path, httpMethod: 'POST', responseMode: 'onReceived', options: {}, ...parameters },
		{ typeVersion: 2.1, webhookId: path },
	);
}

/** Nodes that turn a posted `{note, items}` into items, for whatever comes behind "Items". */
export function makeEntrance(path: string): INode[] {
	const parameters = { fieldToSplitOut: 'body.items', options: {} };
	return [makeStart(path), makeNode('n8n-nodes-base.splitOut', 'Items', parameters)];
}

/** A node that does nothing. */
export function makeNothing(name = 'Next'): INode {
	return makeNode('n8n-nodes-base.noOp', name);
}

/** Lines from one output to nodes, top to bottom. */
export function lead(names: string[]): IConnections[string]['main'][number] {
	return names.map((node) => ({ node, type: 'main', index: 0 }));
}

/** Each node leads to the next. */
export function chain(nodes: INode[]): IConnections {
	return Object.fromEntries(
		nodes.slice(1).map(({ name }, index) => [nodes[index].name, { main: [lead([name])] }]),
	);
}
