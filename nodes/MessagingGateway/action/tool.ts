import { NodeConnectionTypes, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

/**
 * Whether an agent calls the node itself as a tool, with arguments as the only item (AI Agent 2, and tools of tools).
 * `isToolExecution` says so too, but is younger than the oldest n8n supported.
 */
export function isToolCall(functions: IExecuteFunctions): boolean {
	return 'getNextRunIndex' in functions;
}

/** Whether n8n runs the node for an agent that has asked it to (AI Agent 3). */
function isRunForAgent(functions: IExecuteFunctions): boolean {
	return functions.getNode().rewireOutputLogTo === NodeConnectionTypes.AiTool;
}

/** Whether a model reads what the node puts out. */
export function isReadByModel(functions: IExecuteFunctions): boolean {
	return isToolCall(functions) || isRunForAgent(functions);
}

/**
 * Where n8n runs the tool for the agent (AI Agent 3), it moves every item to an error output that no tool has: the
 * model would hear of nothing, neither of a message that was sent nor of one that was not, and try again.
 *
 * @throws NodeOperationError before any request, which does reach the model
 */
export function refuseToBeSilenced(functions: IExecuteFunctions): void {
	const node = functions.getNode();
	if (!isRunForAgent(functions) || node.onError !== 'continueErrorOutput') return;
	throw new NodeOperationError(
		node,
		'Nothing was done: with “Continue (using error output)” n8n does not tell an agent what its tool has done',
		{
			description:
				'Set On Error in the settings of this tool to “Continue” or “Stop Workflow”. n8n hands a tool’s output to the agent only then.',
		},
	);
}

/**
 * An agent that calls the node itself (AI Agent 2) goes on at once, and leaves an execution that waits for good.
 *
 * @throws NodeOperationError before anything is sent
 */
export function refuseToWait(functions: IExecuteFunctions): void {
	if (!isToolCall(functions)) return;
	throw new NodeOperationError(functions.getNode(), 'This agent cannot wait for an answer', {
		description:
			'Nothing was sent. An AI Agent node of version 3 or newer can wait. Delete this agent, and add a new one.',
	});
}

/**
 * In a tool, the item is what its model has written, or holds it: an expression that reads it lets the model choose the
 * number, whether the person has thought of that or not.
 *
 * @param expression of the option *Number (Instance ID)*
 * @throws NodeOperationError before anything is sent
 */
export function refuseModelsChoice(
	functions: IExecuteFunctions,
	expression: string,
	itemIndex: number,
): void {
	if (!isReadByModel(functions) || /\$fromai/i.test(expression)) return;
	if (!/\$(?:json|input|data|items?|tool)\b/.test(expression)) return;
	throw new NodeOperationError(
		functions.getNode(),
		'Number (Instance ID) of this tool would let the model choose the number',
		{
			description:
				"Nothing was sent. In a tool, $json holds what the model has written. Take the number from the trigger by its name, e.g. {{ $('Messaging Gateway Trigger').item.json.instanceId }}.",
			itemIndex,
		},
	);
}
