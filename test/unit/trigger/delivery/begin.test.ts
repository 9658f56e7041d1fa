import type { IExecuteFunctions, INodeExecutionData, Logger } from 'n8n-workflow';
import { begin } from '../../../../nodes/MessagingGateway/trigger/delivery/begin';
import { combineMessages } from '../../../../nodes/MessagingGateway/trigger/delivery/conversation';
import { subscriptionFor } from '../../../../nodes/MessagingGateway/trigger/subscription/subscriptions';

const KEY = { workflowId: 'workflow', nodeId: 'node', test: false };
const PATIENCE_MS = 60_000;

afterEach(() => jest.useRealTimers());

/** What an execution begins with, given these items. */
async function beginWith(executionId: string, items: INodeExecutionData[]) {
	const context = {
		getInputData: () => items,
		getMode: () => 'webhook',
		getWorkflow: () => ({ id: KEY.workflowId }),
		getNode: () => ({ id: KEY.nodeId }),
		getExecutionId: () => executionId,
		getNodeParameter: () => 'simplified',
	} as unknown as IExecuteFunctions;
	const [begun] = await begin.call(context);
	return begun.map(({ json }) => json.text);
}

it('leaves out the messages of which another execution has begun, and keeps the others', async () => {
	jest.useFakeTimers({ now: 0 });
	const { deduplicator: duplicates } = subscriptionFor(KEY, {} as Logger);
	const say = (...texts: string[]) => ({
		json: combineMessages(
			texts.map((text) => ({ eventId: text, text })),
			'simplified',
		),
	});
	for (const id of ['one', 'two']) duplicates.accept(id, () => PATIENCE_MS);
	// n8n does not answer that start, and one of them is repeated together with something new.
	jest.setSystemTime(PATIENCE_MS);
	for (const id of ['two', 'three']) duplicates.accept(id, () => PATIENCE_MS);

	expect(await beginWith('first', [say('one', 'two')])).toEqual(['one\ntwo']);
	expect(await beginWith('second', [say('two', 'three'), say('two')])).toEqual(['three']);
});
