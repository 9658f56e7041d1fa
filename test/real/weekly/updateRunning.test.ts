import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { N8nApi } from '../../../host/api';
import { buildDoor, type Door } from '../../../host/door';
import { chain, makeTrigger } from '../../../host/drafts/nodes';
import {
	createTriggerWorkflow,
	publish,
	type TriggerWorkflow,
} from '../../../host/drafts/workflows';
import { createCredentials, type Host } from '../../../host/host';
import { startN8n } from '../../../host/n8n';
import { OWNER } from '../../../host/owner';
import { packPackage, unpackTarball } from '../../../host/packages';
import { projectFolder } from '../../../host/places';
import { waitFor } from '../../../host/waiting';
import { startSimulator, type WebhookRecord } from '../../../simulator';
import { deliver, makeEvent, post } from '../../oracle/catalogue';
import { to } from '../../oracle/document';
import { ANA, BRUNO, publishAsk, type OpenQuestion } from '../drafts/asking';
import { startRegistry, type Registry } from './npmRegistry';

/**
 * An update from *Settings → Community nodes* while n8n runs: the new code is loaded beside the old one, and no workflow is
 * published anew.
 */

const OTHER_SHAPE = '0.0.1';
const THIS = '0.0.2';
const NEXT = '0.0.3';

const STATE = 'dist/nodes/MessagingGateway/processState.js';
const WATCH = 'dist/nodes/MessagingGateway/trigger/subscription/watch.js';

let workbench: string;
let registry: Registry;
let host: Host;
let name: string;
let door: Door;

