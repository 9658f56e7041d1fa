import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { N8nApi, WorkflowDraft } from '../../test/host/api';
import type { Host } from '../../test/host/host';

/** A published workflow that takes deliveries. */
export interface Target {
	url: string;
	/** What its deliveries have to be signed with. */
	secret: string;
}

interface Step {
	type: string;
	typeVersion: number;
	parameters: INodeParameters;
}

const nothing: Step = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };

/** n8n's Crypto node takes its key as text: only a secret whose bytes are text can be checked with it. */
const TEXT_KEY = 'a-key-of-32-bytes-that-are-ascii';

/** The trigger, and behind it as many nodes that do nothing as make up a workflow of `nodes` nodes. */
export async function publishTrigger(
	host: Host,
	{ nodes = 2, options = {} }: { nodes?: number; options?: INodeParameters } = {},
): Promise<Target> {
	const { id, name } = host.credentials.account;
	const trigger: INode = {
		id: randomUUID(),
		name: 'Trigger',
		type: 'n8n-nodes-messaging-gateway.messagingGatewayTrigger',
		typeVersion: 2,
		position: [0, 0],
		webhookId: randomUUID(),
		parameters: { events: ['MESSAGE.RECEIVED'], options },
		credentials: { messagingGatewayAccountApi: { id, name } },
	};
	await publish(
		host.api,
		chain([trigger, ...Array.from({ length: nodes - 1 }, (_, index) => place(nothing, index))]),
	);
	const webhook = host.gateway.webhooks().find(({ url }) => url.includes(trigger.webhookId ?? ''));
	if (webhook === undefined) throw new Error('The trigger registered no webhook.');
	return webhook;
}

/** n8n's own Webhook node, which checks nothing, with the same behind it. */
export async function publishWebhook(host: Host, { nodes = 2 } = {}): Promise<Target> {
	const path = randomUUID();
	const webhook = placeWebhook(path, 'onReceived', {});
	await publish(
		host.api,
		chain([webhook, ...Array.from({ length: nodes - 1 }, (_, index) => place(nothing, index))]),
	);
	return { url: `${host.n8n.url}/webhook/${path}`, secret: '' };
}

/**
 * What somebody builds without this package: n8n's Webhook node, Crypto and IF for signature and age, an answer for
 * each case, and Remove Duplicates.
 */
export async function publishChain(host: Host): Promise<Target> {
	const path = randomUUID();
	const webhook = placeWebhook(path, 'responseNode', { rawBody: true });
	const steps: Record<string, Step> = {
		'Read Body': {
			type: 'n8n-nodes-base.moveBinaryData',
			typeVersion: 1.1,
			parameters: {
				mode: 'binaryToJson',
				setAllData: false,
				sourceKey: 'data',
				destinationKey: 'raw',
				options: {},
			},
		},
		Sign: {
			type: 'n8n-nodes-base.crypto',
			typeVersion: 1,
			parameters: {
				action: 'hmac',
				type: 'SHA256',
				value:
					"={{ $json.headers['webhook-id'] }}.{{ $json.headers['webhook-timestamp'] }}.{{ $json.raw }}",
				dataPropertyName: 'expected',
				secret: TEXT_KEY,
				encoding: 'base64',
			},
		},
		'Is It Genuine?': {
			type: 'n8n-nodes-base.if',
			typeVersion: 2.2,
			parameters: {
				conditions: {
					options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
					combinator: 'and',
					conditions: [
						isTrue(
							"={{ $json.headers['webhook-signature'].split(' ').includes('v1,' + $json.expected) }}",
						),
						isTrue(
							"={{ Math.abs(Date.now() / 1000 - Number($json.headers['webhook-timestamp'])) <= 300 }}",
						),
					],
				},
				options: {},
			},
		},
		Accept: respond(200),
		'Remove Duplicates': {
			type: 'n8n-nodes-base.removeDuplicates',
			typeVersion: 2,
			parameters: {
				operation: 'removeItemsSeenInPreviousExecutions',
				dedupeValue: "={{ $json.headers['webhook-id'] }}",
				options: {},
			},
		},
		Next: nothing,
		Refuse: respond(401),
	};
	const nodes = Object.entries(steps).map(([name, step], index) => ({
		...place(step, index),
		name,
	}));
	const draft = chain([webhook, ...nodes.slice(0, -1)]);
	draft.nodes.push(...nodes.slice(-1));
	draft.connections['Is It Genuine?'].main.push([{ node: 'Refuse', type: 'main', index: 0 }]);
	await publish(host.api, draft);
	return {
		url: `${host.n8n.url}/webhook/${path}`,
		secret: `whsec_${Buffer.from(TEXT_KEY).toString('base64')}`,
	};
}

function isTrue(leftValue: string) {
	const operator = { type: 'boolean', operation: 'true', singleValue: true };
	return { id: randomUUID(), leftValue, rightValue: '', operator };
}

function respond(responseCode: number): Step {
	return {
		type: 'n8n-nodes-base.respondToWebhook',
		typeVersion: 1.1,
		parameters: { respondWith: 'noData', options: { responseCode } },
	};
}

function placeWebhook(path: string, responseMode: string, options: INodeParameters): INode {
	const parameters = { path, httpMethod: 'POST', responseMode, options };
	return {
		id: randomUUID(),
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		position: [0, 0],
		webhookId: path,
		parameters,
	};
}

function place(step: Step, index: number): INode {
	return { ...step, id: randomUUID(), name: `Node ${index + 1}`, position: [200 * (index + 1), 0] };
}

function chain(nodes: INode[]): WorkflowDraft {
	const links = nodes
		.slice(1)
		.map(({ name }, index) => [
			nodes[index].name,
			{ main: [[{ node: name, type: 'main' as const, index: 0 }]] },
		]);
	return { name: `Benchmark ${randomUUID()}`, nodes, connections: Object.fromEntries(links) };
}

async function publish(api: N8nApi, draft: WorkflowDraft): Promise<void> {
	const { id } = await api.createWorkflow(draft);
	await api.publish(id);
}
