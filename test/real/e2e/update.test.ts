import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { chain, makeEntrance, makeNode, makeSend } from '../../../host/drafts/nodes';
import {
	createTriggerWorkflow,
	draftAnswering,
	publish,
	startPublished,
	type TriggerWorkflow,
} from '../../../host/drafts/workflows';
import { outputOf, type Execution } from '../../../host/executions';
import { startHost, type Host } from '../../../host/host';
import { loadClasses, unpackLastRelease } from '../../../host/lastRelease';
import { installCommunityPackage } from '../../../host/packages';
import { projectFolder } from '../../../host/places';
import { waitFor } from '../../../host/waiting';
import type { GatewayEvent, RecordedRequest } from '../../../simulator';
import { deliver, makeEvent, post } from '../../oracle/catalogue';
import { documentedCalls, to } from '../../oracle/document';
import { BRUNO, publishAsk, type OpenQuestion } from '../drafts/asking';
import { describeRequest, fanOut } from '../drafts/everyOperation';

/**
 * The day of the update: what was published with the last release goes on, untouched, with this one.
 */

const TRIGGERS: Record<string, INodeParameters> = {
	'as it comes from the panel': {},
	'in the other output': { output: 'raw' },
	'with everything set': {
		events: ['MESSAGE.RECEIVED', 'MESSAGE.STATUS_UPDATED', 'CONNECTION.UPDATED'],
		output: 'simplified',
		options: {
			chatTypes: ['person', 'group'],
			customEvents: 'SYSTEM.PING',
			ignoreOutdatedStatuses: true,
			maxPerExecution: 10,
			messageTypes: 'TEXT',
			onlyQuotedReplies: true,
		},
	},
};

let host: Host;
let before: {
	webhooks: object[];
	instance: object;
	items: Record<string, IDataObject>;
	requests: object[];
};
const triggers: Record<string, TriggerWorkflow> = {};
const operationsPath = randomUUID();
let operations: string;
let waiting: { id: string; execution: string; resumeUrl: string };
let question: OpenQuestion;
let answering: string;
let failed: { id: string; execution: string };

beforeAll(async () => {
	const folder = await unpackLastRelease('last-release-e2e');
	host = await startHost({ n8n: { packages: [folder] } });
	const { description } = new (loadClasses(folder).MessagingGateway)();
	await useTriggers();
	await useOperations(description);
	waiting = await leaveWaiting();
	failed = await leaveFailed();
	question = await (await publishAsk(host, { to: to('phone', BRUNO) })).ask();
	answering = await publish(host.api, draftAnswering(host, []));
	host.gateway.write('Before the update');
	await host.api.waitForExecutions(answering, 1);
	await host.gateway.drained();

	before.webhooks = webhooks();
	before.instance = await host.api.readCredential(host.credentials.instance.id);
	await installCommunityPackage(projectFolder, host.n8n.folder);
	host.gateway.reset();
	await host.n8n.restart();
});

afterAll(async () => {
	await host?.stop();
});

const webhooks = () =>
	host.gateway.webhooks().map(({ id, url, events, secret }) => ({ id, url, events, secret }));

/** An item without what names its event, which is another one each time. */
function unnamed({ id: _id, eventId: _eventId, ...json }: IDataObject): IDataObject {
	return json;
}

/** A message that every trigger takes; but for its id always the same. */
function makeReply(): GatewayEvent {
	const { data } = makeEvent();
	return makeEvent({
		instanceId: host.gateway.instanceId,
		timestamp: '2026-01-02T03:04:05.000Z',
		data: { ...data, messageId: 'm1', quotedMessageId: 'm0' },
	});
}

/** Delivers to a trigger with the secret that its webhook has had from the beginning, and gives the item that came of it. */
async function receive({ id, url }: TriggerWorkflow): Promise<IDataObject> {
	const secret = host.gateway.webhooks().find((webhook) => webhook.url === url)?.secret ?? '';
	const { length } = await host.api.listExecutions(id);
	const kit = { secret, oldSecret: '', otherSecret: '', now: Math.floor(Date.now() / 1000) };
	expect((await post(url, deliver(kit, { event: makeReply() }))).status).toBe(200);
	const execution = (await host.api.waitForExecutions(id, length + 1)).at(-1) as Execution;
	expect(execution.status).toBe('success');
	return unnamed(outputOf(execution, 'Trigger')[0][0].json);
}

async function useTriggers(): Promise<void> {
	before = { webhooks: [], instance: {}, items: {}, requests: [] };
	for (const [name, parameters] of Object.entries(TRIGGERS)) {
		const instanceIds = Object.keys(parameters).length > 0 ? [host.gateway.instanceId] : undefined;
		triggers[name] = await createTriggerWorkflow(host, {
			parameters: { ...parameters, ...(instanceIds && { instanceIds }) },
		});
		await host.api.publish(triggers[name].id);
		before.items[name] = await receive(triggers[name]);
	}
}

/** What a run of every operation asks the gateway for. */
async function runOperations(): Promise<object[]> {
	const { length } = await host.api.listExecutions(operations);
	host.gateway.reset();
	await startPublished(host.n8n.url, operationsPath, {});
	const execution = (await host.api.waitForExecutions(operations, length + 1, 120_000)).at(-1);
	expect([execution?.status, execution?.data.resultData.error?.message]).toEqual([
		'success',
		undefined,
	]);
	// The triggers look after their webhooks meanwhile.
	const isLook = ({ method, path }: RecordedRequest) => method === 'GET' && path === '/v1/webhooks';
	return host.gateway.requests.filter((request) => !isLook(request)).map(describeRequest);
}

