import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import {
	createTriggerWorkflow,
	draftTriggerWorkflow,
	type TriggerDraft,
	type TriggerWorkflow,
} from '../../host/drafts/workflows';
import { startHost, type Host } from '../../host/host';
import { waitFor } from '../../host/waiting';
import { startSimulator, type FaultPlan, type Simulator } from '../../simulator';
import { deliver, post } from '../contract/deliveries';

const SOMEBODY_ELSE = 'https://somebody.example.com/hook';

/** The webhook of a trigger in everything that may happen to its workflow, in a real n8n. */

let host: Host;
let gateway: Simulator;

beforeAll(async () => {
	host = await startHost({ n8n: {} });
	gateway = host.gateway;
	gateway.createWebhook({ url: SOMEBODY_ELSE, events: ['MESSAGE.RECEIVED'] });
});

afterEach(() => {
	gateway.faults.clear();
	expect(recordsOf(SOMEBODY_ELSE)).toHaveLength(1);
});

afterAll(async () => {
	await host?.stop();
});

const recordsOf = (url: string, at = gateway) =>
	at.webhooks().filter((webhook) => webhook.url === url);

const find = (id: string) => gateway.webhooks().find((webhook) => webhook.id === id) ?? {};

/** As a person who is told that it did not work, and presses the button again. */
async function publish(id: string): Promise<void> {
	for (let presses = 1; ; presses++) {
		try {
			return await host.api.publish(id);
		} catch (error) {
			if (presses === 3) throw error;
		}
	}
}

async function createPublished(draft: TriggerDraft = {}): Promise<TriggerWorkflow> {
	const workflow = await createTriggerWorkflow(host, draft);
	expect(recordsOf(workflow.url)).toHaveLength(0);
	await publish(workflow.id);
	return workflow;
}

/** The one live record, proven by an event that comes through it. */
async function expectOneRecord({ id, url }: TriggerWorkflow, at = gateway) {
	const records = recordsOf(url, at);
	expect(records).toHaveLength(1);
	const before = (await host.api.listExecutions(id)).length;
	const kit = {
		secret: records[0].secret,
		oldSecret: '',
		otherSecret: '',
		now: Math.floor(Date.now() / 1000),
	};
	expect((await post(url, deliver(kit))).status).toBe(200);
	const ended = await host.api.waitForExecutions(id, before + 1);
	expect(ended).toHaveLength(before + 1);
	expect(ended.at(-1)?.status).toBe('success');
	return records[0];
}

async function change(workflow: TriggerWorkflow, draft: TriggerDraft): Promise<void> {
	const changed = draftTriggerWorkflow(host, { webhookId: workflow.webhookId, ...draft });
	await host.api.updateWorkflow(workflow.id, changed);
	await publish(workflow.id);
}

const events = (...types: string[]): INodeParameters => ({ events: types });

it('publish, and publish again without a change', async () => {
	const workflow = await createPublished();
	const { id } = await expectOneRecord(workflow);
	await publish(workflow.id);
	expect((await expectOneRecord(workflow)).id).toBe(id);
});

it('change of events', async () => {
	const workflow = await createPublished();
	await change(workflow, { parameters: events('MESSAGE.RECEIVED', 'MESSAGE.SENT') });
	expect(await expectOneRecord(workflow)).toMatchObject({
		events: ['MESSAGE.RECEIVED', 'MESSAGE.SENT'],
	});
});

it('rename of the node', async () => {
	const workflow = await createPublished();
	await change(workflow, { node: 'Another name' });
	await expectOneRecord(workflow);
	await host.api.unpublish(workflow.id);
	expect(recordsOf(workflow.url)).toEqual([]);
});

it('change of the credential to that of another gateway', async () => {
	const workflow = await createPublished();
	const other = await startSimulator();
	const credential = await host.api.createCredential('messagingGatewayAccountApi', 'Other', {
		baseUrl: other.url,
		accountToken: other.accountToken,
	});
	await change(workflow, { credential });

	expect(recordsOf(workflow.url)).toEqual([]);
	await expectOneRecord(workflow, other);
	await host.api.unpublish(workflow.id);
	expect(recordsOf(workflow.url, other)).toEqual([]);
	await other.stop();
});

it('unpublish', async () => {
	const workflow = await createPublished();
	await host.api.unpublish(workflow.id);
	expect(recordsOf(workflow.url)).toEqual([]);
});

it('archive', async () => {
	const workflow = await createPublished();
	await host.api.archive(workflow.id);
	expect(recordsOf(workflow.url)).toEqual([]);
});

