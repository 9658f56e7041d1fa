import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { identify } from '../memory/identity';
import { findMemory } from '../memory/memory';

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
	return [items.filter(({ json }) => memory.duplicates.begins(idOf(json), executionId))];
}

/** The event's id, in either output. */
function idOf({ eventId, id }: INodeExecutionData['json']): string {
	return String(eventId ?? id ?? '');
}
