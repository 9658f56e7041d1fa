import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { NodeOperationError } from 'n8n-workflow';
import { waitFor } from '../../host/waiting';
import { deliver, makeEvent, post } from '../oracle/catalogue';
import { loadEngine, PACKAGE_ROOT, type Engine } from './engine';
import { gateway } from './stage';
import {
	deliverOnce,
	MINUTES,
	open,
	pass,
	passAndFinish,
	publish,
	recordOf,
	rests,
	SECONDS,
	type Published,
} from './watching';

// An update while n8n runs: the package is loaded once more, and nothing is published anew.

const folders: string[] = [];

afterAll(() => {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Loads the package as n8n does after an update: the same files, at another place. */
async function loadNewer(): Promise<Engine> {
	const cache = join(PACKAGE_ROOT, 'node_modules', '.cache', 'messaging-gateway');
	const folder = join(cache, `newer-${process.pid}-${folders.length}`);
	folders.push(folder);
	for (const name of ['package.json', 'dist'])
		cpSync(join(PACKAGE_ROOT, name), join(folder, name), { recursive: true });
	return await loadEngine(folder);
}

type Receiving = Awaited<ReturnType<typeof publish>>;

/** From now on n8n hands deliveries to the newer code. */
async function receiveWith(newer: Engine, { built, receiver, ...published }: Receiving) {
	const { port } = new URL(receiver.url);
	await receiver.stop();
	const { workflow, staticData } = built;
	const { id, name, type, parameters, webhookId } = built.node();
	const next = await newer.receive(
		{
			id: workflow.id,
			nodes: [{ id, name, type, parameters: parameters as never, webhookId }],
			credentials: {
				messagingGatewayAccountApi: { baseUrl: gateway.url, accountToken: gateway.accountToken },
			},
			staticData,
		},
		{ port: Number(port) },
	);
	open.push({ close: async () => await next.stop() });
	return { ...published, built: next.built, receiver: next };
}

const checks = () => gateway.requests.filter(({ method }) => method === 'GET').length;

it('checks the webhook soon, goes on with it, and knows what has come', async () => {
	const before = await publish();
	await passAndFinish(5 * SECONDS);
	const event = makeEvent();
	const send = async ({ url }: Published) => {
		const [{ secret }] = gateway.webhooks();
		const kit = { secret, oldSecret: '', otherSecret: '', now: Math.floor(Date.now() / 1000) };
		return (await post(url, deliver(kit, { event }))).status;
	};
	expect(await send(before)).toBe(200);
	expect(before.receiver.executions).toHaveLength(1);

	rests.length = 0;
	const asked = checks();
	const after = await receiveWith(await loadNewer(), before);
	expect(checks()).toBe(asked);
	await passAndFinish(5 * SECONDS);
	expect(checks()).toBeGreaterThan(asked);
	expect(await send(after)).toBe(200);
	expect(after.receiver.executions).toEqual([]);

	const [{ id }] = gateway.webhooks();
	gateway.deleteWebhook(id);
	await passAndFinish(5 * SECONDS);
	await pass(2 * MINUTES);
	await waitFor('a new webhook', () => gateway.webhooks()[0]?.id !== undefined);
	await waitFor('it to be taken', async () => (await deliverOnce(after)) === 200);
	expect(recordOf(after).webhookId).toBe(gateway.webhooks()[0].id);
	expect(after.receiver.executions).toHaveLength(1);
});

it('loads also beside a state that it cannot read', async () => {
	const { built, receiver, ...published } = await publish();
	const root = NodeOperationError as unknown as Record<
		symbol,
		{ places: Map<string, Map<string, unknown>> }
	>;
	const subscriptions = root[Symbol.for('n8n-nodes-messaging-gateway')].places.get('subscriptions');
	for (const name of subscriptions?.keys() ?? []) subscriptions?.set(name, {});
	const after = await receiveWith(await loadNewer(), { built, receiver, ...published });
	expect(await deliverOnce(after)).toBe(200);
});

it('is switched off by what n8n holds of the older code', async () => {
	const { trigger } = await publish();
	await passAndFinish(5 * SECONDS);
	rests.length = 0;
	await loadNewer();
	await pass(5 * SECONDS);
	await waitFor('the trigger to rest', () => rests.length > 0);
	const asked = checks();
	await trigger.close();
	rests.splice(0).forEach(({ end }) => end());
	await loadNewer();
	expect(rests).toEqual([]);
	expect(checks()).toBe(asked);
});
