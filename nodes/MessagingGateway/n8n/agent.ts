import {
	NodeConnectionTypes,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IPairedItemData,
} from 'n8n-workflow';

/**
 * Whether an agent calls the node itself, as AI Agent 2 does. n8n gives such a call a context of
 * another kind (`supply-data-context.ts`), and its failures are outputs.
 */
export function isToolCall(context: IExecuteFunctions): boolean {
	return 'getNextRunIndex' in context;
}

/**
 * Whether n8n runs the node without an execution and its data, as for its Agents, MCP and the public
 * API (`ephemeral-node-executor.ts`). Nothing can wait or be remembered there.
 */
export function isEphemeral(context: IExecuteFunctions): boolean {
	return context.getExecutionId() === undefined;
}

/**
 * Whether n8n runs the node as a tool for an agent, as AI Agent 3 asks it to (`requests-response.ts`).
 * The model reads the output; no node comes behind.
 */
export function isRunForAgent(context: IExecuteFunctions): boolean {
	return context.getNode().rewireOutputLogTo === NodeConnectionTypes.AiTool;
}

/**
 * Whether the node reviews the calls of an agent's tools. n8n derives this type from every node that
 * can send and wait (`hitl-tools.ts`).
 */
export function isReview(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('HitlTool');
}

/**
 * Refuses a tool whose agent would not learn what it has done.
 *
 * @throws {NodeOperationError} which reaches the model
 */
export function requireSafeTool(context: IExecuteFunctions): void {
	if (!isRunForAgent(context)) return;

	requireNoErrorOutput(context);
	requireOneItem(context);
}

/** n8n moves failed items to the error output, which no tool has: the agent would read of a success. */
function requireNoErrorOutput(context: IExecuteFunctions): void {
	const node = context.getNode();
	if (node.onError !== 'continueErrorOutput') return;

	throw new NodeOperationError(
		node,
		'Nothing was done, because “Continue (using error output)” hides from an agent what its tool has done',
		{ description: 'Set On Error in the settings of this tool to “Continue” or “Stop Workflow”.' },
	);
}

/**
 * If an agent has several items, n8n resolves `$('Trigger').item` in its tool to the first one in each
 * call: all answers would go to the first person.
 */
function requireOneItem(context: IExecuteFunctions): void {
	const node = context.getNode();
	const usesPairedItem = /\)\.item\b/.test(JSON.stringify(node.parameters));
	if (!usesPairedItem || countItemsOfAgent(context) <= 1) return;

	throw new NodeOperationError(
		node,
		'Nothing was done, because the agent has several items, and “.item” in its tool is always the first one',
		{
			description:
				'Give the agent one item: put it into a sub-workflow that runs once for each item.',
		},
	);
}

/** The call of a tool has one item. It tells where the items of its agent came from. */
function countItemsOfAgent(context: IExecuteFunctions): number {
	const [item] = context.getInputData();
	const { sourceOverwrite: source } = item.pairedItem as IPairedItemData;
	if (source === undefined) return 1;

	const { $items } = context.getWorkflowDataProxy(0) as { $items: (...of: unknown[]) => unknown[] };
	return $items(source.previousNode, source.previousNodeOutput, source.previousNodeRun).length;
}

/** Refuses an agent that calls the node itself: the execution would wait for good. */
export function requireAgentThatWaits(context: IExecuteFunctions): void {
	if (!isToolCall(context) && !isEphemeral(context)) return;

	throw new NodeOperationError(
		context.getNode(),
		'This agent cannot wait for an answer. Only an AI Agent node of version 3 or newer can wait: add a new one',
	);
}

/**
 * The output of a review that nobody has decided. n8n takes everything but `approved: true` for a no,
 * and tells the model *User rejected the tool call*: the customer would hear that the boss has
 * declined, who was never asked. But it passes `chatInput` on as the reviewer's words
 * (`processHitlResponses.ts` of its langchain nodes).
 */
export function undecided(reason: string): IDataObject {
	return { chatInput: reason };
}

/**
 * Runs a review, and tells the agent if no review took place. The execution is a success then, since
 * the agent goes on: a hint keeps the reason visible. A reviewer that its author has set to *Stop
 * Workflow* stops it.
 *
 * @throws {Error} that of `run`, if the node is no review, or stops the workflow
 */
export async function tellReviewedAgent(
	context: IExecuteFunctions,
	run: () => Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
	const isTold = isReview(context) && context.getNode().onError !== 'stopWorkflow';
	if (!isTold) return await run();

	try {
		return await run();
	} catch (error) {
		const { message } = error as Error;
		const reason = `No review took place, so nothing is decided, and nothing was done. The reason: ${message}`;
		// The editor renders hints as HTML. The message of an error of the node is plain text already.
		context.addExecutionHints({ message: reason, type: 'warning', location: 'outputPane' });

		// n8n's *Retry On Fail* looks at `error`.
		const json = { ...undecided(reason), error: { message } };
		return [[{ json, pairedItem: { item: 0 } }]];
	}
}
