import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { StoredCredential } from '../../host/api';
import type { Execution } from '../../host/executions';
import type { Host } from '../../host/host';

export interface SendDraft {
	/** The node's options, e.g. its concurrency. */
	options?: INodeParameters;
	/** What to do on failure. */
	settings?: Partial<Pick<INode, 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>>;
	/** The instance credential; the host's unless given. */
	credential?: StoredCredential;
}

/** A published workflow that sends each of the items that are posted to it. */
export interface SendWorkflow {
	id: string;
	/** Starts an execution. Answers when it has started. */
	start(items: IDataObject[], note?: string): Promise<void>;
}

/** The node that sends one text for each item `{to, text}`. */
export function draftSendNode(
	host: Host,
	{ options = {}, settings = {}, credential = host.credentials.instance }: SendDraft,
): INode {
	return {
		id: randomUUID(),
		name: 'Send',
		type: 'n8n-nodes-messaging-gateway.messagingGateway',
		typeVersion: 1,
		position: [400, 0],
		parameters: {
			resource: 'message',
			operation: 'sendText',
			to: { __rl: true, mode: 'phone', value: '={{ $json.to }}' },
			text: '={{ $json.text }}',
			options,
		},
		credentials: { messagingGatewayInstanceApi: { id: credential.id, name: credential.name } },
		...settings,
	};
}

/** Nodes that turn a posted `{note, items}` into items, for whatever comes behind "Items". */
export function draftEntrance(path: string): INode[] {
	return [
		{
			id: randomUUID(),
			name: 'Post',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2.1,
			position: [0, 0],
			webhookId: path,
			parameters: { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
		},
		{
			id: randomUUID(),
			name: 'Items',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			position: [200, 0],
			parameters: { fieldToSplitOut: 'body.items', options: {} },
		},
	];
}

/** What the entrance was given with an execution. */
export function noteOf({ data }: Execution): string | undefined {
	const body = data.resultData.runData.Post?.[0]?.data?.main[0]?.[0]?.json.body as
		{ note?: string } | undefined;
	return body?.note;
}

export async function publishSendWorkflow(
	host: Host,
	draft: SendDraft = {},
): Promise<SendWorkflow> {
	return await publishBehindEntrance(host, [draftSendNode(host, draft)]);
}

/** Publishes a workflow of an entrance and the nodes given, one after another. */
export async function publishBehindEntrance(host: Host, nodes: INode[]): Promise<SendWorkflow> {
	const path = randomUUID();
	const all = [...draftEntrance(path), ...nodes];
	const connections = Object.fromEntries(
		all
			.slice(1)
			.map(({ name }, index) => [
				all[index].name,
				{ main: [[{ node: name, type: 'main' as const, index: 0 }]] },
			]),
	);
	const { id } = await host.api.createWorkflow({ name: `Send ${path}`, nodes: all, connections });
	await host.api.publish(id);
	const start = async (items: IDataObject[], note?: string) => {
		const response = await fetch(`${host.n8n.url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ note, items }),
		});
		if (!response.ok)
			throw new Error(
				`n8n did not start the workflow: ${response.status} ${await response.text()}`,
			);
	};
	return { id, start };
}
