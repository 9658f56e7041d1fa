import { join } from 'node:path';
import { openDataTable } from '../../../host/dataTables';
import { publish } from '../../../host/drafts/workflows';
import { startHost, type Host } from '../../../host/host';
import { projectFolder } from '../../../host/places';
import { waitFor } from '../../../host/waiting';
import { readWorkflow } from '../../../host/workflows';

// The two safe ends: what is claimed before it is sent, and what is answered when it is done.

let host: Host;
let workflowId: string;

beforeAll(async () => {
	host = await startHost({
		n8n: {},
		gateway: {
			retryDelaysMs: Array<number>(60).fill(1_000),
			statusDelaysMs: { sent: null, delivered: null, read: null },
		},
	});
});

afterAll(async () => {
	await host?.stop();
});

afterEach(async () => {
	await host.api.unpublish(workflowId);
	host.gateway.reset();
});

async function useExample(name: string): Promise<void> {
	const file = join(projectFolder, 'examples', `${name}.json`);
	workflowId = await publish(host.api, readWorkflow(file, host.credentials));
}

const statuses = () => host.gateway.deliveries.map(({ status }) => status);

/** Kills n8n while the gateway has a message of it, and has not answered yet. */
async function crashInTheMiddle(): Promise<void> {
	let isDead = () => {};
	const dead = new Promise<void>((resolve) => (isDead = resolve));
	const fault = { kind: 'slow' as const, until: async () => await dead };
	const match = { method: 'POST', path: '/v1/messages/send-text' };
	const planned = host.gateway.faults.add({ match, fault });
	host.gateway.write('One coffee');
	await waitFor('the message at the gateway', () => planned.hits > 0);
	await host.n8n.kill();
	isDead();
	await waitFor('the message to be taken', () => host.gateway.acceptedSends().length === 1);
	await host.n8n.start();
	await host.gateway.drained();
}

describe('claim before sending', () => {
	it('answers an event once, and not again after a crash', async () => {
		await useExample('claim-before-sending');
		await crashInTheMiddle();

		expect(statuses().at(-1)).toBe(200);
		expect(host.gateway.acceptedSends()).toHaveLength(1);
		const claims = await openDataTable(host.api, 'gateway claims');
		const [{ eventId }] = host.gateway.deliveries;
		expect(await claims.readRows()).toMatchObject([{ eventId }]);

		host.gateway.write('One tea');
		await host.gateway.drained();
		expect(host.gateway.acceptedSends().map(({ text }) => text)).toEqual([
			'Your order was taken: One coffee',
			'Your order was taken: One tea',
		]);
	});
});

describe('answer when done', () => {
	it('answers again what it may have answered before a crash', async () => {
		await useExample('answer-when-done');
		await crashInTheMiddle();

		expect(statuses().at(-1)).toBe(200);
		expect(host.gateway.acceptedSends().map(({ text }) => text)).toEqual(
			Array(2).fill('Your order was taken: One coffee'),
		);
	});

	it('has everything repeated that may succeed later, and gives up what would fail each time', async () => {
		await useExample('answer-when-done');
		const match = { path: '/v1/messages/send-text' };
		host.gateway.faults.add({ match, fault: { status: 502 } });
		host.gateway.faults.add({ match, fault: { status: 429 } });
		host.gateway.write('One coffee');
		await host.gateway.drained();
		expect(statuses()).toEqual([500, 500, 200]);
		expect(host.gateway.acceptedSends()).toHaveLength(1);

		host.gateway.faults.add({ match, fault: { status: 400 } });
		host.gateway.write('One tea');
		await host.gateway.drained();
		expect(statuses()).toEqual([500, 500, 200, 200]);
		expect(host.gateway.acceptedSends()).toHaveLength(1);
	});
});
