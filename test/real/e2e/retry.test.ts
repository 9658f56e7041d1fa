import type { INode } from 'n8n-workflow';
import { choose, GATEWAY_NODE, makeNode } from '../../../host/drafts/nodes';
import { draftAnswering, publish } from '../../../host/drafts/workflows';
import type { Execution } from '../../../host/executions';
import { startHost, type Host } from '../../../host/host';
import { waitFor } from '../../../host/waiting';
import type { Fault } from '../../../simulator';

// A person retries an execution, while the gateway repeats its event: one of the two answers.

let host: Host;
let workflowId: string;

beforeAll(async () => {
	host = await startHost({ gateway: { retryDelaysMs: Array<number>(200).fill(500) } });
});

afterEach(async () => {
	await host.api.unpublish(workflowId);
	host.gateway.reset();
});

afterAll(async () => {
	await host?.stop();
});

/** Lets the first execution pass and no other, as what claims an event before it works on it. */
const onlyOnce = () =>
	makeNode(
		'n8n-nodes-base.removeDuplicates',
		'Only Once',
		{
			operation: 'removeItemsSeenInPreviousExecutions',
			logic: 'removeItemsWithAlreadySeenKeyValues',
			dedupeValue: '={{ $json.eventId }}',
			options: {},
		},
		{ typeVersion: 2 },
	);

async function listen(confirmWhen: 'started' | 'succeeded', steps: INode[] = []): Promise<void> {
	const draft = draftAnswering(host, steps, { options: { confirmWhen } });
	workflowId = await publish(host.api, draft);
}

const refuse = (times: number) =>
	host.gateway.faults.add({ match: { text: 'Answer to Hello' }, times, fault: { status: 400 } });

const answers = () => host.gateway.acceptedSends().map(({ text }) => text);

const attempts = () => host.gateway.deliveries.map(({ status }) => status);

/** Lets the gateway make one attempt and no more. */
async function deliverOnce(): Promise<void> {
	const before = host.gateway.deliveries.length;
	host.gateway.setDelivery({ pause: false });
	await waitFor('a delivery', () => host.gateway.deliveries.length > before, 60_000);
	host.gateway.setDelivery({ pause: true });
}

/** Waits for as many executions to end; the latest comes last. */
const executions = async (count: number): Promise<Execution[]> =>
	await host.api.waitForExecutions(workflowId, count, 60_000);

/** Lets the gateway repeat until it is content. Answers how many executions there are then. */
async function repeat(): Promise<number> {
	host.gateway.setDelivery({ pause: false });
	await host.gateway.drained();
	return (await host.api.listExecutions(workflowId)).length;
}

/** Presses "Retry" in the list of executions. */
async function retry({ id }: Execution): Promise<Execution> {
	const retried = await host.api.request<{ id: string }>('POST', `/executions/${id}/retry`, {
		loadWorkflow: false,
	});
	return await host.api.waitForEnd(retried.id);
}

async function failFirst(refusals = 1): Promise<Execution> {
	refuse(refusals);
	host.gateway.setDelivery({ pause: true });
	host.gateway.write('Hello');
	await deliverOnce();
	const [failed] = await executions(1);
	expect(failed.status).toBe('error');
	return failed;
}

/** Holds the next answer to the person, which then ends as the fault says. */
function holdAnswer(faultOf: (until: () => Promise<void>) => Fault) {
	let goOn = () => {};
	const gate = new Promise<void>((resolve) => (goOn = resolve));
	let isAtWork = false;
	const fault = faultOf(async () => {
		isAtWork = true;
		await gate;
	});
	host.gateway.faults.add({ match: { text: 'Answer to Hello' }, times: 1, fault });
	return { begun: async (what: string) => await waitFor(what, () => isAtWork, 60_000), goOn };
}

it('the retry comes first: the repeat is acknowledged and starts nothing', async () => {
	await listen('succeeded');
	const failed = await failFirst();
	expect((await retry(failed)).status).toBe('success');
	expect(await repeat()).toBe(2);
	expect(answers()).toEqual(['Answer to Hello']);
	expect(attempts()).toEqual([500, 200]);
});

