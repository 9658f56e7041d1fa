import {
	NodeConnectionTypes,
	NodeOperationError,
	type IExecuteFunctions,
	type IPairedItemData,
} from 'n8n-workflow';

/** Whether an agent calls the node itself as a tool (AI Agent 2). */
export function isToolCall(context: IExecuteFunctions): boolean {
	return 'getNextRunIndex' in context;
}

/** Whether n8n runs the node without an execution and its data, as for its Agents. */
export function isEphemeral(context: IExecuteFunctions): boolean {
	return context.getExecutionId() === undefined;
}

/**
 * If n8n runs the tool for an agent (AI Agent 3), it moves failed items to an error output that no
 * tool has. With several items, `.item` in the tool is the first one in each call.
 *
 * @throws {NodeOperationError} which reaches the model
 */
export function requireSafeTool(context: IExecuteFunctions): void {
	const node = context.getNode();
	if (node.rewireOutputLogTo !== NodeConnectionTypes.AiTool) return;
	const refuse = (reason: string, description: string): never => {
		throw new NodeOperationError(node, `Nothing was done, because ${reason}`, { description });
	};
	if (node.onError === 'continueErrorOutput')
		refuse(
			'“Continue (using error output)” hides from an agent what its tool has done',
			'Set On Error in the settings of this tool to “Continue” or “Stop Workflow”.',
		);
	if (/\)\.item\b/.test(JSON.stringify(node.parameters)) && countItemsOfAgent(context) > 1)
		refuse(
			'the agent has several items, and “.item” in its tool is always the first one',
			'Give the agent one item: put it into a sub-workflow that runs once for each item.',
		);
}

function countItemsOfAgent(context: IExecuteFunctions): number {
	const { sourceOverwrite: source } = context.getInputData()[0].pairedItem as IPairedItemData;
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
