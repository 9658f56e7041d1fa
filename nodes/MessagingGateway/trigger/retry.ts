import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { subscriptionFor } from './subscription/subscriptions';

/** What an execution notes of its beginning. n8n hands it on to the execution that a person's Retry starts. */
interface Beginning {
	/** The trigger node. */
	triggerId: string;
	executionId: string;
	eventIds: string[];
}

const NOTE = 'messagingGatewayEvents';

/** Notes in an execution which events it began with, for its retry. */
export function noteBeginning(context: IExecuteFunctions, eventIds: string[]): void {
	const beginning: Beginning = {
		triggerId: context.getNode().id,
		executionId: context.getExecutionId(),
		eventIds,
	};
	(context.getContext('flow') as IDataObject)[NOTE] = { ...beginning };
}

/**
 * Does a node's work. In an execution that a person retries, the gateway's next repeat of its events is acknowledged from
 * now on and starts nothing, unless that work fails.
 *
 * @throws NodeOperationError if the gateway has repeated the event, and this node has done its work for the repeat
 */
export async function workOnce(
	context: IExecuteFunctions,
	work: () => Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
	const beginning = (context.getContext('flow') as IDataObject)[NOTE] as Beginning | undefined;
	if (beginning === undefined) return await work();

	const { triggerId, executionId: chain, eventIds } = beginning;
	const workflowId = context.getWorkflow().id ?? '';
	const key = { workflowId, nodeId: triggerId, test: false };
	const { retries } = subscriptionFor(key, context.logger);
	const { id: nodeId } = context.getNode();
	const isRetry = context.getMode() === 'retry';
	const begun = eventIds.filter((id) => retries.begin(id, nodeId, { chain, isRetry }));
	const fail = () => begun.forEach((id) => retries.fail(id, nodeId));
	if (begun.length < eventIds.length) {
		fail();
		throw alreadyDone(context);
	}

	const claimed = isRetry ? eventIds.filter((id) => retries.claim(id)) : [];
	let isDone = false;
	try {
		const result = await work();
		isDone = true;
		return result;
	} finally {
		if (!isDone) {
			fail();
			claimed.forEach((id) => retries.release(id));
		}
	}
}

function alreadyDone(context: IExecuteFunctions): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		'Another execution of the same event has done this already',
		{
			description:
				'The gateway repeats a failed event, and a person can press Retry. Whichever comes first does the work. This execution did nothing, so that nothing happens twice.',
		},
	);
}
