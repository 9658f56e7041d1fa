import type { IDataObject, INode } from 'n8n-workflow';
import { choose, makeNode, makeSend } from '../../host/drafts/nodes';
import { publishBehindEntrance, type SendWorkflow } from '../../host/drafts/workflows';
import type { Host } from '../../host/host';

export interface BulkOptions {
	messages: number;
	recipients: number;
	/** Requests at once; for the HTTP Request node the size of its batches. */
	concurrency: number;
}

/** What one node made of a bulk. */
export interface BulkFigures {
	/** Milliseconds that the node worked. */
	time: number;
	/** Messages that the gateway took. */
	accepted: number;
	/** Pairs of requests for one recipient that were under way at the same time. */
	overlaps: number;
	/** Pairs of messages for one recipient that left in the wrong order. */
	swaps: number;
	/** Most resident memory of n8n's process while it ran, and before it began, in bytes. */
	memory: { peak: number; before: number };
}

export type Sender = 'Messaging Gateway' | 'HTTP Request';

/** Publishes a workflow that sends a bulk, with this package's node or as one would without it. */
export async function publishBulk(
	host: Host,
	sender: Sender,
	options: BulkOptions,
): Promise<SendWorkflow> {
	const { concurrency } = options;
	const node =
		sender === 'HTTP Request'
			? await draftHttpRequest(host, options)
			: makeSend(host.credentials.instance, { concurrency });
	return await publishBehindEntrance(host, [node]);
}

/** Sends a bulk, its recipients in no order, and waits for its end. Forgets what the gateway saw before. */
export async function measureBulk(
	host: Host,
	workflow: SendWorkflow,
	options: BulkOptions,
): Promise<BulkFigures> {
	const { messages, recipients } = options;
	host.gateway.reset();
	const items: IDataObject[] = [...Array(messages).keys()].map((index) => ({
		to: String(5511900000000 + (scatter(index) % recipients)),
		text: `message ${index}`,
	}));
	const { length: earlier } = await host.api.listExecutions(workflow.id);
	const before = host.n8n.memory();
	let peak = before;
	const watch = setInterval(() => (peak = Math.max(peak, host.n8n.memory())), 50);
	try {
		await workflow.start(items);
		const ended = await host.api.waitForExecutions(workflow.id, earlier + 1, 600_000);
		const [node] = ended.at(-1)?.data.resultData.runData.Send ?? [];
		if (!node || node.error)
			throw new Error('The bulk did not come to its end', { cause: node?.error });
		return {
			time: node.executionTime,
			accepted: host.gateway.acceptedSends().length,
			...countViolations(host),
			memory: { peak, before },
		};
	} finally {
		clearInterval(watch);
	}
}

/** n8n's own node for the same calls, its batches one latency of the gateway apart. */
async function draftHttpRequest(host: Host, { concurrency }: BulkOptions): Promise<INode> {
	const credential = await host.api.createCredential('httpHeaderAuth', 'Token', {
		name: 'Authorization',
		value: `Bearer ${host.gateway.instanceToken}`,
	});
	return makeNode(
		'n8n-nodes-base.httpRequest',
		'Send',
		{
			method: 'POST',
			url: `${host.gateway.url}/v1/messages/send-text`,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendBody: true,
			bodyParameters: {
				parameters: [
					{ name: 'to', value: '={{ $json.to }}' },
					{ name: 'text', value: '={{ $json.text }}' },
				],
			},
			options: { batching: { batch: { batchSize: concurrency, batchInterval: LATENCY_MS } } },
		},
		{ typeVersion: 4.2, ...choose(credential) },
	);
}

/** How long the gateway takes for an answer in these measurements. */
export const LATENCY_MS = 50;

/** A whole number without a pattern, the same one for the same index in every measurement. */
function scatter(index: number): number {
	return Math.imul(index * index + 7 * index + 1, 2_654_435_761) >>> 8;
}

function countViolations({ gateway }: Host): { overlaps: number; swaps: number } {
	const byRecipient = new Map<string, typeof gateway.requests>();
	for (const request of gateway.requests) {
		const { to } = request.body as { to: string };
		byRecipient.set(to, [...(byRecipient.get(to) ?? []), request]);
	}
	const indexOf = ({ body }: (typeof gateway.requests)[number]) =>
		Number((body as { text: string }).text.split(' ')[1]);
	let overlaps = 0;
	let swaps = 0;
	for (const requests of byRecipient.values()) {
		requests.forEach((request, place) => {
			for (const earlier of requests.slice(0, place)) {
				if (earlier.finishedAt > request.startedAt) overlaps += 1;
				if (indexOf(earlier) > indexOf(request)) swaps += 1;
			}
		});
	}
	return { overlaps, swaps };
}
