import { createTriggerWorkflow, type TriggerWorkflow } from '../../../host/drafts/workflows';
import type { Execution } from '../../../host/executions';
import { startHost, type Host } from '../../../host/host';
import { waitFor } from '../../../host/waiting';

// A gateway whose list of webhooks names no events, and whose clock is wrong later on.

let host: Host;
let workflow: TriggerWorkflow;

beforeAll(async () => {
	host = await startHost({ n8n: {}, gateway: { listWebhookEvents: false, retryDelaysMs: [] } });
	workflow = await createTriggerWorkflow(host);
	await host.api.publish(workflow.id);
});

afterAll(async () => {
	await host?.stop();
});

/** What n8n answers the gateway's own delivery. */
async function write(): Promise<number | null> {
	const { id } = host.gateway.write('Hello');
	const delivery = await waitFor('the answer', () =>
		host.gateway.deliveries.find(({ eventId, finishedAt }) => eventId === id && finishedAt > 0),
	);
	return delivery.status;
}

async function listAlarms(): Promise<Execution[]> {
	const failed = (await host.api.listExecutions(workflow.id)).filter(
		({ status }) => status === 'error',
	);
	return await Promise.all(failed.map(async ({ id }) => await host.api.getExecution(id)));
}

const isChange = ({ method, path }: { method: string; path: string }) =>
	method !== 'GET' && path.startsWith('/v1/webhooks');

it('keeps its webhook through restarts of n8n, though the list names no events', async () => {
	const { gateway, n8n } = host;
	const [{ id, secret }] = gateway.webhooks();
	for (let starts = 1; starts <= 2; starts++) {
		const before = gateway.requests.length;
		await n8n.restart();
		await waitFor('the list to be asked for', () =>
			gateway.requests
				.slice(before)
				.some(({ method, status }) => method === 'GET' && status === 200),
		);
		expect(await write()).toBe(200);
	}
	expect(gateway.webhooks()).toMatchObject([{ id, secret }]);
	expect(gateway.requests.filter(isChange)).toHaveLength(1);
	expect(n8n.log()).not.toContain('other events');
});

it('has its trigger raise the alarm when its clock is wrong, with both times', async () => {
	host.gateway.setClock(-7 * 60);
	expect([await write(), await write(), await write()]).toEqual([401, 401, 401]);
	const [alarm] = await waitFor('the alarm', async () => {
		const alarms = await listAlarms();
		return alarms.length > 0 && alarms;
	});
	const { error } = alarm.data.resultData;
	console.log(`${error?.message}\n${error?.description}`);
	expect(error?.message).toBe('The clocks of n8n and of the gateway are 7 minutes apart');
	expect(error?.description).toMatch(
		/n8n’s clock says [-\d]+ [:\d]+ UTC, and the gateway’s says [-\d]+ [:\d]+ UTC/,
	);
	expect(host.n8n.log()).toContain(
		'refused a delivery whose signature fits, because its time stamp is 7 minutes behind n8n’s clock',
	);
	expect(host.n8n.log()).not.toContain('not signed with the secret');

	host.gateway.setClock(0);
	expect(await write()).toBe(200);
	expect(await listAlarms()).toHaveLength(1);
});
