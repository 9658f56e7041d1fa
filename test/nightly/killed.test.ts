import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeNode } from '../../lab/host/drafts/nodes';
import { publishDraft } from '../../lab/host/drafts/workflows';
import { startHostOn, type Host } from '../../lab/host/host';
import { startN8n } from '../../lab/host/n8n';
import { projectFolder } from '../../lab/host/places';
import { findFreePort } from '../../lab/host/ports';
import { waitFor } from '../../lab/host/waiting';
import { draftAnswering } from '../support/drafts/trigger';
import { startHaproxy } from '../support/haproxy';
import { print } from '../support/print';
import { countAnswers, isStartingUp, STARTING_UP } from '../support/tally';

jest.setTimeout(900_000);

const EVENTS_PER_SECOND = 10;
const KILLS = 3;
const ANSWERS_BEFORE_A_KILL = 30;

/** So that a kill always meets executions that run. */
const wait = makeNode(
	'n8n-nodes-base.wait',
	'Wait',
	{ resume: 'timeInterval', amount: 1, unit: 'seconds' },
	{ typeVersion: 1.1 },
);

let haproxy: { stop(): Promise<void> };
let host: Host;

beforeAll(async () => {
	const port = await findFreePort();
	const n8nPort = await findFreePort();
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

afterEach(() => host.gateway.reset({ webhooks: true }));

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

it.each(['succeeded', 'started', 'received'])(
	'loses only what runs when n8n is killed behind the documented proxy, and nothing with succeeded: %s',
	async (confirmWhen) => {
		const { api, gateway, n8n } = host;
		const id = await publishDraft(api, draftAnswering(host, [wait], { options: { confirmWhen } }));
		const ids: string[] = [];
		const unanswered = () => {
			const answers = countAnswers(gateway, ids);
			return ids.filter((event) => !answers.has(event));
		};
		const confirmed = () =>
			new Set(gateway.deliveries.flatMap(({ status, eventId }) => (status === 200 ? eventId : [])));
		const atRisk = new Set<string>();
		let forgotten = 0;
		let kills = 0;
		const emit = async () => {
			while (kills < KILLS) {
				ids.push(gateway.write(`event-${ids.length}`).id);
				await pause(1_000 / EVENTS_PER_SECOND);
			}
		};
		const strike = async () => {
			for (; kills < KILLS; kills++) {
				const enough = gateway.acceptedSends().length + ANSWERS_BEFORE_A_KILL;
				await waitFor('answers', () => gateway.acceptedSends().length >= enough, 60_000);
				await n8n.kill();
				const done = confirmed();
				for (const event of unanswered()) if (done.has(event)) atRisk.add(event);
				forgotten += await countForgotten(n8n.start());
			}
		};
		await Promise.all([emit(), strike()]);
		await gateway.drained();
		await waitFor('all executions to end', async () => {
			const unfinished = await api.listExecutions(id, ['new', 'running', 'waiting']);
			return unfinished.length === 0;
		});
		await api.deleteWorkflow(id);

		const lost = unanswered();
		const doubled = [...countAnswers(gateway, ids).values()].filter((count) => count > 1).length;
		const figures = { events: ids.length, kills, atRisk: atRisk.size, forgotten };
		print(`${confirmWhen}: ${JSON.stringify({ ...figures, lost: lost.length, doubled })}`);
		expect(lost.filter((event) => !atRisk.has(event))).toEqual([]);
		if (confirmWhen === 'succeeded') expect(lost).toEqual([]);
		const { deliveries } = gateway;
		expect(deliveries.filter(isStartingUp)).toEqual([]);
		expect(deliveries.filter(({ givenUp }) => givenUp)).toEqual([]);
		// Otherwise the run proves nothing.
		expect(forgotten).toBeGreaterThan(0);
	},
);
