import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { noteExecution } from '../../question/parking';
import { alreadyDone, noteBeginning } from '../retry';
import type { TriggerSettings } from '../settings';
import { subscriptionOf } from '../subscription/subscriptions';
import { combineMessages, idOf, messagesIn } from './conversation';

/**
 * Begins an execution: passes on what the delivery brought. Only an event of which another execution has begun in the
 * meantime is dropped: as when n8n did not answer a start for so long that a repeat was let through, or when it was
 * killed while it started an execution, and goes on with that after its own start.
 *
 * @throws NodeOperationError for an alarm of the trigger that somebody retries: there is no event in it; and for a repeat
 * that a process without knowledge of the retry at work has let through, so that the gateway repeats it again
 */
export async function begin(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = this.getInputData();
	noteExecution(this);
	if (this.getMode() === 'retry' && items.every(({ json }) => Object.keys(json).length === 0)) {
		throw new NodeOperationError(this.getNode(), 'There is no event here that could run again', {
			description:
				'This was the alarm of the trigger, not an event. Do what the alarm says: the trigger goes on by itself.',
		});
	}
	if (this.getMode() !== 'webhook') return [items];
	const { batcher, deduplicator, retries } = subscriptionOf(this);
	batcher.hasBegun();
	const executionId = this.getExecutionId();
	const { confirmWhen } = this.getNodeParameter('options', 0, {}) as IDataObject;
	const isDone = confirmWhen !== 'succeeded';
	if (eventsIn(items).some((id) => retries.isClaimed(id))) {
		noteBeginning(this, eventsIn(items));
		throw alreadyDone(this);
	}
	const begins = (json: IDataObject): boolean => {
		const id = idOf(json);
		const isFirst = deduplicator.begins(id, executionId, isDone);
		return isFirst && !retries.has(id);
	};
	const begun = items.flatMap((item) => {
		const messages = messagesIn(item.json);
		const kept = messages.filter(begins);
		if (kept.length === messages.length) return [item];
		if (kept.length === 0) return [];
		const output = this.getNodeParameter('output', 0) as TriggerSettings['output'];
		return [{ ...item, json: combineMessages(kept, output) }];
	});
	if (!isDone) noteBeginning(this, eventsIn(begun));
	return [begun];
}

function eventsIn(items: INodeExecutionData[]): string[] {
	return items.flatMap(({ json }) => messagesIn(json)).map(idOf);
}
