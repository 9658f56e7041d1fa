import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import type { Doer } from './memory/retries';
import { subscriptionFor } from './subscription/subscriptions';

/** What an execution notes of its beginning. n8n hands it on to the execution that a person's Retry starts. */
interface Beginning {
	/** The trigger node. */
	triggerId: string;
	executionId: string;
	/** IDs of the retries since, each of which goes on with the one before; older executions have noted none. */
	retryIds?: string[];
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
 * Does a node's work. In an execution that a person retries, the gateway's repeats of its events start nothing from now on:
 * they are deferred while the first node works, and acknowledged once it has done so.
 *
 * @throws NodeOperationError if this node has done its work for a repeat of the event, or for another retry
 */
export async function workOnce(
	context: IExecuteFunctions,
	work: () => Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
	const beginning = (context.getContext('flow') as IDataObject)[NOTE] as Beginning | undefined;
	if (beginning === undefined) return await work();

	const { triggerId, eventIds } = beginning;
	const workflowId = context.getWorkflow().id ?? '';
	const key = { workflowId, nodeId: triggerId, test: false };
	const { retries } = subscriptionFor(key, context.logger);
	const { id: nodeId } = context.getNode();
	const doer = { executionId: context.getExecutionId(), isRetry: context.getMode() === 'retry' };
	const lineage = noteRetry(beginning, doer);
	const begun = eventIds.filter((id) => retries.begin(id, nodeId, doer, lineage));
	const fail = () => begun.forEach((id) => retries.fail(id, nodeId));
	if (begun.length < eventIds.length) {
		fail();
		throw alreadyDone(context);
	}

	const claimed = doer.isRetry ? eventIds.filter((id) => retries.claim(id)) : [];
	let isDone = false;
	try {
		const result = await work();
		isDone = true;
		return result;
	} finally {
		if (!isDone) fail();
		// A tool may be called several times at once: one call that has done something is enough.
		const settled = isDone && doer.isRetry ? eventIds : claimed;
		settled.forEach((id) => retries.settle(id, isDone));
	}
}

/** Notes in a retry that it goes on with what was done before. Answers the IDs of all these executions. */
function noteRetry(beginning: Beginning, { executionId, isRetry }: Doer): string[] {
	const { retryIds = [] } = beginning;
	if (isRetry && !retryIds.includes(executionId)) beginning.retryIds = [...retryIds, executionId];
	return [beginning.executionId, ...(beginning.retryIds ?? [])];
}

/** Why an execution does nothing. */
export function alreadyDone(context: IExecuteFunctions): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		'Another execution of the same event has done this already',
		{
			description:
				'The gateway repeats a failed event, and a person can press Retry. Whichever comes first does the work. This execution did nothing, so that nothing happens twice. If a Retry has failed, retry that one.',
		},
	);
}
