import { NodeConnectionTypes, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

/** Whether an agent calls the node itself as a tool (AI Agent 2, and tools of tools). */
export function isToolCall(context: IExecuteFunctions): boolean {
	return 'getNextRunIndex' in context;
}

/** Whether n8n runs the node without an execution, as for its Agents: there is no run data, and nothing to retry. */
export function isEphemeral(context: IExecuteFunctions): boolean {
	return context.getExecutionId() === undefined;
}

/**
 * If n8n runs the tool for an agent (AI Agent 3), it moves failed items to an error output that no tool has, and the model
 * sends the message again.
 *
 * @throws {NodeOperationError} which reaches the model
 */
export function requireOutputForAgent(context: IExecuteFunctions): void {
	const node = context.getNode();
	const isTool = node.rewireOutputLogTo === NodeConnectionTypes.AiTool;
	if (!isTool || node.onError !== 'continueErrorOutput') return;
	throw new NodeOperationError(
		node,
		'Nothing was done, because “Continue (using error output)” hides from an agent what its tool has done',
		{ description: 'Set On Error in the settings of this tool to “Continue” or “Stop Workflow”.' },
	);
}

/**
 * An agent that calls the node itself goes on at once, and leaves an execution that waits for good. An Agent of n8n has none.
 *
 * @throws {NodeOperationError} before anything is sent
 */
export function requireAgentThatWaits(context: IExecuteFunctions): void {
	if (!isToolCall(context) && !isEphemeral(context)) return;
	throw new NodeOperationError(
		context.getNode(),
		'This agent cannot wait for an answer. Only an AI Agent node of version 3 or newer can wait: add a new one',
	);
}
