import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { N8nApi } from '../../lab/host/api';
import { createCredentials, type Host } from '../../lab/host/host';
import { startN8n } from '../../lab/host/n8n';
import { OWNER } from '../../lab/host/owner';
import { packPackage, unpackTarball } from '../../lab/host/packages';
import { projectFolder } from '../../lab/host/places';
import { waitFor } from '../../lab/host/waiting';
import { startSimulator } from '../../lab/simulator';
import { deliver, makeEvent, post } from '../contract/deliveries';
import { createTriggerWorkflow, type TriggerWorkflow } from '../support/drafts/trigger';
import { startRegistry, type Registry } from '../support/npmRegistry';

// An update from Settings → Community nodes while n8n runs: n8n loads the new code, and publishes no workflow anew.

const BEFORE = '0.0.1';
const AFTER = '0.0.2';
const WATCH = 'dist/nodes/MessagingGateway/trigger/webhook/watch.js';

let workbench: string;
let registry: Registry;
let host: Host;
let name: string;

beforeAll(async () => {
	workbench = mkdtempSync(join(tmpdir(), 'update-'));
	const packed = await packPackage(projectFolder, workbench);
	const tarballs = new Map<{ name: string; version: string }, string>();
	for (const version of [BEFORE, AFTER]) {
		const folder = join(workbench, version);
		await unpackTarball(packed, folder);
		const file = join(folder, 'package.json');
		const manifest = { ...(JSON.parse(readFileSync(file, 'utf8')) as { name: string }), version };
		writeFileSync(file, JSON.stringify(manifest));
		shortenPauses(join(folder, WATCH));
		tarballs.set(manifest, await packPackage(folder, workbench));
		({ name } = manifest);
	}

	registry = await startRegistry(tarballs);
	const gateway = await startSimulator();

	const n8n = await startN8n({ packages: [], env: { PATH: registry.path } });

	const stop = async () => {
		await n8n.stop();
		await gateway.stop();
	};

	const api = new N8nApi(n8n.url);
	host = { n8n, api, gateway, stop } as Host;
	await api.setUpOwner(OWNER);
	await api.request('POST', '/community-packages', { name, version: BEFORE });

	host.credentials = await createCredentials(api, gateway);
});

afterAll(async () => {
	await host?.stop();
	await registry?.stop();
	rmSync(workbench, { recursive: true, force: true });
});

/** Checks come after 15 seconds, and again after 15. */
function shortenPauses(file: string): void {
	const code = readFileSync(file, 'utf8');
	const changed = code
		.replace('FIRST_CHECK_AFTER_MS = MINUTE_MS / 2', 'FIRST_CHECK_AFTER_MS = 15_000')
		.replace('CHECK_EVERY_MS = 60 * MINUTE_MS', 'CHECK_EVERY_MS = 15_000')
		.replace('SPREAD_MS = MINUTE_MS', 'SPREAD_MS = 1');
	expect(changed.split('15_000')).toHaveLength(3);
	writeFileSync(file, changed);
}

const recordsOf = ({ url }: TriggerWorkflow) =>
	host.gateway.webhooks().filter((webhook) => webhook.url === url);

async function deliverTo(workflow: TriggerWorkflow, event = makeEvent()): Promise<number> {
	const [record] = recordsOf(workflow);
	return (await post(workflow.url, deliver(record, { event }))).status;
}

it('an updated trigger remembers earlier events, and receives through a webhook that is recreated afterwards', async () => {
	const trigger = await createTriggerWorkflow(host);
	await host.api.publish(trigger.id);
	await waitFor('the webhook', () => recordsOf(trigger).length === 1);
	const event = makeEvent();
	expect(await deliverTo(trigger, event)).toBe(200);

	const path = '/community-packages';
	const updated = await host.api.request<object>('PATCH', path, { name, version: AFTER });
	expect(updated).toMatchObject({ installedVersion: AFTER });
	expect(await deliverTo(trigger, event)).toBe(200);
	expect(await deliverTo(trigger)).toBe(200);
	await host.api.waitForExecutions(trigger.id, 2);

	const [{ id }] = recordsOf(trigger);
	host.gateway.deleteWebhook(id);
	await waitFor('a new webhook', () => recordsOf(trigger).length === 1, 60_000);
	// Until n8n has saved the new secret, which comes with the trigger's delivery to itself, it defers.
	await waitFor('the new secret', async () => (await deliverTo(trigger)) === 200);
	await host.api.waitForExecutions(trigger.id, 4);

	await host.api.unpublish(trigger.id);
	await waitFor('no webhook', () => recordsOf(trigger).length === 0);
}, 240_000);
