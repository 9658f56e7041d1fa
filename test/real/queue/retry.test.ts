import './mode';
import { draftAnswering, publish } from '../../../host/drafts/workflows';
import { startHost, type Host } from '../../../host/host';
import type { QueueN8n } from '../../../host/queue';
import { waitFor } from '../../../host/waiting';

// A person retries an execution in queue mode, with one worker: what it has done is known there, and to no processor.

let host: Host;
let workflowId: string;

beforeAll(async () => {
	host = await startHost({ gateway: { retryDelaysMs: [500, 500] } });
	const [, second] = (host.n8n as QueueN8n).workers;
	await second.stop();
	workflowId = await publish(
		host.api,
		draftAnswering(host, [], { options: { confirmWhen: 'succeeded' } }),
	);
});

afterEach(() => host.gateway.reset());

afterAll(async () => {
	await host?.stop();
});

/** Presses "Retry" in the list of executions. Answers its error, if there is one. */
async function retry(id: string): Promise<string | undefined> {
	const { id: retryId } = await host.api.request<{ id: string }>(
		'POST',
		`/executions/${id}/retry`,
		{ loadWorkflow: false },
	);
	return (await host.api.waitForEnd(retryId)).data.resultData.error?.message;
}

/** Lets the answer to a message be refused once. Answers the execution that failed. */
async function failOnce(text: string): Promise<string> {
	const before = (await host.api.listExecutions(workflowId)).length;
	host.gateway.faults.add({
		match: { text: `Answer to ${text}` },
		times: 1,
		fault: { status: 400 },
	});
	host.gateway.setDelivery({ pause: true });
	host.gateway.write(text);
	host.gateway.setDelivery({ pause: false });
	await waitFor('a delivery', () => host.gateway.deliveries.length > 0, 60_000);
	host.gateway.setDelivery({ pause: true });
	const { [before]: failed } = await host.api.waitForExecutions(workflowId, before + 1, 60_000);
	expect(failed.status).toBe('error');
	return failed.id;
}

async function repeat(): Promise<void> {
	host.gateway.setDelivery({ pause: false });
	await host.gateway.drained();
}

const DONE = 'Another execution of the same event has done this already';
const answers = () => host.gateway.acceptedSends().map(({ text }) => text);

it('the retry comes first: the repeat is acknowledged, and its execution does nothing', async () => {
	const failed = await failOnce('Hello');
	expect(await retry(failed)).toBeUndefined();
	await repeat();
	expect(answers()).toEqual(['Answer to Hello']);
	expect(host.gateway.deliveries.map(({ status }) => status)).toEqual([500, 200]);
	const [last] = await host.api.listExecutions(workflowId);
	const { data } = await host.api.getExecution(last.id);
	expect(Object.keys(data.resultData.runData)).toEqual(['Message Received']);
});

it('the repeat comes first: the retry does nothing, and says why', async () => {
	const failed = await failOnce('Hi');
	await repeat();
	expect(await retry(failed)).toBe(DONE);
	expect(answers()).toEqual(['Answer to Hi']);
});
