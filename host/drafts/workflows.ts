import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { N8nApi, StoredCredential, WorkflowDraft } from '../api';
import type { Execution } from '../executions';
import type { Host } from '../host';
import {
	chain,
	choose,
	GATEWAY_NODE,
	makeEntrance,
	makeNode,
	makeNothing,
	makeSend,
	makeTrigger,
} from './nodes';

/** Stores a workflow and publishes it. Answers its id. */
export async function publish(api: N8nApi, draft: WorkflowDraft): Promise<string> {
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
	const id = await publish(api, draft);
	await startPublished(n8n.url, path, body);
	const [execution] = await api.waitForExecutions(id, 1, 120_000);
	await api.deleteWorkflow(id);
	return execution;
}

export interface TriggerDraft {
	/** The account credential; the host's unless given. */
	credential?: StoredCredential;
	parameters?: INodeParameters;
	/** Name of the trigger node. */
	node?: string;
	webhookId?: string;
}

export interface TriggerWorkflow {
	id: string;
	webhookId: string;
	/** Where deliveries go while the workflow is published. */
	url: string;
	/** Where they go while the editor listens for a test event. */
	testUrl: string;
}

/** A workflow of the trigger and a node that does nothing. */
export function draftTriggerWorkflow(
	{ credentials }: Pick<Host, 'credentials'>,
	{ credential, parameters, node = 'Trigger', webhookId = randomUUID() }: TriggerDraft = {},
): WorkflowDraft {
	const trigger = makeTrigger(credential ?? credentials.account, parameters, {
		name: node,
		webhookId,
	});
	const nodes = [trigger, makeNothing()];
	return { name: `Trigger ${webhookId}`, nodes, connections: chain(nodes) };
}

/** Stores such a workflow; it is not published yet. */
export async function createTriggerWorkflow(
	host: Host,
	draft: TriggerDraft = {},
): Promise<TriggerWorkflow> {
	const webhookId = draft.webhookId ?? randomUUID();
	const { id } = await host.api.createWorkflow(draftTriggerWorkflow(host, { ...draft, webhookId }));
	return {
		id,
		webhookId,
		url: `${host.n8n.url}/webhook/${webhookId}/webhook`,
		testUrl: `${host.n8n.url}/webhook-test/${webhookId}/webhook`,
	};
}

/** A workflow that passes each received message through `steps`, one after the other, and answers it in its chat. */
export function draftAnswering(
	{ credentials }: Pick<Host, 'credentials'>,
	steps: INode[],
	parameters: INodeParameters = {},
): WorkflowDraft {
	const message = "$('Message Received').item.json";
	const answer = makeNode(
		GATEWAY_NODE,
		'Answer',
		{
			resource: 'message',
			operation: 'sendText',
			to: { __rl: true, mode: 'id', value: `={{ ${message}.replyTo }}` },
			text: `=Answer to {{ ${message}.text }}`,
		},
		choose(credentials.instance),
	);
	const received = makeTrigger(
		credentials.account,
		{ events: ['MESSAGE.RECEIVED'], ...parameters },
		{ name: 'Message Received' },
	);
	const nodes = [received, ...steps, answer];
	return { name: `Answer after ${steps.length} steps`, nodes, connections: chain(nodes) };
}

export interface SendDraft {
	/** The node's options, e.g. its concurrency. */
	options?: INodeParameters;
	/** What to do on failure. */
	settings?: Partial<Pick<INode, 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>>;
	/** The instance credential; the host's unless given. */
	credential?: StoredCredential;
}

/** A published workflow that hands each of the items that are posted to it to what comes behind its entrance. */
export interface SendWorkflow {
	id: string;
	/** Starts an execution. Answers when it has started. */
	start(items: IDataObject[], note?: string): Promise<void>;
}

/** Publishes a workflow that sends one text for each item `{to, text}`. */
export async function publishSendWorkflow(
	host: Host,
	{ options, settings, credential = host.credentials.instance }: SendDraft = {},
): Promise<SendWorkflow> {
	return await publishBehindEntrance(host, [makeSend(credential, options, settings)]);
}

/** Publishes a workflow of an entrance and the nodes given, one after another. */
export async function publishBehindEntrance(host: Host, nodes: INode[]): Promise<SendWorkflow> {
	const path = randomUUID();
	const all = [...makeEntrance(path), ...nodes];
	const draft = { name: `Send ${path}`, nodes: all, connections: chain(all) };
	const id = await publish(host.api, draft);
	return {
		id,
		start: async (items, note) => await startPublished(host.n8n.url, path, { note, items }),
	};
}

/** What the entrance was given with an execution. */
export function noteOf({ data }: Execution): string | undefined {
	const body = data.resultData.runData.Start?.[0]?.data?.main[0]?.[0]?.json.body as
		{ note?: string } | undefined;
	return body?.note;
}
