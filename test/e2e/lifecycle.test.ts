import { waitFor } from '../../lab/host/waiting';
import type { Simulator } from '../../lab/simulator';
import { deliver, post } from '../contract/deliveries';
import {
	createTriggerWorkflow,
	draftTriggerWorkflow,
	type TriggerDraft,
	type TriggerWorkflow,
} from '../support/drafts/trigger';
import { host, useHost } from '../support/host';

// The webhook of a trigger, whatever a person does to the workflow. Restarts are in hearing.test.ts.

useHost();

const SOMEBODY_ELSE = 'https://somebody.example.com/hook';

let gateway: Simulator;

beforeAll(async () => {
	gateway = host.gateway;
	gateway.createWebhook({ url: SOMEBODY_ELSE, events: ['MESSAGE.RECEIVED'] });
});

afterEach(() => {
	gateway.faults.clear();
	expect(recordsOf(SOMEBODY_ELSE)).toHaveLength(1);
});

const recordsOf = (url: string) => gateway.webhooks().filter((webhook) => webhook.url === url);

/** Publishes as a person does, who presses the button again if n8n says that it did not work. */
async function publish(id: string): Promise<void> {
	for (let presses = 1; ; presses++) {
		try {
			return await host.api.publish(id);
		} catch (error) {
			if (presses === 3) throw error;
		}
	}
}

async function createPublished(draft: TriggerDraft = {}): Promise<TriggerWorkflow> {
	const workflow = await createTriggerWorkflow(host, draft);
	expect(recordsOf(workflow.url)).toHaveLength(0);
	await publish(workflow.id);
	return workflow;
}

/** The one webhook, proven by an event that comes through it. */
async function expectOneRecord({ id, url }: TriggerWorkflow) {
	const records = recordsOf(url);
	expect(records).toHaveLength(1);
	const before = (await host.api.listExecutions(id)).length;
	expect((await post(url, deliver(records[0]))).status).toBe(200);
	const ended = await host.api.waitForExecutions(id, before + 1);
	expect(ended).toHaveLength(before + 1);
	expect(ended.at(-1)?.status).toBe('success');
	return records[0];
}

async function change(workflow: TriggerWorkflow, draft: TriggerDraft): Promise<void> {
	const changed = draftTriggerWorkflow(host, { webhookId: workflow.webhookId, ...draft });
	await host.api.updateWorkflow(workflow.id, changed);
	await publish(workflow.id);
}

it('deletes its webhook after the node was renamed', async () => {
	const workflow = await createPublished();
	await change(workflow, { node: 'Another name' });
	await expectOneRecord(workflow);
	await host.api.unpublish(workflow.id);
	expect(recordsOf(workflow.url)).toEqual([]);
});

it('has a second webhook while the editor listens for a test event', async () => {
	const workflow = await createPublished();
	await host.api.listenForTest(workflow.id, 'Trigger');
	expect(recordsOf(workflow.testUrl)).toHaveLength(1);
	const production = await expectOneRecord(workflow);

	await host.api.stopListening(workflow.id);
	await waitFor('n8n to end the test webhook', () => recordsOf(workflow.testUrl).length === 0);
	expect((await expectOneRecord(workflow)).id).toBe(production.id);
});
