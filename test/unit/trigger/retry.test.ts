import { randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions, Logger, WorkflowExecuteMode } from 'n8n-workflow';
import { noteBeginning, workOnce } from '../../../nodes/MessagingGateway/trigger/retry';
import { subscriptionFor } from '../../../nodes/MessagingGateway/trigger/subscription/subscriptions';

const TRIGGER = 'trigger';
const REFUSAL = 'Another execution of the same event has done this already';

let workflowId: string;
let executions: number;

beforeEach(() => {
	workflowId = randomUUID();
	executions = 0;
});

/** An execution of the workflow, whose nodes share what it notes; a retry goes on with the notes of the one it retries. */
function execute(mode: WorkflowExecuteMode = 'webhook', flow: IDataObject = {}) {
	const executionId = String(++executions);
	const contextOf = (nodeId: string) =>
		({
			getNode: () => ({ id: nodeId, name: nodeId, parameters: {} }),
			getExecutionId: () => executionId,
			getMode: () => mode,
			getWorkflow: () => ({ id: workflowId }),
			getContext: () => flow,
			logger: {} as Logger,
		}) as unknown as IExecuteFunctions;
	return {
		begin: (...eventIds: string[]) => noteBeginning(contextOf(TRIGGER), eventIds),
		retry: () => execute('retry', structuredClone(flow)),
		/** Answers whether the node did its work. */
		async send(nodeId = 'send', failure?: Error, meanwhile = () => {}): Promise<boolean> {
			let hasWorked = false;
			await workOnce(contextOf(nodeId), async () => {
				hasWorked = true;
				meanwhile();
				if (failure) throw failure;
				return await Promise.resolve([[]]);
			}).catch(({ message }: Error) => {
				if (message !== failure?.message) expect(message).toBe(REFUSAL);
			});
			return hasWorked;
		},
	};
}

function deliver(...eventIds: string[]) {
	const execution = execute();
	execution.begin(...eventIds);
	return execution;
}

const retries = () =>
	subscriptionFor({ workflowId, nodeId: TRIGGER, test: false }, {} as Logger).retries;

/** Whether a repeat of the event is acknowledged and starts nothing. */
const isTaken = (eventId: string) => retries().has(eventId);

const BROKEN = new Error('broken');

it('works in an execution that began with no event', async () => {
	expect(await execute().send()).toBe(true);
	expect(await execute('retry').send()).toBe(true);
});

it('works anew in each repeat of the gateway, which does all of it again', async () => {
	expect(await deliver('a').send('send', BROKEN)).toBe(true);
	expect(await deliver('a').send()).toBe(true);
	expect(await deliver('a').send()).toBe(true);
	expect(isTaken('a')).toBe(false);
});

it('gives a retry the event, and no repeat does the work of its nodes', async () => {
	const first = deliver('a');
	await first.send('send', BROKEN);
	expect(await first.retry().send()).toBe(true);
	expect(isTaken('a')).toBe(true);
	expect(await deliver('a').send()).toBe(false);
	expect(await deliver('a').send('another node')).toBe(true);
});

it('gives the repeat the event again, if the retry fails too', async () => {
	const first = deliver('a');
	await first.send('send', BROKEN);
	expect(await first.retry().send('send', BROKEN)).toBe(true);
	expect(isTaken('a')).toBe(false);
	expect(await deliver('a').send()).toBe(true);
});

it.each([[undefined], [BROKEN]])(
	'defers a repeat while a retry does its first work, which ends with %s',
	async (failure) => {
		const first = deliver('a');
		await first.send('send', BROKEN);
		let during: boolean[] = [];
		await first.retry().send('send', failure, () => {
			during = [retries().isClaimed('a'), isTaken('a')];
		});
		expect(during).toEqual([true, false]);
		expect([retries().isClaimed('a'), isTaken('a')]).toEqual([false, failure === undefined]);
	},
);

it('does nothing in a second retry of the same execution, but in one of the first retry', async () => {
	const first = deliver('a');
	await first.send('send', BROKEN);
	const retry = first.retry();
	expect(await retry.send()).toBe(true);
	await retry.send('another node', BROKEN);
	expect(isTaken('a')).toBe(true);
	expect(await first.retry().send()).toBe(false);
	const second = retry.retry();
	expect(await second.send('another node')).toBe(true);
	// In a loop it comes by once more.
	expect(await second.send()).toBe(true);
	expect(await second.retry().send()).toBe(true);
});

it('does nothing in a second retry while the first one is at work', async () => {
	const first = deliver('a');
	await first.send('send', BROKEN);
	let second: Promise<boolean> | undefined;
	await first.retry().send('send', undefined, () => {
		second = first.retry().send();
	});
	expect(await second).toBe(false);
});

it('gives a retry the event for one call of a tool that ends well beside another that fails', async () => {
	const first = deliver('a');
	await first.send('send', BROKEN);
	const retry = first.retry();
	let second: Promise<boolean> | undefined;
	await retry.send('send', BROKEN, () => {
		second = retry.send();
	});
	expect(await second).toBe(true);
	expect(isTaken('a')).toBe(true);
});

it('does nothing in a retry after a repeat has done it, or while it does', async () => {
	const first = deliver('a');
	await first.send('send', BROKEN);
	expect(await deliver('a').send()).toBe(true);
	expect(await first.retry().send()).toBe(false);
	expect(await first.retry().send('another node')).toBe(true);
});

it('does nothing in a retry after one call of a tool has done it in a repeat, beside another that failed', async () => {
	const first = deliver('a');
	await first.send('tool', BROKEN);
	const repeat = deliver('a');
	let second: Promise<boolean> | undefined;
	await repeat.send('tool', BROKEN, () => {
		second = repeat.send('tool');
	});
	expect(await second).toBe(true);
	expect(await first.retry().send('tool')).toBe(false);
});

it('works in a retry after repeats that have failed', async () => {
	const first = deliver('a');
	await first.send('send', BROKEN);
	await deliver('a').send('send', BROKEN);
	expect(await first.retry().send()).toBe(true);
});

it('does nothing for many events, if another has done it for one; the others stay free', async () => {
	const first = deliver('a', 'b');
	await first.send('send', BROKEN);
	expect(await deliver('b').send()).toBe(true);
	expect(await first.retry().send()).toBe(false);
	expect(['a', 'b'].map(isTaken)).toEqual([false, false]);
	const later = deliver('a');
	expect(await later.retry().send()).toBe(true);
});
