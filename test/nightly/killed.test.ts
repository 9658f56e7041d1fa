import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { publish } from '../../host/drafts/workflows';
import { startHostOn, type Host } from '../../host/host';
import { startN8n } from '../../host/n8n';
import { projectFolder } from '../../host/places';
import { findFreePort } from '../../host/ports';
import { draftAnswering } from '../support/drafts/trigger';
import { startHaproxy } from '../support/haproxy';
import { countAnswers, isStartingUp, STARTING_UP } from '../support/tally';

jest.setTimeout(900_000);

const EVENTS = 300;
const EVENTS_PER_SECOND = 20;
const KILLS = 3;

let haproxy: { stop(): Promise<void> };
let host: Host;

beforeAll(async () => {
	const [port, n8nPort] = [await findFreePort(), await findFreePort()];
	// The configuration that the documentation gives.
	haproxy = await startHaproxy(join(projectFolder, 'docs', 'proxy', 'haproxy.cfg'), {
		LISTEN: `127.0.0.1:${port}`,
		N8N: `127.0.0.1:${n8nPort}`,
	});
	const env = { N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`, N8N_PROXY_HOPS: '1' };
	host = await startHostOn(await startN8n({ port: n8nPort, env }), {
		retryDelaysMs: [500, 1_000, 2_000, 4_000, ...Array<number>(100).fill(5_000)],
		statusDelaysMs: { sent: null, delivered: null, read: null },
	});
});

afterAll(async () => {
	await host?.stop();
	await haproxy?.stop();
});

/** Sends requests to n8n itself while it starts. Answers how many n8n acknowledged and forgot. */
async function countForgotten(whileStarting: Promise<void>): Promise<number> {
	let isOver = false;
	const over = whileStarting.finally(() => (isOver = true));
	const ask = async () =>
		await fetch(`${host.n8n.url}/webhook/nobody`, { method: 'POST' })
			.then(async (response) => (response.ok ? await response.text() : ''))
			.catch(() => '');
	const asked: Array<Promise<string>> = [];
	while (!isOver) {
		asked.push(ask());
		// That moment may be shorter than n8n takes for an answer.
		await pause(10);
	}
	await over;
	return (await Promise.all(asked)).filter((answer) => answer === STARTING_UP).length;
}

it('loses no event when n8n is killed three times behind the documented proxy', async () => {
	await publish(host.api, draftAnswering(host, [], { options: { confirmWhen: 'succeeded' } }));
	const ids: string[] = [];
	let forgotten = 0;
	const emit = async () => {
		while (ids.length < EVENTS) {
			ids.push(host.gateway.write(`event-${ids.length}`).id);
			await pause(1_000 / EVENTS_PER_SECOND);
		}
	};
	const strike = async () => {
		for (let kill = 1; kill <= KILLS; kill++) {
			while (ids.length < (EVENTS * kill) / (KILLS + 1)) await pause(20);
			await host.n8n.kill();
			forgotten += await countForgotten(host.n8n.start());
		}
	};
	await Promise.all([emit(), strike()]);
	await host.gateway.drained();

	const answers = countAnswers(host.gateway, ids);
	const { deliveries } = host.gateway;
	const doubled = [...answers.values()].reduce((sum, each) => sum + each - 1, 0);
	console.log(
		`${ids.length} events, ${KILLS} kills, ${deliveries.length} deliveries: ${ids.length - answers.size} lost, ${doubled} answered twice. n8n itself would have taken ${forgotten} requests and forgotten them.`,
	);
	expect(ids.filter((id) => !answers.has(id))).toEqual([]);
	expect(deliveries.filter(isStartingUp)).toEqual([]);
	expect(deliveries.filter(({ givenUp }) => givenUp)).toEqual([]);
	// Otherwise the run proves nothing.
	expect(forgotten).toBeGreaterThan(0);
});
