import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { publish } from '../../host/drafts/workflows';
import { startHostOn, type Host } from '../../host/host';
import { projectFolder } from '../../host/places';
import { findFreePort } from '../../host/ports';
import { startQueueN8n, type QueueN8n } from '../../host/queue';
import { draftAnswering } from '../support/drafts/trigger';
import { startHaproxy } from '../support/haproxy';
import { countAnswers } from '../support/tally';

jest.setTimeout(600_000);

const EVENTS = 60;
const EVENTS_A_SECOND = 10;

let haproxy: { stop(): Promise<void> };
let n8n: QueueN8n;
let host: Host;

beforeAll(async () => {
	const [publicPort, one, two] = [await findFreePort(), await findFreePort(), await findFreePort()];
	haproxy = await startHaproxy(join(projectFolder, 'test', 'nightly', 'queue.cfg'), {
		LISTEN: `127.0.0.1:${publicPort}`,
		ONE: `127.0.0.1:${one}`,
		TWO: `127.0.0.1:${two}`,
	});
	// n8n notices within seconds that a worker is gone.
	const env = {
		QUEUE_WORKER_LOCK_DURATION: '6000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
		QUEUE_WORKER_STALLED_INTERVAL: '3000',
	};
	n8n = await startQueueN8n({ env, ports: [one, two], publicPort });
	host = await startHostOn(n8n, {
		retryDelaysMs: [500, 1_000, 2_000, ...Array<number>(100).fill(4_000)],
		statusDelaysMs: { sent: null, delivered: null, read: null },
	});
});

afterEach(() => host.gateway.reset({ webhooks: true }));

afterAll(async () => {
	await host?.stop();
	await haproxy?.stop();
});

/** Lets somebody write, and answers the IDs of the events. */
async function write(during: (sent: number) => Promise<unknown>): Promise<string[]> {
	const ids: string[] = [];
	while (ids.length < EVENTS) {
		await during(ids.length);
		ids.push(host.gateway.write(`event-${ids.length}`).id);
		await pause(1_000 / EVENTS_A_SECOND);
	}
	await host.gateway.drained();
	return ids;
}

it('answers each message once, though each is delivered twice, in several workflows', async () => {
	const { api, gateway } = host;
	gateway.setDelivery({ duplicate: 2 });
	const workflows = [];
	for (let count = 0; count < 4; count++)
		workflows.push(await publish(api, draftAnswering(host, [])));
	const ids = await write(async () => {});
	for (const id of workflows) await api.waitForExecutions(id, EVENTS, 120_000);

	expect([...countAnswers(gateway, ids).values()]).toEqual(ids.map(() => workflows.length));
	for (const id of workflows) await api.deleteWorkflow(id);
});

it.each([
	['a webhook processor', () => n8n.processors[0]],
	['the worker', () => n8n.worker],
	['Redis', () => n8n.redis],
])('starts each event while %s is killed and started again', async (_name, find) => {
	const { api } = host;
	const id = await publish(api, draftAnswering(host, []));
	const ids = await write(async (sent) => {
		if (sent === EVENTS / 3) await find().kill();
		if (sent === (2 * EVENTS) / 3) await find().start();
	});
	await api.waitForExecutions(id, EVENTS, 120_000);
	// A killed process may have sent an answer that its successor sends again.
	expect([...countAnswers(host.gateway, ids).keys()].sort()).toEqual(ids.toSorted());
	await api.deleteWorkflow(id);
});
