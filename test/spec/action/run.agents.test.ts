import { ExecuteContext, SupplyDataContext } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	NodeConnectionTypes,
	Workflow,
	type IExecuteFunctions,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { groupIdAt, type Fault } from '../../../lab/simulator';
import { requireSafeTool } from '../../../nodes/MessagingGateway/n8n/agent';
import { to } from '../../contract/document';
import { execute } from '../../support/engine';
import { engine, gateway } from '../../support/engineAndGateway';
import { credentialsOf } from '../../support/runOperation';

/**
 * Runs the node without an execution, as n8n 2.41 does for its Agents, the public API and MCP (`EphemeralNodeExecutor`).
 * Returns the output, or the message of the error: a model reads nothing else.
 */
async function runWithoutExecution(parameters: INodeParameters): Promise<unknown> {
	const type = 'messagingGatewayTool';
	const credentials = credentialsOf(gateway);
	const built = engine.build({ nodes: [{ type, parameters }], credentials });
	const node = built.node();
	const { nodeTypes } = built.workflow;
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const additionalData = { ...built.additionalData, executionId: undefined };

	const items = [{ json: {} }];
	const data = { main: [items] };
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData as IWorkflowExecuteAdditionalData,
		'internal',
		createEmptyRunExecutionData(),
		0,
		items,
		data,
		{ node, data, source: null },
		[],
	);

	try {
		const output = (await engine.nodeType(type).execute?.call(context)) as (typeof items)[];
		return output[0].map(({ json }) => json);
	} catch (error) {
		return (error as Error).message;
	}
}

const GROUP = to('id', groupIdAt(0));
const sendText = { resource: 'message', operation: 'sendText', to: GROUP, text: 'Hello' };
const OPTIONS = { typingSeconds: 0.01, messagesPerMinute: 6000, timeout: 5, concurrency: 2 };
const REFUSED: Fault = { status: 400, body: { error: 'The baker is asleep' } };
const sent = [{ messageId: expect.any(String) }];
const text = expect.stringContaining;

describe('without an execution', () => {
	it.each<[string, INodeParameters, Fault | undefined, unknown, number]>([
		['sends', sendText, undefined, sent, 1],
		['sends with options', { ...sendText, options: OPTIONS }, undefined, sent, 2],
		[
			'changes',
			{ resource: 'chat', operation: 'mute', to: GROUP },
			undefined,
			[{ success: true }],
			1,
		],
		[
			'gives no hint that needs an execution',
			{
				resource: 'webhook',
				operation: 'create',
				url: 'https://example.com',
				events: ['MESSAGE.SENT'],
			},
			undefined,
			[expect.objectContaining({ secret: text('whsec_') })],
			1,
		],
		[
			'reads',
			{ resource: 'group', operation: 'getAll', limit: 1 },
			undefined,
			[expect.objectContaining({ id: groupIdAt(0) })],
			1,
		],
		['tells a refusal', sendText, REFUSED, 'The baker is asleep. The message was not sent.', 1],
		['tells a cut connection', sendText, 'cutAfter', text('The message may have been sent.'), 1],
		[
			'asks nobody',
			{ resource: 'message', operation: 'sendAndWait', to: GROUP, message: 'May I?' },
			undefined,
			text('Only an AI Agent node of version 3 or newer can wait'),
			0,
		],
	])('%s', async (_what, parameters, fault, result, requests) => {
		if (fault) gateway.faults.add({ match: { method: 'POST' }, fault });
		expect(await runWithoutExecution(parameters)).toEqual(result);
		expect(gateway.requests).toHaveLength(requests);
	});
});

/** Calls the node as AI Agent 2 does. */
async function callAsTool(executions: number, parameters = sendText): Promise<unknown[]> {
	const type = 'messagingGatewayTool';
	const nodes = [{ type, parameters: parameters as never }];
	const built = engine.build({ nodes, credentials: credentialsOf(gateway) });
	const node = built.node();
	const items = [{ json: {} }];
	const runData = createEmptyRunExecutionData();
	const data = { [NodeConnectionTypes.AiTool]: [items] };

	const outputs: unknown[] = [];
	for (let count = 0; count < executions; count++) {
		const context = new SupplyDataContext(
			built.workflow,
			node,
			built.additionalData,
			'manual',
			runData,
			0,
			items,
			data,
			NodeConnectionTypes.AiTool,
			{ node, data, source: null },
			[],
		);

		const output = (await engine
			.nodeType(type)
			.execute?.call(context as never)) as (typeof items)[];
		outputs.push(output[0][0].json);
	}
	return outputs;
}

it('asks nobody for an agent that cannot wait', async () => {
	const asking = { ...sendText, operation: 'sendAndWait', message: 'May I?' };
	const message = text('Only an AI Agent node of version 3');
	expect(await callAsTool(1, asking)).toEqual([{ error: expect.objectContaining({ message }) }]);
	expect(gateway.requests).toEqual([]);
});

it('sends for each call of an agent, and puts out a failure', async () => {
	gateway.faults.add({ match: { nth: 2 }, fault: 'cutAfter' });
	expect(await callAsTool(3)).toEqual([
		...sent,
		{ error: expect.objectContaining({ outcome: 'unknown', message: text('may have been sent') }) },
		...sent,
	]);
	expect(gateway.requests).toHaveLength(3);
});

it.each([
	['continueErrorOutput', 'Nothing was done, because', 0],
	['continueRegularOutput', '"messageId"', 1],
] as const)(
	'lets an agent see what its tool has done, or does nothing: %s',
	async (onError, told, requests) => {
		const nodes = [{ type: 'messagingGatewayTool', parameters: sendText as never, onError }];
		const built = engine.build({ nodes, credentials: credentialsOf(gateway) });
		const node = Object.assign(built.node(), { rewireOutputLogTo: NodeConnectionTypes.AiTool });
		const { data } = await execute(built, node, [{ json: {} }], 'trigger');
		expect(JSON.stringify(data.resultData)).toContain(told);
		expect(gateway.requests).toHaveLength(requests);
	},
);

it.each([
	["={{ $('Customers').item.json.phone }}", 2, true],
	['={{ $("Customers").item.json.phone }}', 2, true],
	['={{ $(`Customers`).item }}', 2, true],
	["={{ $('Ana\\'s (\"new\") list').item.json.phone }}", 2, true],
	["={{ $('Customers').item.json.phone }}", 1, false],
	["={{ $('Customers').first().json.item }}", 2, false],
	["={{ $('Customers').itemMatching(0).json.phone }}", 2, false],
])('refuses a tool with %s to an agent with %i items: %s', (value, count, isRefused) => {
	const sourceOverwrite = { previousNode: 'A', previousNodeOutput: 1, previousNodeRun: 2 };
	const call = (parameters: INodeParameters) => () =>
		requireSafeTool({
			getNode: () => ({ rewireOutputLogTo: 'ai_tool', parameters }),
			getInputData: () => [{ pairedItem: { item: 0, sourceOverwrite } }],
			getWorkflowDataProxy: () => ({
				$items: (...of: unknown[]) => Array(`${of}` === 'A,1,2' ? count : 3 - count),
			}),
		} as unknown as IExecuteFunctions);
	for (const parameters of [{ to: { value } }, { text: value }, { options: { body: value } }])
		if (isRefused) expect(call(parameters)).toThrow('the agent has several items');
		else expect(call(parameters)).not.toThrow();
});
