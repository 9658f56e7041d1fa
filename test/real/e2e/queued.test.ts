import type { INode } from 'n8n-workflow';
import {
	createTriggerWorkflow,
	draftTriggerWorkflow,
	publishBehindEntrance,
} from '../../../host/drafts/workflows';
import { startHost, type Host } from '../../../host/host';
import { waitFor } from '../../../host/waiting';
import { ANA, publishAsk } from '../drafts/asking';

// n8n that runs one execution at a time: whatever else comes waits in a queue, and its delivery for an answer.

let host: Host;

beforeAll(async () => {
	host = await startHost({
		n8n: { env: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' } },
		gateway: { retryDelaysMs: Array<number>(200).fill(2_000), deliveryTimeoutMs: 3_000 },
	});
});

afterAll(async () => {
	await host?.stop();
});

/** Keeps the only place until somebody stops it. */
const occupant: INode = {
	id: 'next',
	name: 'Next',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	position: [200, 0],
	parameters: {
		jsCode: `if ($json.text === 'occupy') await new Promise((resolve) => setTimeout(resolve, 240000));
return $input.all();`,
	},
};

it('starts a repeat of what was cancelled in the queue, and nothing twice of what was not', async () => {
	const workflow = await createTriggerWorkflow(host);
	const draft = draftTriggerWorkflow(host, { webhookId: workflow.webhookId });
	await host.api.updateWorkflow(workflow.id, { ...draft, nodes: [draft.nodes[0], occupant] });
	await host.api.publish(workflow.id);

	const executions = async () => await host.api.listExecutions(workflow.id);
	const queued = async () => (await executions()).filter(({ status }) => status === 'new');
	const write = (text: string) => host.gateway.write(text, { phone: '5511987654321' });
	const running = async () => (await executions()).filter(({ status }) => status === 'running');
	const untilQueued = async (count: number) =>
		await waitFor(`${count} in the queue`, async () => (await queued()).length === count, 120_000);
	write('occupy');
	await waitFor('the occupant', async () => (await running()).length === 1);
	for (const [index, text] of ['cancelled', 'occupy', 'patient'].entries()) {
		write(text);
		await untilQueued(index + 1);
	}
	const [doomed] = (await queued()).reverse();
	await host.api.stopExecution(doomed.id);
	// For each that is taken out of its queue, n8n lets the next one go on at once.
	await waitFor('the next occupant', async () => (await running()).length === 2);

	// Both that are left are repeated every few seconds. After a minute a repeat of each may start as well.
	await untilQueued(3);
	for (const { id } of await running()) await host.api.stopExecution(id);

	const texts = await waitFor('the queue to run dry', async () => {
		if ((await queued()).length > 0) return false;
		const ended = await Promise.all(
			(await executions()).map(({ id }) => host.api.getExecution(id)),
		);
		if (ended.some(({ status }) => status === 'running')) return false;
		return ended.flatMap(({ data }) =>
			(data.resultData.runData.Next ?? []).flatMap(({ data: output }) =>
				(output?.main[0] ?? []).map(({ json }) => json.text),
			),
		);
	});
	expect(texts.sort()).toEqual(['cancelled', 'patient']);
	const deliveries = host.gateway.deliveries;
	await waitFor('every event to be taken', () => {
		const taken = new Set(
			deliveries.filter(({ status }) => status === 200).map(({ eventId }) => eventId),
		);
		return taken.size === new Set(deliveries.map(({ eventId }) => eventId)).size;
	});
});

it('lets the gateway repeat the answer to a question until n8n goes on with it', async () => {
	const { api, gateway } = host;
	gateway.reset();
	const question = await (await publishAsk(host)).ask();
	await gateway.drained();
	const occupying = await publishBehindEntrance(host, [occupant]);
	await occupying.start([{ text: 'occupy' }]);
	const running = await waitFor('the occupant', async () =>
		(await api.listExecutions(occupying.id)).find(({ status }) => status === 'running'),
	);
	const { id } = gateway.write('My answer', { phone: ANA });
	// Only what n8n goes on with may be taken for the end: it may be killed before.
	const repeated = await waitFor('an answer to a repeat', () =>
		gateway.deliveries.find(({ eventId, status }) => eventId === id && status !== null),
	);
	expect(repeated.status).toBe(503);
	await api.stopExecution(running.id);
	expect(await question.answer()).toMatchObject({ text: 'My answer' });
});
