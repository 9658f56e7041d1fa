import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';

import { publishTrigger, publishWebhook, type Target } from '../bench/drafts';
import { drive } from '../bench/load';
import { shoot } from '../bench/shots';
import { outputOf } from '../host/api';
import { type Host, startHost } from '../host/host';
import { projectFolder } from '../host/places';
import { waitFor } from '../host/waiting';
import { writeEmptyTrigger } from './emptyTrigger';
import { createTriggerWorkflow } from '../e2e/triggerWorkflow';

const ROUND_MS = 3_000;
const ROUNDS = 5;

interface Runner extends Target {
	connections?: number;
	expect?: number;
	next?: (target: Target) => ReturnType<typeof shoot>;
}

let host: Host;
const emptyTrigger = writeEmptyTrigger();

afterEach(async () => {
	await host?.stop();
});

afterAll(() => rmSync(emptyTrigger, { recursive: true, force: true }));

async function start(lazyExpressions: boolean): Promise<void> {
	host = await startHost({
		n8n: { lazyExpressions, packages: [projectFolder, emptyTrigger] },
		gateway: { deliveryConcurrency: 500 },
	});
}

/** CPU time of n8n's process so far, in ticks. */
function readCpu(): number {
	const fields = readFileSync(`/proc/${host.n8n.pid}/stat`, 'utf8').split(') ')[1].split(' ');
	return Number(fields[11]) + Number(fields[12]);
}

/**
 * How many times as many deliveries as the first runner each of them takes, by the clock or by n8n's CPU time, whichever
 * says more: the clock also counts what else the machine does. All of them run in turns, and of each the median counts.
 */
async function race<Name extends string>(runners: Record<Name, Runner>): Promise<Record<Name, number>> {
	const names = Object.keys(runners) as Name[];
	const rates = new Map<Name, number[]>(names.map((name) => [name, []]));
	const costs = new Map<Name, number[]>(names.map((name) => [name, []]));
	for (let round = 0; round <= ROUNDS; round++) {
		for (const name of names) {
			const { url, secret, connections = 10, expect: wanted = 200, next } = runners[name];
			const shot = next ?? ((target: Target) => shoot(target.secret));
			const load = { url, connections, expect: wanted, next: () => shot({ url, secret }) };
			const before = readCpu();
			const { perSecond } = await drive({ ...load, milliseconds: ROUND_MS });
			// The first round only warms up.
			if (round === 0) continue;
			rates.get(name)?.push(perSecond);
			costs.get(name)?.push((readCpu() - before) / perSecond);
		}
	}
	const [first] = names;
	const table = names.map((name) => ({
		name,
		perSecond: median(rates.get(name)),
		byClock: median(rates.get(name)) / median(rates.get(first)),
		byCpu: median(costs.get(first)) / median(costs.get(name)),
	}));
	console.table(table);
	return Object.fromEntries(
		table.map(({ name, byClock, byCpu }) => [name, Math.max(byClock, byCpu)]),
	) as Record<Name, number>;
}

function median(values: number[] = []): number {
	return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
}

async function publishEmpty(): Promise<Target> {
	const webhookId = randomUUID();
	const { id, name } = host.credentials.account;
	const workflow = await host.api.createWorkflow({
		name: 'Empty',
		nodes: [
			{ id: randomUUID(), name: 'Trigger', type: 'n8n-nodes-empty-trigger.emptyTrigger', typeVersion: 2, position: [0, 0], parameters: {}, webhookId, credentials: { messagingGatewayAccountApi: { id, name } } },
			{ id: randomUUID(), name: 'Next', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [200, 0], parameters: {} },
		],
		connections: { Trigger: { main: [[{ node: 'Next', type: 'main', index: 0 }]] } },
	});
	await host.api.publish(workflow.id);
	return { url: `${host.n8n.url}/webhook/${webhookId}/webhook`, secret: '' };
}

it('with lazy expressions it keeps up with n8n’s own Webhook node, and refuses and drops much faster', async () => {
	await start(true);
	const [webhook, trigger] = [await publishWebhook(host), await publishTrigger(host)];
	const repeated = shoot(trigger.secret);
	const times = await race({
		webhook,
		trigger,
		duplicates: { ...trigger, next: () => repeated },
		filtered: { ...(await publishTrigger(host, { options: { onlyReplies: true } })) },
		forged: { ...trigger, expect: 401, next: () => shoot(`whsec_${Buffer.alloc(32).toString('base64')}`) },
	});

	expect(times.trigger).toBeGreaterThan(0.95);
	expect(times.duplicates).toBeGreaterThan(4);
	expect(times.filtered).toBeGreaterThan(4);
	expect(times.forged).toBeGreaterThan(4);
}, 400_000);

it('with events that share executions it takes at least four times as many', async () => {
	await start(true);
	const webhook = { ...(await publishWebhook(host)), connections: 100 };
	const together = { ...(await publishTrigger(host, { options: { maxPerExecution: 100 } })), connections: 100 };
	const times = await race({ webhook, together });

	expect(times.together).toBeGreaterThan(4);
}, 400_000);

it('answers a burst of 500 at the first try, every event in exactly one execution', async () => {
	await start(true);
	const workflow = await createTriggerWorkflow(host, { parameters: { options: { maxPerExecution: 100 } } });
	await host.api.publish(workflow.id);
	const ids = Array.from({ length: 500 }, (_value, index) => host.gateway.write(`Message ${index}`).id);
	await host.gateway.drained();

	// The gateway gives each attempt 10 seconds.
	expect(host.gateway.deliveries.filter(({ status, attempt }) => status !== 200 || attempt > 1)).toEqual([]);
	const executions = await waitFor('every execution to end', async () => {
		const listed = await host.api.listExecutions(workflow.id);
		return listed.every(({ status }) => status === 'success') && listed;
	});
	const started: string[] = [];
	for (const { id } of executions) {
		const items = outputOf(await host.api.getExecution(id), 'Trigger').flat();
		started.push(...items.map(({ json }) => String(json.id)));
	}
	expect(started.sort()).toEqual(ids.sort());
});

it('at default settings it accepts more than half as many as n8n’s own Webhook node', async () => {
	await start(false);
	const times = await race({ webhook: await publishWebhook(host), trigger: await publishTrigger(host) });

	expect(times.trigger).toBeGreaterThan(0.55);
}, 400_000);

it('its own code is a small part of a delivery', async () => {
	await start(true);
	const times = await race({ empty: await publishEmpty(), trigger: await publishTrigger(host) });

	expect(times.trigger).toBeGreaterThan(0.95);
}, 400_000);
