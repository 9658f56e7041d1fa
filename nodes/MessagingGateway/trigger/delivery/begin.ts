import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { identify } from '../memory/identity';
import { findMemory } from '../memory/memory';
import type { TriggerSettings } from '../settings';
import { combineMessages, idOf, messagesIn } from './conversation';

/**
 * Begins an execution: passes on what the delivery brought. Only an event of which another execution has begun in the
 * meantime is dropped, as when n8n did not answer a start for so long that a repeat was let through.
 */
export async function begin(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = this.getInputData();
	if (this.getMode() !== 'webhook') return [items];
	const memory = findMemory({ ...identify(this), test: false });
	// On a worker of queue mode, nothing is remembered.
	if (memory === undefined) return [items];
	memory.gathering.hasBegun();
	const executionId = this.getExecutionId();
	const begins = (json: IDataObject): boolean => memory.duplicates.begins(idOf(json), executionId);
	const begun = items.flatMap((item) => {
		const messages = messagesIn(item.json);
		const kept = messages.filter(begins);
		if (kept.length === messages.length) return [item];
		if (kept.length === 0) return [];
		const output = this.getNodeParameter('output', 0) as TriggerSettings['output'];
		return [{ ...item, json: combineMessages(kept, output) }];
	});
	return [begun];
}