async function useOperations(description: INodeTypeDescription): Promise<void> {
	const known = new Set(
		description.properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [], displayOptions }) =>
				options.map(
					(option) => `${displayOptions?.show?.resource?.[0]}.${'value' in option && option.value}`,
				),
			),
	);
	const calls = documentedCalls.filter(({ resource, operation }) =>
		known.has(`${resource}.${operation}`),
	);
	operations = await publish(host.api, fanOut(host, operationsPath, calls, undefined, description));
	before.requests = await runOperations();
}

/** An execution that waits before its message is sent. */
async function leaveWaiting(): Promise<typeof waiting> {
	const path = randomUUID();
	const nodes: INode[] = [
		...makeEntrance(path),
		makeNode(
			'n8n-nodes-base.set',
			'Address',
			{
				assignments: {
					assignments: [
						{ id: 'url', name: 'resumeUrl', type: 'string', value: '={{ $execution.resumeUrl }}' },
					],
				},
				includeOtherFields: true,
				options: {},
			},
			{ typeVersion: 3.4 },
		),
		makeNode(
			'n8n-nodes-base.wait',
			'Wait',
			{ resume: 'webhook', options: {} },
			{ typeVersion: 1.1, webhookId: randomUUID() },
		),
		{
			...makeSend(host.credentials.instance),
			parameters: {
				resource: 'message',
				operation: 'sendText',
				to: { __rl: true, mode: 'phone', value: "={{ $('Items').item.json.to }}" },
				text: "={{ $('Items').item.json.text }}",
			},
		},
	];
	const id = await publish(host.api, { name: 'Waits', nodes, connections: chain(nodes) });
	await startPublished(host.n8n.url, path, { items: [{ to: '5511987654321', text: 'waited' }] });
	const execution = await waitFor(
		'the execution to wait',
		async () => (await host.api.listExecutions(id, ['waiting']))[0],
	);
	const [[item]] = outputOf(await host.api.getExecution(execution.id), 'Address');
	return { id, execution: execution.id, resumeUrl: String(item.json.resumeUrl) };
}

/** An execution that broke off: one message was accepted, one refused, and one came never to be tried. */
async function leaveFailed(): Promise<typeof failed> {
	const path = randomUUID();
	const nodes = [...makeEntrance(path), makeSend(host.credentials.instance)];
	host.gateway.faults.add({ match: { text: 'refused' }, fault: { status: 400 } });
	const id = await publish(host.api, { name: 'Fails', nodes, connections: chain(nodes) });
	const items = ['accepted', 'refused', 'never tried'].map((text) => ({
		to: '5511987654321',
		text,
	}));
	await startPublished(host.n8n.url, path, { items });
	const [execution] = await host.api.waitForExecutions(id, 1);
	expect(execution.status).toBe('error');
	return { id, execution: execution.id };
}

const sent = () => host.gateway.acceptedSends().map(({ text }) => text);

it('no webhook is touched', () => {
	expect(webhooks()).toEqual(before.webhooks);
	const changes = host.gateway.requests.filter(({ method }) => method !== 'GET');
	expect(changes).toEqual([]);
});

it('the credential of before is as it was, and accepted', async () => {
	const { instance } = host.credentials;
	const stored = await host.api.readCredential(instance.id);
	expect(stored).toEqual(before.instance);
	expect(stored).not.toHaveProperty('furtherNumbers');
	expect(await host.api.testCredential(instance, stored)).toMatchObject({ status: 'OK' });
});

it.each(Object.keys(TRIGGERS))('a trigger %s is given the same item', async (name) => {
	expect(await receive(triggers[name])).toMatchObject(before.items[name]);
});

it('a message is answered', async () => {
	host.gateway.write('After the update');
	await waitFor('the answer', () => sent().includes('Answer to After the update'));
	const execution = (await host.api.waitForExecutions(answering, 2)).at(-1) as Execution;
	// Nothing is said of further numbers where the credential has none.
	expect(execution.data.resultData.runData.Answer[0].hints ?? []).toEqual([]);
});

it('every operation makes the requests that it made', async () => {
	expect(before.requests.length).toBeGreaterThan(20);
	expect(await runOperations()).toEqual(before.requests);
});

it('an execution that waited goes on, and sends once', async () => {
	expect((await fetch(waiting.resumeUrl)).status).toBe(200);
	expect((await host.api.waitForEnd(waiting.execution)).status).toBe('success');
	expect(sent().filter((text) => text === 'waited')).toHaveLength(1);
});

it('a question that was asked is answered', async () => {
	host.gateway.write('Gladly', { phone: BRUNO });
	expect(await question.answer()).toMatchObject({ answered: true, text: 'Gladly' });
});

it('an execution that failed is tried again, and sends only what was not accepted', async () => {
	const { id } = await host.api.request<{ id: string }>(
		'POST',
		`/executions/${failed.execution}/retry`,
		{ loadWorkflow: false },
	);
	expect((await host.api.waitForEnd(id)).status).toBe('success');
	expect(sent()).toEqual(expect.arrayContaining(['refused', 'never tried']));
	expect(sent()).not.toContain('accepted');
});

it('a workflow is unpublished without anything left behind, and published again', async () => {
	const { id, url } = triggers['with everything set'];
	const own = () => host.gateway.webhooks().filter((webhook) => webhook.url === url);
	await host.api.unpublish(id);
	expect(own()).toEqual([]);
	await host.api.publish(id);
	expect(own()).toHaveLength(1);
	await receive(triggers['with everything set']);
});