it('restart', async () => {
	const workflow = await createPublished();
	const { id } = await expectOneRecord(workflow);
	await host.n8n.restart();
	expect((await expectOneRecord(workflow)).id).toBe(id);
});

it('a crash and a restart', async () => {
	const workflow = await createPublished();
	const { id } = await expectOneRecord(workflow);
	await host.n8n.kill();
	await host.n8n.start();
	expect((await expectOneRecord(workflow)).id).toBe(id);
});

it('listening for a test event while production runs', async () => {
	const workflow = await createPublished();
	await host.api.listenForTest(workflow.id, 'Trigger');
	expect(recordsOf(workflow.testUrl)).toHaveLength(1);
	const production = await expectOneRecord(workflow);

	await host.api.stopListening(workflow.id);
	await waitFor('n8n to end the test webhook', () => recordsOf(workflow.testUrl).length === 0);
	expect((await expectOneRecord(workflow)).id).toBe(production.id);
});

it('the remote record deleted by hand', async () => {
	const workflow = await createPublished();
	gateway.deleteWebhook(recordsOf(workflow.url)[0].id);
	await host.api.unpublish(workflow.id);
	await publish(workflow.id);
	await expectOneRecord(workflow);
});

it('a gateway that has null for an empty list, and writes URL and events its own way', async () => {
	const other = await startSimulator({
		listWebhooks: (records) => ({ data: records.length > 0 ? records : null }),
		storeWebhook: ({ url, events: types }) => ({
			url: `${url.replace('localhost', 'LOCALHOST')}/`,
			events: [...types.map((type) => type.toLowerCase()), 'system.ping'],
		}),
	});
	const credential = await host.api.createCredential('messagingGatewayAccountApi', 'Odd', {
		baseUrl: other.url,
		accountToken: other.accountToken,
	});
	const workflow = await createTriggerWorkflow(host, { credential });
	await publish(workflow.id);
	await host.n8n.restart();
	const ours = other.webhooks().filter(({ url }) => url.includes(workflow.webhookId));
	expect(ours).toHaveLength(1);

	const [{ secret, url }] = ours;
	const now = Math.floor(Date.now() / 1000);
	const delivery = deliver({ secret, oldSecret: '', otherSecret: '', now });
	expect((await post(url, delivery)).status).toBe(200);
	await host.api.waitForExecutions(workflow.id, 1);
	const { length } = other.requests.filter(({ method }) => method === 'POST');
	expect(length).toBe(1);

	await change(workflow, { credential, parameters: events('MESSAGE.SENT') });
	await host.api.unpublish(workflow.id);
	expect(other.webhooks().map((record) => record.url)).toHaveLength(0);
	await other.stop();
});

it.each<[string, (id: string) => void]>([
	['deleted', (id) => void gateway.deleteWebhook(id)],
	['disabled', (id) => void Object.assign(find(id), { enabled: false })],
	['with other events', (id) => void Object.assign(find(id), { events: ['QRCODE.UPDATED'] })],
])('a webhook that is %s while n8n is down', async (_what, spoil) => {
	const workflow = await createPublished();
	const { id } = await expectOneRecord(workflow);
	await host.n8n.kill();
	spoil(id);
	await host.n8n.start();
	await waitFor('a new webhook', () => {
		const [record] = recordsOf(workflow.url);
		return record !== undefined && record.id !== id;
	});
	expect((await expectOneRecord(workflow)).id).not.toBe(id);
});

it('a start while the gateway is down', async () => {
	const workflow = await createPublished();
	const { id, secret } = await expectOneRecord(workflow);
	await gateway.pauseListening();
	await host.n8n.restart();
	const kit = { secret, oldSecret: '', otherSecret: '', now: Math.floor(Date.now() / 1000) };
	expect((await post(workflow.url, deliver(kit))).status).toBe(200);
	const foreign = { ...kit, secret: `whsec_${Buffer.alloc(32).toString('base64')}` };
	expect((await post(workflow.url, deliver(foreign))).status).toBe(503);
	await gateway.resumeListening();
	expect((await expectOneRecord(workflow)).id).toBe(id);
});

it.each<[string, (id: string, url: string) => void]>([
	['deleted', (id) => void gateway.deleteWebhook(id)],
	['duplicated', (_id, url) => void gateway.createWebhook({ url, events: ['MESSAGE.RECEIVED'] })],
])('a webhook that is %s while n8n runs', async (_what, spoil) => {
	const workflow = await createPublished();
	const { id } = await expectOneRecord(workflow);
	spoil(id, workflow.url);
	await waitFor(
		'a new webhook',
		() =>
			recordsOf(workflow.url).every((each) => each.id !== id) &&
			recordsOf(workflow.url).length === 1,
		90_000,
	);
	const alarm = await waitFor(
		'the alarm',
		async () => (await host.api.listExecutions(workflow.id, ['error']))[0],
	);
	expect(alarm).toBeDefined();
	const [{ secret }] = recordsOf(workflow.url);
	const kit = { secret, oldSecret: '', otherSecret: '', now: Math.floor(Date.now() / 1000) };
	const send = async () => (await post(workflow.url, deliver(kit))).status;
	// At once: n8n has not saved the secret when the second one comes.
	const statuses = await Promise.all([send(), send(), send()]);
	expect(statuses.sort()).toEqual([200, 200, 503]);
});

