import { randomUUID } from 'node:crypto';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	Logger,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Account } from '../../../../nodes/MessagingGateway/question/account';
import { noteArrival, setForwarder } from '../../../../nodes/MessagingGateway/question/accounts';
import { isForwarded } from '../../../../nodes/MessagingGateway/question/parking';
import { begin } from '../../../../nodes/MessagingGateway/trigger/delivery/begin';
import { subscriptionFor } from '../../../../nodes/MessagingGateway/trigger/subscription/subscriptions';

const REFUSAL = 'Another execution of the same event has done this already';

let workflowId: string;

beforeEach(() => {
	workflowId = randomUUID();
});

const known = () => subscriptionFor({ workflowId, nodeId: 'node', test: false }, {} as Logger);
const items = (...ids: string[]): INodeExecutionData[] => ids.map((id) => ({ json: { id } }));

/** An execution that begins with these items: what it passes on, and of which events it notes that it began with them. */
async function execute(
	input: INodeExecutionData[],
	{ mode = 'webhook' as WorkflowExecuteMode, confirmWhen = 'succeeded' } = {},
) {
	const flow: IDataObject = {};
	const context = {
		getInputData: () => input,
		getMode: () => mode,
		getWorkflow: () => ({ id: workflowId }),
		getNode: () => ({ id: 'node', name: 'Trigger', parameters: {} }),
		getExecutionId: () => randomUUID(),
		getNodeParameter: (name: string) => (name === 'options' ? { confirmWhen } : 'raw'),
		getContext: () => flow,
		logger: {},
	} as unknown as IExecuteFunctions;
	const [error, begun] = await begin.call(context).then(
		([passed]): [undefined, unknown[]] => [undefined, passed.map(({ json }) => json.id)],
		({ message }: Error): [string, undefined] => [message, undefined],
	);
	const [note] = Object.values(flow) as Array<{ eventIds: string[] } | undefined>;
	return { error, begun, noted: note?.eventIds };
}

it('tells that this process runs the executions of published workflows, so that questions may be parked', async () => {
	const trigger = randomUUID();
	const account = new Account(trigger, 'whsec_x');
	account.memory.listsAll = true;
	setForwarder(trigger, account, { isProven: true });
	noteArrival(trigger);
	await execute(items('a'), { mode: 'manual' });
	expect(isForwarded(account)).toBe(false);
	await execute(items('a'));
	expect(isForwarded(account)).toBe(true);
});

it('lets the next start leave, where n8n answers this one only at the end', async () => {
	jest.useFakeTimers();
	const terms = { capacity: 9, deadline: Date.now() + 60_000, answeredAtEnd: true };
	const entry = { item: { json: {} }, time: 0 };
	const { batcher } = known();
	await batcher.join(entry, terms);
	let left = false;
	void batcher.join(entry, terms).then(() => (left = true));
	await execute(items('a'));
	await jest.advanceTimersByTimeAsync(0);
	jest.useRealTimers();
	expect(left).toBe(true);
});

it('notes its events for a retry where their success is waited for', async () => {
	expect(await execute(items('a', 'b'))).toEqual({ begun: ['a', 'b'], noted: ['a', 'b'] });
});

it('notes nothing where nobody repeats them', async () => {
	expect(await execute(items('a'), { confirmWhen: 'started' })).toEqual({ begun: ['a'] });
});

it('notes only those that it has', async () => {
	jest.useFakeTimers();
	known().deduplicator.accept('a', () => 1);
	jest.advanceTimersByTime(1);
	known().deduplicator.accept('a', () => 1);
	jest.useRealTimers();
	await execute(items('a'));
	expect(await execute(items('a', 'b'))).toEqual({ begun: ['b'], noted: ['b'] });
});

it('does nothing while a retry works on one of its events, and can be retried itself', async () => {
	known().retries.claim('b');
	expect(await execute(items('a', 'b'))).toEqual({ error: REFUSAL, noted: ['a', 'b'] });
});

it('leaves out an event of which a retry has done something', async () => {
	known().retries.settle('a', true);
	expect((await execute(items('a', 'b'))).begun).toEqual(['b']);
});

it.each(['manual', 'trigger', 'retry'] as const)(
	'in the mode %s it passes on all that there is, whoever has it',
	async (mode) => {
		known().retries.claim('a');
		known().retries.settle('b', true);
		expect((await execute(items('a', 'b'), { mode })).begun).toEqual(['a', 'b']);
	},
);

it('says that a retried alarm holds no event', async () => {
	const alarm: INodeExecutionData[] = [{ json: {} }];
	expect((await execute(alarm, { mode: 'retry' })).error).toBe(
		'There is no event here that could run again',
	);
	expect((await execute(alarm, { mode: 'trigger' })).error).toBeUndefined();
	expect((await execute([...alarm, ...items('a')], { mode: 'retry' })).error).toBeUndefined();
});