beforeAll(async () => {
	workbench = mkdtempSync(join(tmpdir(), 'update-'));
	const packed = await packPackage(projectFolder, workbench);
	const tarballs = new Map<{ name: string; version: string }, string>();
	for (const version of [OTHER_SHAPE, THIS, NEXT]) {
		const folder = join(workbench, version);
		await unpackTarball(packed, folder);
		const file = join(folder, 'package.json');
		const manifest = { ...(JSON.parse(readFileSync(file, 'utf8')) as { name: string }), version };
		writeFileSync(file, JSON.stringify(manifest));
		// Whether a check comes is tried here; when it comes, test/engine/trigger/subscription/watch.test.ts tries.
		for (const pause of ['FIRST_CHECK_AFTER_MS', 'CHECK_EVERY_MS'])
			change(join(folder, WATCH), new RegExp(`(${pause} = )\\d+ \\* MINUTE_MS`), '$115_000');
		// As it is before a change of what one load tells the next: that number is another one.
		if (version === OTHER_SHAPE) change(join(folder, STATE), /(exports\.SHAPE = )\d+/, '$10');
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
	await api.request('POST', '/community-packages', { name, version: OTHER_SHAPE });
	host.credentials = await createCredentials(api, gateway);
	door = await buildDoor();
});

afterAll(async () => {
	await host?.stop();
	await registry?.stop();
	door?.stop();
	rmSync(workbench, { recursive: true, force: true });
});

function change(file: string, what: RegExp, to: string): void {
	const code = readFileSync(file, 'utf8');
	const changed = code.replace(what, to);
	expect(changed === code).toBe(false);
	writeFileSync(file, changed);
}

async function update(version: string): Promise<void> {
	const updated = await host.api.request<{ installedVersion: string }>(
		'PATCH',
		'/community-packages',
		{ name, version },
	);
	expect(updated.installedVersion).toBe(version);
}

const recordsOf = ({ url }: TriggerWorkflow) =>
	host.gateway.webhooks().filter((webhook) => webhook.url === url);

async function deliverTo(workflow: TriggerWorkflow, event = makeEvent()): Promise<number> {
	const [{ secret }] = recordsOf(workflow);
	const kit = { secret, oldSecret: '', otherSecret: '', now: Math.floor(Date.now() / 1000) };
	return (await post(workflow.url, deliver(kit, { event }))).status;
}

/** A published workflow whose executions stop at the door, and are answered for when they have succeeded. */
async function publishSlow(others: INodeParameters = {}): Promise<TriggerWorkflow> {
	const options = { confirmWhen: 'succeeded', ...others };
	const trigger = makeTrigger(host.credentials.account, { options });
	const nodes = [trigger, door.node()];
	const id = await publish(host.api, { name: 'Slow', nodes, connections: chain(nodes) });
	const webhookId = trigger.webhookId ?? '';
	const url = `${host.n8n.url}/webhook/${webhookId}/webhook`;
	const workflow = { id, webhookId, url, testUrl: '' };
	await waitFor('the webhook', () => recordsOf(workflow).length === 1);
	return workflow;
}

const isParked = ({ events }: WebhookRecord) => !events.includes('MESSAGE.RECEIVED');

async function untilParked(question: OpenQuestion): Promise<void> {
	await waitFor('the question to be parked', () => isParked(question.webhook()), 150_000);
}

/** A person's answer that comes to the trigger alone. */
async function answerTo(question: OpenQuestion, phone: string): Promise<void> {
	const { id } = question.webhook();
	host.gateway.write(`From ${phone}`, { phone });
	expect(await question.answer()).toMatchObject({ answered: true, text: `From ${phone}` });
	const direct = host.gateway.deliveries.filter(
		({ webhookId, type }) => webhookId === id && type === 'MESSAGE.RECEIVED',
	);
	expect(direct).toEqual([]);
}

it.each([
	['from another shape of the state', THIS],
	['to the next version', NEXT],
])(
	'%s: what is lost at the gateway afterwards is made anew, and an event under way runs once, and questions of before and after are answered',
	async (_what, version) => {
		door.visits.splice(0);
		const trigger = await createTriggerWorkflow(host);
		await host.api.publish(trigger.id);
		await waitFor('the webhook', () => recordsOf(trigger).length === 1);
		const slow = await publishSlow();
		// A second question may be open only where the first one is parked.
		const options = { maxOpenQuestions: 1 };
		const asksAna = await publishAsk(host, { options });
		const asksBruno = await publishAsk(host, { to: to('phone', BRUNO), options });
		const before = await asksAna.ask();
		await untilParked(before);
		const [done, running] = [makeEvent(), makeEvent()];
		expect(await deliverTo(trigger, done)).toBe(200);
		const answer = deliverTo(slow, running);
		const visit = await door.visit(1);

		await update(version);
		expect(await deliverTo(trigger, done)).toBe(200);
		expect(await deliverTo(slow, running)).toBe(503);
		visit.answer();
		expect(await answer).toBe(200);
		expect(await deliverTo(slow, running)).toBe(200);
		expect(door.visits).toHaveLength(1);
		expect(await host.api.waitForExecutions(trigger.id, 1)).toHaveLength(1);

		const after = await asksBruno.ask();
		await untilParked(after);
		await answerTo(before, ANA);
		await answerTo(after, BRUNO);

		const [{ id }] = recordsOf(trigger);
		host.gateway.deleteWebhook(id);
		await waitFor(
			'a new webhook',
			() => recordsOf(trigger).some((record) => record.id !== id),
			150_000,
		);
		await waitFor('a delivery to be taken', async () => (await deliverTo(trigger)) === 200);
		expect(await deliverTo(trigger)).toBe(200);

		for (const { id: asking } of [asksAna, asksBruno]) await host.api.deleteWorkflow(asking);
		for (const workflow of [trigger, slow]) {
			await host.api.unpublish(workflow.id);
			await waitFor('no webhook', () => recordsOf(workflow).length === 0);
		}
		expect(host.gateway.webhooks()).toEqual([]);
	},
	400_000,
);

it('in the middle of a turn: what older and newer code keep waiting starts together, when the turn has ended', async () => {
	door.visits.splice(0);
	await update(THIS);
	const slow = await publishSlow({ oneTurnAtATime: { values: {} } });
	host.gateway.write('Hi', { phone: ANA });
	const visit = await door.visit(1);
	const untilKept = async (text: string) => {
		const { id } = host.gateway.write(text, { phone: ANA });
		await waitFor(
			`${text} to be deferred`,
			() => host.gateway.deliveries.some((each) => each.eventId === id && each.status === 503),
			30_000,
		);
	};
	await untilKept('one');
	await update(NEXT);
	await untilKept('two');
	expect(door.visits).toHaveLength(1);
	visit.answer();
	const next = await door.visit(2);
	expect(next.texts).toEqual(['one\ntwo']);
	next.answer();
	await host.api.waitForExecutions(slow.id, 2);
	await host.api.deleteWorkflow(slow.id);
});