it('the secret lost', async () => {
	const workflow = await createPublished();
	await host.api.unpublish(workflow.id);
	const { id } = gateway.createWebhook({ url: workflow.url, events: ['MESSAGE.RECEIVED'] });
	await publish(workflow.id);
	expect((await expectOneRecord(workflow)).id).not.toBe(id);
});

it.each<[string, FaultPlan]>([
	['not at all, and not carried out', { match: { method: 'POST' }, fault: 'hang' }],
	['not at all, but carried out', { match: { method: 'POST' }, fault: 'cutAfter' }],
	['502, but carried out', { match: { method: 'POST' }, fault: 'acceptThenStatus' }],
])('a creation answered %s', async (_answer, fault) => {
	gateway.faults.add(fault);
	const workflow = await createPublished();
	await expectOneRecord(workflow);
});

it.each<[string, FaultPlan]>([
	['404', { match: { method: 'DELETE' }, fault: { status: 404 } }],
	['410', { match: { method: 'DELETE' }, fault: { status: 410 } }],
])('a deletion of what is gone already, answered %s', async (_answer, fault) => {
	const workflow = await createPublished();
	gateway.deleteWebhook(recordsOf(workflow.url)[0].id);
	gateway.faults.add(fault);
	await host.api.unpublish(workflow.id);
	expect(recordsOf(workflow.url)).toEqual([]);
	gateway.faults.clear();
	await publish(workflow.id);
	await expectOneRecord(workflow);
});

it.each<[string, FaultPlan]>([
	['502', { match: { method: 'DELETE' }, fault: { status: 502 } }],
	['nothing, because the connection broke', { match: { method: 'DELETE' }, fault: 'cutBefore' }],
	['nothing, though carried out', { match: { method: 'DELETE' }, fault: 'cutAfter' }],
])('a deletion answered %s', async (_answer, fault) => {
	const workflow = await createPublished();
	gateway.faults.add(fault);
	await host.api.unpublish(workflow.id);
	expect(recordsOf(workflow.url)).toEqual([]);
});
it('a deletion that never works, and the events changed all the same', async () => {
	const workflow = await createPublished();
	gateway.faults.add({ match: { method: 'DELETE' }, times: 8, fault: { status: 502 } });
	await change(workflow, { parameters: events('MESSAGE.RECEIVED', 'QRCODE.UPDATED') });
	expect(await expectOneRecord(workflow)).toMatchObject({
		events: ['MESSAGE.RECEIVED', 'QRCODE.UPDATED'],
	});
});

it('an activation that cannot work says why', async () => {
	const attempts: Array<
		[wrong: ICredentialDataDecryptedObject, words: string, parameters?: INodeParameters]
	> = [
		// The gateway cannot reach n8n.
		[{ baseUrl: 'https://gateway.example.com' }, 'N8N_WEBHOOK_URL'],
		[{ accountToken: 'svc_inst_0123456789' }, 'instance token'],
		[{ webhooksPath: '/v1/nowhere' }, 'set Webhooks Path'],
		[{}, '"message.received" is no event type', events('message.received')],
		[{}, '"groups" cannot be one of Chat Types', { chatTypes: ['groups'] }],
	];
	const made: Array<[workflow: { id: string; url: string }, words: string]> = [];
	// One after the other: an old n8n on SQLite mixes up what it writes at once.
	for (const [wrong, words, parameters] of attempts) {
		const credential = await host.api.createCredential('messagingGatewayAccountApi', 'Wrong', {
			baseUrl: gateway.url,
			accountToken: gateway.accountToken,
			...wrong,
		});
		made.push([await createTriggerWorkflow(host, { credential, parameters }), words]);
	}
	const activate = async ([{ id, url }, words]: (typeof made)[number]) => {
		await expect(host.api.publish(id)).rejects.toThrow(words);
		expect(recordsOf(url)).toEqual([]);
	};
	// All at once: n8n tries each for a quarter of a minute.
	await Promise.all(made.map(activate));
	for (const [{ id }] of made) await host.api.deleteWorkflow(id);
});
