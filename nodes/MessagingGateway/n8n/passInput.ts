import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * Sets what the workflow goes on with if nobody resumes a waiting execution in time.
 *
 * n8n runs no code of the node then: it disables the node, drops what the node has put out, and passes
 * its input on, as of every disabled node (`handleWaitingState` of n8n's `workflow-execute.ts`). So the
 * input itself is changed. Two things there belong to others as well:
 * - the items, to the node before, whose output they are: they are copied;
 * - the node, to the other calls of an agent, which n8n would disable with it: it is copied.
 *
 * @param change gives the JSON of an item from that of the input; the files stay
 * @returns the JSON of the first item
 */
export function passOn(
	context: IExecuteFunctions,
	change: (json: IDataObject) => IDataObject,
): IDataObject {
	const executeData = context.getExecuteData();
	executeData.node = { ...executeData.node };

	const input = executeData.data.main[0] ?? [];
	const items = input.map((item) => ({ ...item, json: change(item.json) }));
	executeData.data.main = [items];
	return items[0].json;
}
