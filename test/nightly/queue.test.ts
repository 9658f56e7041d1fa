import { setTimeout as pause } from 'node:timers/promises';
import { draftAnswering, publish } from '../../host/drafts/workflows';
import { startHostOn, type Host } from '../../host/host';
import { startQueueN8n, type QueueN8n } from '../../host/queue';

const EVENTS = 60;
const EVENTS_A_SECOND = 10;

let n8n: QueueN8n;
let host: Host;

beforeAll(async () => {
	n8n = await startQueueN8n({
		// n8n notices within seconds that a worker is gone.
		QUEUE_WORKER_LOCK_DURATION: '6000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
		QUEUE_WORKER_STALLED_INTERVAL: '3000',
	});
	host = await startHostOn(n8n, {
		retryDelaysMs: [500, 1_000, 2_000, ...Array<number>(100).fill(4_000)],
	});
});

afterAll(async () => await host?.stop());

it.each(['processor', 'worker', 'redis'] as const)(
	'keeps each event while the %s is killed and started again',
	async (part) => {
		const { api, gateway } = host;
		const id = await publish(api, draftAnswering(host, []));
		for (let sent = 0; sent < EVENTS; sent++) {
			if (sent === EVENTS / 3) await n8n[part].kill();
			if (sent === (2 * EVENTS) / 3) await n8n[part].start();
			gateway.write(`event-${sent}`);
			await pause(1_000 / EVENTS_A_SECOND);
		}
		await gateway.drained();
		expect((await api.listExecutions(id)).length).toBeGreaterThanOrEqual(EVENTS);
		await api.deleteWorkflow(id);
	},
);
