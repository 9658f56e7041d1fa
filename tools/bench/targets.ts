import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';
import {
	chain,
	lead,
	makeNode,
	makeNothing,
	makeStart,
	makeTrigger,
} from '../../host/drafts/nodes';
import { publish } from '../../host/drafts/workflows';
import type { Host } from '../../host/host';

/** A published workflow that takes deliveries. */
export interface Target {
	url: string;
	/** What its deliveries have to be signed with. */
	secret: string;
}

/** n8n's Crypto node takes its key as text: only a secret whose bytes are text can be checked with it. */
const TEXT_KEY = 'a-key-of-32-bytes-that-are-ascii';

/** The trigger, and behind it as many nodes that do nothing as make up a workflow of `nodes` nodes. */
export async function publishTrigger(
	host: Host,
	{ nodes = 2, options = {} }: { nodes?: number; options?: INodeParameters } = {},
): Promise<Target> {
	const parameters = { events: ['MESSAGE.RECEIVED'], options };
	const trigger = makeTrigger(host.credentials.account, parameters);
	await publishChain(host, [trigger, ...makeNothings(nodes - 1)]);
	const webhook = host.gateway.webhooks().find(({ url }) => url.includes(trigger.webhookId ?? ''));
	if (webhook === undefined) throw new Error('The trigger registered no webhook.');
	return webhook;
}

/** n8n's own Webhook node, which checks nothing, with the same behind it; answered at the start or at the end. */
export async function publishWebhook(
	host: Host,
	{ nodes = 2, responseMode = 'onReceived' } = {},
): Promise<Target> {
	const path = randomUUID();
	await publishChain(host, [makeStart(path, { responseMode }), ...makeNothings(nodes - 1)]);
	return { url: `${host.n8n.url}/webhook/${path}`, secret: '' };
}

/**
 * What somebody builds without this package: n8n's Webhook node, Crypto and IF for signature and age, an answer for
 * each case, and Remove Duplicates.
 */
export async function publishByHand(host: Host): Promise<Target> {
	const path = randomUUID();
	const nodes = [
		makeStart(path, { responseMode: 'responseNode', options: { rawBody: true } }),
		makeNode(
			'n8n-nodes-base.moveBinaryData',
			'Read Body',
			{
				mode: 'binaryToJson',
				setAllData: false,
				sourceKey: 'data',
				destinationKey: 'raw',
				options: {},
			},
			{ typeVersion: 1.1 },
		),
		makeNode('n8n-nodes-base.crypto', 'Sign', {
			action: 'hmac',
			type: 'SHA256',
			value:
				"={{ $json.headers['webhook-id'] }}.{{ $json.headers['webhook-timestamp'] }}.{{ $json.raw }}",
			dataPropertyName: 'expected',
			secret: TEXT_KEY,
			encoding: 'base64',
		}),
		makeNode(
			'n8n-nodes-base.if',
			'Is It Genuine?',
			{
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
			{ typeVersion: 2.2 },
		),
		respond('Accept', 200),
		makeNode(
			'n8n-nodes-base.removeDuplicates',
			'Remove Duplicates',
			{
				operation: 'removeItemsSeenInPreviousExecutions',
				dedupeValue: "={{ $json.headers['webhook-id'] }}",
				options: {},
			},
			{ typeVersion: 2 },
		),
		makeNothing(),
	];
	const refuse = respond('Refuse', 401);
	const connections = chain(nodes);
	connections['Is It Genuine?'].main.push(lead([refuse.name]));
	await publish(host.api, { name: `Benchmark ${path}`, nodes: [...nodes, refuse], connections });
	return {
		url: `${host.n8n.url}/webhook/${path}`,
		secret: `whsec_${Buffer.from(TEXT_KEY).toString('base64')}`,
	};
}

function isTrue(leftValue: string) {
	const operator = { type: 'boolean', operation: 'true', singleValue: true };
	return { id: randomUUID(), leftValue, rightValue: '', operator };
}

function respond(name: string, responseCode: number): INode {
	const parameters = { respondWith: 'noData', options: { responseCode } };
	return makeNode('n8n-nodes-base.respondToWebhook', name, parameters, { typeVersion: 1.1 });
}

function makeNothings(count: number): INode[] {
	return Array.from({ length: count }, (_, index) => makeNothing(`Node ${index + 1}`));
}

async function publishChain({ api }: Host, nodes: INode[]): Promise<void> {
	await publish(api, { name: `Benchmark ${randomUUID()}`, nodes, connections: chain(nodes) });
}
