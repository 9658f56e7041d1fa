import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chain, choose, makeNode, makeNothing } from '../../../host/drafts/nodes';
import { createTriggerWorkflow, publish } from '../../../host/drafts/workflows';
import { outputOf } from '../../../host/executions';
import { startHost, type Host } from '../../../host/host';
import { projectFolder } from '../../../host/places';
import { waitFor } from '../../../host/waiting';
import { race, type Length, type Load } from '../../../tools/bench/race';
import { shoot } from '../../../tools/bench/shots';
import { publishTrigger, publishWebhook, type Target } from '../../../tools/bench/targets';
import { writeEmptyTrigger } from './emptyTrigger';
import { profilingInto, readClock, readShare } from './profile';

const LENGTH: Length = { measure: 20_000, warmUp: 4_000 };
const PROFILED_MS = 10_000;

let host: Host;
const emptyTrigger = writeEmptyTrigger();
const profiles = mkdtempSync(join(tmpdir(), 'profiles-'));

afterEach(async () => {
	await host?.stop();
});

afterAll(() =>
	[emptyTrigger, profiles].forEach((folder) => rmSync(folder, { recursive: true, force: true })),
);

async function start(lazyExpressions: boolean, env: NodeJS.ProcessEnv = {}): Promise<void> {
	host = await startHost({
		n8n: { lazyExpressions, packages: [projectFolder, emptyTrigger], env },
		gateway: { deliveryConcurrency: 500 },
	});
}

/** How many times as many deliveries a second as the first each of them takes. */
async function compare<Name extends string>(
	loads: Record<Name, Load>,
): Promise<Record<Name, number>> {
	const names = Object.keys(loads) as Name[];
	const figures = await race(
		LENGTH,
		names.map((name) => loads[name]),
	);
	const table = names.map((name, index) => {
		const { perSecond } = figures[index];
		return { name, perSecond: Math.round(perSecond), times: perSecond / figures[0].perSecond };
	});
	console.table(table);
	return Object.fromEntries(table.map(({ name, times }) => [name, times])) as Record<Name, number>;
}

async function publishEmpty(): Promise<Target> {
	const webhookId = randomUUID();
	const trigger = makeNode(
		'n8n-nodes-empty-trigger.emptyTrigger',
		'Trigger',
		{},
		{ typeVersion: 2, webhookId, ...choose(host.credentials.account) },
	);
	const nodes = [trigger, makeNothing()];
	await publish(host.api, { name: 'Empty', nodes, connections: chain(nodes) });
	return { url: `${host.n8n.url}/webhook/${webhookId}/webhook`, secret: '' };
}

it('with lazy expressions it accepts nearly as many as n8n’s own Webhook node', async () => {
	await start(true);
	const times = await compare({
		webhook: await publishWebhook(host),
		trigger: await publishTrigger(host),
	});

	// Of the difference, n8n's look at the credential for each execution is the larger part; the Webhook node has none.
	expect(times.trigger).toBeGreaterThan(0.9);
}, 400_000);

it('with lazy expressions it answers nearly as many at their end as n8n’s own Webhook node', async () => {
	await start(true);
	const times = await compare({
		webhook: await publishWebhook(host, { responseMode: 'lastNode' }),
		trigger: await publishTrigger(host, { options: { confirmWhen: 'succeeded' } }),
	});

	expect(times.trigger).toBeGreaterThan(0.9);
}, 400_000);

it('with lazy expressions it refuses and drops at least four times as many', async () => {
	await start(true);
	const trigger = await publishTrigger(host);
	const repeated = shoot(trigger.secret);
	const times = await compare({
		webhook: await publishWebhook(host),
		duplicates: { ...trigger, next: () => repeated },
		filtered: await publishTrigger(host, { options: { onlyQuotedReplies: true } }),
		forged: {
			...trigger,
			expect: 401,
			next: () => shoot(`whsec_${Buffer.alloc(32).toString('base64')}`),
		},
	});

	expect(times.duplicates).toBeGreaterThan(4);
	expect(times.filtered).toBeGreaterThan(4);
	expect(times.forged).toBeGreaterThan(4);
}, 400_000);

it('with events that share executions it takes at least four times as many', async () => {
	await start(true);
	const webhook = { ...(await publishWebhook(host)), connections: 100 };
	const together = {
		...(await publishTrigger(host, { options: { maxPerExecution: 100 } })),
		connections: 100,
	};
	const times = await compare({ webhook, together });

	expect(times.together).toBeGreaterThan(4);
}, 400_000);

it('answers a burst of 500 at the first try, every event in exactly one execution', async () => {
	await start(true);
	const workflow = await createTriggerWorkflow(host, {
		parameters: { options: { maxPerExecution: 100 } },
	});
	await host.api.publish(workflow.id);
	const ids = Array.from(
		{ length: 500 },
		(_value, index) => host.gateway.write(`Message ${index}`).id,
	);
	await host.gateway.drained();

	// The gateway gives each attempt 10 seconds.
	expect(
		host.gateway.deliveries.filter(({ status, attempt }) => status !== 200 || attempt > 1),
	).toEqual([]);
	const executions = await waitFor('every execution to end', async () => {
		const listed = await host.api.listExecutions(workflow.id);
		return listed.every(({ status }) => status === 'success') && listed;
	});
	const started: string[] = [];
	for (const { id } of executions) {
		const items = outputOf(await host.api.getExecution(id), 'Trigger').flat();
		started.push(...items.map(({ json }) => String(json.eventId)));
	}
	expect(started.sort()).toEqual(ids.sort());
});

it('at default settings it accepts more than half as many as n8n’s own Webhook node', async () => {
	await start(false);
	const times = await compare({
		webhook: await publishWebhook(host),
		trigger: await publishTrigger(host),
	});

	expect(times.trigger).toBeGreaterThan(0.55);
}, 400_000);

it('keeps up with a trigger that does nothing', async () => {
	await start(true);
	const times = await compare({ empty: await publishEmpty(), trigger: await publishTrigger(host) });

	expect(times.trigger).toBeGreaterThan(0.9);
}, 400_000);

it('its own code takes less than a twentieth of what n8n does for a delivery', async () => {
	await start(true, profilingInto(profiles));
	const trigger = await publishTrigger(host);
	const from = readClock();
	await race({ measure: PROFILED_MS, warmUp: 0 }, [trigger]);
	const to = readClock();
	await host.n8n.shutDown();

	const share = readShare(profiles, 'n8n-nodes-messaging-gateway', { from, to });
	console.log(`Share of our own code: ${(100 * share).toFixed(1)} %`);
	// Without a single sample of ours, the profile would be of something else.
	expect(share).toBeGreaterThan(0.001);
	expect(share).toBeLessThan(0.05);
}, 400_000);
