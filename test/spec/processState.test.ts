import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { deliver, makeEvent, post } from '../contract/deliveries';
import { loadEngine, PACKAGE_ROOT, type Engine } from '../support/engine';
import { gateway } from '../support/stage';
import {
	deliverOnce,
	MINUTES,
	open,
	passAndFinish,
	publish,
	recordOf,
	type Published,
} from '../support/watching';

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

it('goes on with the registration and with what has come, and so does the check of the older code', async () => {
	const before = await publish();
	const event = makeEvent();
	const send = async ({ url }: Published) => {
		const [{ secret }] = gateway.webhooks();
		const kit = { secret, oldSecret: '', otherSecret: '', now: Math.floor(Date.now() / 1000) };
		return (await post(url, deliver(kit, { event }))).status;
	};
	expect(await send(before)).toBe(200);
	const after = await receiveWith(await loadNewer(), before);
	expect(await send(after)).toBe(200);
	expect(after.receiver.executions).toEqual([]);

	gateway.deleteWebhook(gateway.webhooks()[0].id);
	await passAndFinish(1 * MINUTES);
	expect(await deliverOnce(after)).toBe(503);
	expect(await deliverOnce(after)).toBe(200);
	expect(recordOf(after).webhookId).toBe(gateway.webhooks()[0].id);
});
