import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

/**
 * Passes on the items of the delivery.
 *
 * @throws NodeOperationError if a person retries an alarm of the trigger, which has no event
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = this.getInputData();
	const isEmpty = items.every(({ json }) => Object.keys(json).length === 0);
	if (this.getMode() !== 'retry' || !isEmpty) return await Promise.resolve([items]);
	throw new NodeOperationError(this.getNode(), 'There is no event here that could run again', {
		description:
			'This was the alarm of the trigger, not an event. Do what the alarm says: the trigger goes on by itself.',
	});
}
