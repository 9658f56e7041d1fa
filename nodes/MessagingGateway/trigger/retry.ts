import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { recall } from './memory/memory';

/** What an execution notes of its beginning. n8n hands it on to the execution that a person's Retry starts. */
interface Beginning {
	/** The trigger node. */
	nodeId: string;
	executionId: string;
	eventIds: string[];
}

const NOTE = 'messagingGatewayEvents';

/** Notes in an execution which events it began with, for its retry. */
export function noteBeginning(context: IExecuteFunctions, eventIds: string[]): void {
	const beginning: Beginning = {
		nodeId: context.getNode().id,
		executionId: context.getExecutionId(),
		eventIds,
	};
	(context.getContext('flow') as IDataObject)[NOTE] = { ...beginning };
}

/**
 * Does a node's work. In an execution that a person retries, the gateway's next repeat of its events is acknowledged from
 * now on and starts nothing, unless that work fails.
 *
 * @throws NodeOperationError if a repeat has come first: that one has the event
 */
export async function workOnce(
	context: IExecuteFunctions,
	work: () => Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
	if (context.getMode() !== 'retry') return await work();
	const beginning = (context.getContext('flow') as IDataObject)[NOTE] as Beginning | undefined;
	if (beginning === undefined) return await work();

	const { nodeId, executionId, eventIds } = beginning;
	const workflowId = context.getWorkflow().id ?? '';
	const { duplicates, retries } = recall({ workflowId, nodeId, test: false }, context.logger);
	if (eventIds.some((id) => retries.hasMovedOn(id, executionId) && duplicates.isTaken(id))) {
		throw new NodeOperationError(
			context.getNode(),
			'The gateway has sent this event again, and another execution has taken it',
			{
				description:
					'This node did nothing, so that nothing happens twice. Look at the newer executions of this workflow.',
			},
		);
	}
	const claimed = eventIds.filter((id) => retries.claim(id));
	try {
		return await work();
	} catch (error) {
		claimed.forEach((id) => retries.release(id));
		throw error;
	}
}
