import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import {
	chain,
	choose,
	GATEWAY_NODE,
	makeEntrance,
	makeNode,
} from '../../../lab/host/drafts/nodes';
import { publishDraft, startPublished } from '../../../lab/host/drafts/workflows';
import { outputOf, type Execution } from '../../../lab/host/executions';
import type { Host } from '../../../lab/host/host';
import { waitFor } from '../../../lab/host/waiting';
import { PEOPLE, type AcceptedSend, type Simulator } from '../../../lab/simulator';
import { to } from '../../contract/document';

export const ANA = PEOPLE[0].phone!;
export const BRUNO = PEOPLE[1].phone!;

/** The node that asks, as the editor saves it: Ana, for whatever she replies. */
export function makeAsk(
	{ instance }: Host['credentials'],
	parameters: object = {},
	others: Partial<INode> = {},
): INode {
	const asked = { to: to('phone', ANA), message: 'Shall we?', ...parameters };
	return makeNode(
		GATEWAY_NODE,
		'Ask',
		{ resource: 'message', operation: 'sendAndWait', ...asked } as INodeParameters,
		{ ...choose(instance), ...others },
	);
}

/** What comes behind: what was put out, and what the item began as. */
const next = makeNode(
	'n8n-nodes-base.set',
	'Next',
	{
		assignments: {
			assignments: [
				{ id: 'note', name: 'note', value: "={{ $('Items').item.json.note }}", type: 'string' },
			],
		},
		includeOtherFields: true,
		options: {},
	},
	{ typeVersion: 3.4 },
);

/** A published workflow that asks for each item that is posted to it. */
export interface AskWorkflow {
	id: string;
	/** Starts an execution, and answers when it waits. */
	ask(note?: string): Promise<OpenQuestion>;
	/** Starts an execution with these items. */
	start(items?: IDataObject[]): Promise<void>;
}

/** A question that waits for its answer. */
export interface OpenQuestion {
	executionId: string;
	sent: AcceptedSend;
	/** What the workflow went on with. */
	answer(): Promise<IDataObject>;
}

/** Publishes a workflow that asks. */
export async function publishAsk(
	host: Host,
	parameters: object = {},
	others: Partial<INode> = {},
): Promise<AskWorkflow> {
	const { api, gateway, n8n } = host;
	const path = randomUUID();
	const nodes = [...makeEntrance(path), makeAsk(host.credentials, parameters, others), next];
	const id = await publishDraft(api, { name: `Ask ${path}`, nodes, connections: chain(nodes) });

	const start = async (items: IDataObject[] = [{}]) =>
		await startPublished(n8n.url, path, { items });

	const startAndFind = async (items: IDataObject[]) => {
		const before = new Set((await api.listExecutions(id)).map((execution) => execution.id));
		await start(items);

		const found = await waitFor('an execution that waits or has ended', async () =>
			(await api.listExecutions(id)).find(
				(execution) => !before.has(execution.id) && !['new', 'running'].includes(execution.status),
			),
		);
		if (found.status === 'waiting') return found.id;
		throw new Error(`${found.status}: ${messageOf(await api.getExecution(found.id))}`);
	};

	return {
		id,
		start,
		ask: async (note = '') => {
			const { length } = gateway.acceptedSends();
			const executionId = await startAndFind([{ note }]);
			return {
				executionId,
				sent: gateway.acceptedSends()[length],
				answer: async () => {
					const execution = await api.waitForEnd(executionId, 120_000);
					if (execution.status !== 'success')
						throw new Error(`${execution.status}: ${messageOf(execution)}`);

					// Older versions of n8n save how an execution has ended before they save what it did.
					return await waitFor(
						'what the workflow went on with',
						async () => outputOf(await api.getExecution(executionId), 'Next')[0]?.[0]?.json,
					);
				},
			};
		},
	};
}

/** Waits until the gateway has no webhook any more, neither of a question nor of a trigger. */
export async function untilNothingIsLeft(gateway: Simulator): Promise<void> {
	await waitFor('the webhooks to go', () => gateway.webhooks().length === 0);
}

/** Waits until the time of every question is over. n8n notices within a minute, or at its next start. */
export async function untilOver(gateway: Simulator): Promise<void> {
	const ends = gateway.webhooks().map(({ url }) => Number(new URL(url).searchParams.get('until')));
	await waitFor('the time of the questions to be over', () => Math.max(...ends) < Date.now());
}

const messageOf = ({ data }: Execution): string => data.resultData.error?.message ?? '';