it('the repeat comes first: the retry does nothing, and says why', async () => {
	await listen('succeeded');
	const failed = await failFirst();
	await repeat();
	const retried = await retry(failed);
	expect(retried.data.resultData.error?.message).toBe(
		'Another execution of the same event has done this already',
	);
	expect(answers()).toEqual(['Answer to Hello']);
});

it('the repeat has begun and is still at work: the retry does nothing', async () => {
	await listen('succeeded');
	const failed = await failFirst();
	const answering = holdAnswer((until) => ({ kind: 'slow', until }));
	await deliverOnce();
	await answering.begun('the repeat to answer');
	expect((await retry(failed)).status).toBe('error');
	answering.goOn();
	await repeat();
	expect(answers()).toEqual(['Answer to Hello']);
	expect(attempts()).toEqual([500, 200]);
});

it('the retry fails too: the repeat has the event again', async () => {
	await listen('succeeded');
	const failed = await failFirst(2);
	expect((await retry(failed)).status).toBe('error');
	await repeat();
	expect(answers()).toEqual(['Answer to Hello']);
});

it('the retry is still at work: the repeat is deferred, and has the event again if the retry fails', async () => {
	await listen('succeeded');
	const failed = await failFirst();
	const answering = holdAnswer((until) => ({ status: 400, until }));
	const retrying = retry(failed);
	await answering.begun('the retry to answer');
	await deliverOnce();
	await waitFor('its answer', () => attempts()[1] !== null, 60_000);
	expect(attempts()).toEqual([500, 503]);
	answering.goOn();
	expect((await retrying).status).toBe('error');
	await repeat();
	expect(answers()).toEqual(['Answer to Hello']);
});

it('the same execution is retried twice: the second retry does nothing', async () => {
	await listen('succeeded');
	const failed = await failFirst();
	expect((await retry(failed)).status).toBe('success');
	const second = await retry(failed);
	expect(answers()).toEqual(['Answer to Hello']);
	expect(second.data.resultData.error?.message).toBe(
		'Another execution of the same event has done this already',
	);
	await repeat();
	expect(answers()).toEqual(['Answer to Hello']);
});

it('the retry fails at a later node: the event stays with the person, who retries that retry', async () => {
	await listen('succeeded', [
		makeNode(
			GATEWAY_NODE,
			'First',
			{
				resource: 'message',
				operation: 'sendText',
				to: { __rl: true, mode: 'id', value: '={{ $json.replyTo }}' },
				text: 'first',
			},
			choose(host.credentials.instance),
		),
	]);
	const failing = { times: 1, fault: { status: 400 } };
	host.gateway.faults.add({ match: { text: 'first' }, ...failing });
	const failed = await failFirst();
	const retried = await retry(failed);
	expect(retried.status).toBe('error');
	expect(await repeat()).toBe(2);
	expect((await retry(failed)).status).toBe('error');
	expect((await retry(retried)).status).toBe('success');
	expect(answers()).toEqual(['first', 'Answer to Hello']);
	expect(attempts()).toEqual([500, 200]);
});

it('a repeat has failed as well: the first execution can be retried all the same', async () => {
	await listen('succeeded');
	const failed = await failFirst(2);
	await deliverOnce();
	await executions(2);
	expect((await retry(failed)).status).toBe('success');
	expect(await repeat()).toBe(3);
	expect(answers()).toEqual(['Answer to Hello']);
	expect(attempts()).toEqual([500, 500, 200]);
});

it('the repeat ended well without the node that failed: the retry does its work', async () => {
	await listen('succeeded', [onlyOnce()]);
	const failed = await failFirst();
	expect(await repeat()).toBe(2);
	expect(answers()).toEqual([]);
	expect((await retry(failed)).status).toBe('success');
	expect(answers()).toEqual(['Answer to Hello']);
});

it('an event that was confirmed at its start is not repeated: every retry runs', async () => {
	await listen('started');
	const failed = await failFirst();
	expect((await retry(failed)).status).toBe('success');
	expect(await repeat()).toBe(2);
	expect(answers()).toEqual(['Answer to Hello']);
	expect(attempts()).toEqual([200]);
});
