import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { INode, INodeParameters } from 'n8n-workflow';
import { chain, makeNode, makeNothing, makeTrigger } from '../../lab/host/drafts/nodes';
import { publishDraft } from '../../lab/host/drafts/workflows';
import { outputOf } from '../../lab/host/executions';
import { waitFor } from '../../lab/host/waiting';
import { PEOPLE } from '../../lab/simulator';
import { deliver, makeEvent, post } from '../contract/deliveries';
import { ANA, BRUNO, publishAsk } from '../support/drafts/ask';
import {
	createTriggerWorkflow,
	draftTriggerWorkflow,
	makeAnswer,
	type TriggerWorkflow,
} from '../support/drafts/trigger';
import { startGate, type Gate } from '../support/gate';
import { host, useHost } from '../support/host';

// A genuine event starts its workflow after restarts and kills of n8n, and after somebody has overwritten static data.

// A check of the webhook comes a minute after a start, and n8n starts several times.
jest.setTimeout(240_000);

// The gateway repeats until n8n is back, however long n8n takes to start.
useHost({ n8n: {}, gateway: { retryDelaysMs: Array<number>(200).fill(1_000) } });

const CARLA = PEOPLE[2].phone!;

let gate: Gate;
let holder: Server;
/** Executions that wait in the middle of their Code node; undefined if they need not. */
let held: ServerResponse[] | undefined;

beforeAll(async () => {
	gate = await startGate();
	holder = createServer((_request, response) =>
		held ? void held.push(response) : void response.end('{}'),
	);
	await new Promise<void>((resolve) => void holder.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
	for (const { id } of await host.api.listWorkflows()) await host.api.deleteWorkflow(id);
	host.gateway.reset({ webhooks: true });
});

afterAll(async () => {
	gate?.stop();
	holder?.closeAllConnections();
	holder?.close();
});

const recordsOf = ({ url }: TriggerWorkflow) =>
	host.gateway.webhooks().filter((webhook) => webhook.url === url);

async function createPublished(): Promise<TriggerWorkflow & { webhook: string; secret: string }> {
	const workflow = await createTriggerWorkflow(host);
	await host.api.publish(workflow.id);
	const [{ id, secret }] = recordsOf(workflow);
	return { ...workflow, webhook: id, secret };
}

/** One event, signed with a secret, and repeated as a gateway does until it is accepted: every answer, in order. */
async function deliverUntilAccepted(url: string, secret: string): Promise<number[]> {
	const event = makeEvent();
	const answers: number[] = [];
	do {
		answers.push((await post(url, deliver({ secret }, { event }))).status);
	} while (answers.at(-1) !== 200 && answers.length < 4);
	return answers;
}

const ACCEPTED = [200];
const DEFERRED = [503, 503, 503, 503];
const REFUSED = [401, 401, 401, 401];
const FOREIGN = `whsec_${Buffer.alloc(32).toString('base64')}`;

/** The webhook that has replaced another one, once there is exactly one. */
async function untilReplaced(workflow: TriggerWorkflow, id: string) {
	return await waitFor(
		'a new webhook',
		() => {
			const [record, ...others] = recordsOf(workflow);
			return record !== undefined && others.length === 0 && record.id !== id && record;
		},
		90_000,
	);
}

it('loses nothing with kill -9: no message that waits, no turn, no question, no webhook', async () => {
	const { api, gateway, n8n } = host;
	const intact = await createPublished();
	const deleted = await createPublished();
	const disabled = await createPublished();
	const changed = await createPublished();

	const asked = { responseType: 'approval', to: { __rl: true, mode: 'phone', value: ANA } };
	const question = await (await publishAsk(host, asked)).ask();
	const [number] = /^\d{3}1(?=\. )/m.exec(question.sent.text)!;

	const listen = async (senders: string, options: INodeParameters, step: INode) => {
		const parameters = { events: ['MESSAGE.RECEIVED'], options: { senders, ...options } };
		const nodes = [
			makeTrigger(host.credentials.account, parameters, { id: senders, webhookId: senders }),
			step,
		];
		await publishDraft(api, { name: senders, nodes, connections: chain(nodes) });
	};
	const oneTurnAtATime = { values: { maxTurnMinutes: 5 } };
	await listen(BRUNO, { oneTurnAtATime, confirmWhen: 'succeeded' }, gate.node());
	const combineMessages = { values: { quietSeconds: 6 } };
	await listen(CARLA, { combineMessages }, makeAnswer(host));

	const say = async (text: string, phone: string) => {
		gateway.write(text, { phone });
		// At the same millisecond, nothing would tell the order of two messages.
		await pause(5);
	};
	await say('Hi', BRUNO);
	await gate.visit(1);
	for (const text of ['one', 'two']) await say(text, BRUNO);
	for (const text of ['I am', 'Carla']) await say(text, CARLA);
	await say(number, ANA);

	// A starting n8n answers 200 by itself, so nothing is delivered meanwhile.
	gateway.setDelivery({ pause: true });
	await n8n.kill();

	gateway.deleteWebhook(deleted.webhook);
	const find = ({ webhook }: { webhook: string }) =>
		gateway.webhooks().find(({ id }) => id === webhook)!;
	Object.assign(find(disabled), { enabled: false });
	Object.assign(find(changed), { events: ['QRCODE.UPDATED'] });

	gate.open(200);
	await n8n.start();
	gateway.setDelivery({ pause: false });

	await waitFor('the conversation', () => {
		const texts = gate.visits.slice(1).flatMap((visit) => visit.texts.join('\n').split('\n'));
		return ['Hi', 'one', 'two'].every((text) => texts.includes(text));
	});
	const texts = () => gateway.acceptedSends().map(({ text }) => text);
	await waitFor('the combined messages', () => texts().includes('You wrote: I am\nCarla'));
	expect(await question.answer()).toMatchObject({ data: { approved: true } });

	expect(recordsOf(intact)).toMatchObject([{ id: intact.webhook }]);
	for (const workflow of [deleted, disabled, changed]) {
		const { secret } = await untilReplaced(workflow, workflow.webhook);
		expect(await deliverUntilAccepted(workflow.url, secret)).toEqual(ACCEPTED);
	}
	await gateway.drained();
	expect(gateway.deliveries.filter(({ givenUp }) => givenUp)).toEqual([]);
});

describe('a trigger whose settings are expressions', () => {
	/** n8n evaluates none of them in the check, which a timer begins. */
	const parameters = {
		events: '={{ [] }}',
		options: {
			customEvents: '={{ "MESSAGE" }}.RECEIVED',
			senders: `={{ "${ANA}" }}`,
			maxPerExecution: '={{ 2 }}',
		},
	};

	/** The check that follows a publication or a start lists the webhooks once more. */
	async function untilChecked(): Promise<void> {
		const countLists = () =>
			host.gateway.requests.filter(
				({ method, path }) => method === 'GET' && path.startsWith('/v1/webhooks'),
			).length;
		const before = countLists();
		await waitFor('a check of the webhook', () => countLists() > before, 100_000);
	}

	it('is checked after its publication without a failed execution', async () => {
		const workflow = await createTriggerWorkflow(host, { parameters });
		await host.api.publish(workflow.id);
		const [{ id, secret }] = recordsOf(workflow);
		await untilChecked();

		// The delivery of the check to itself is behind it when another one has its response.
		expect(await deliverUntilAccepted(workflow.url, secret)).toEqual(ACCEPTED);
		expect(await host.api.listExecutions(workflow.id, ['error'])).toEqual([]);
		expect(recordsOf(workflow)).toMatchObject([{ id }]);
	});

	it('gets its webhook back that was deleted during a restart, and its check says only that', async () => {
		const { api, gateway, n8n } = host;
		const workflow = await createTriggerWorkflow(host, { parameters });
		await api.publish(workflow.id);
		const [{ id }] = recordsOf(workflow);
		await n8n.shutDown();
		gateway.deleteWebhook(id);
		await n8n.start();

		const { secret, events } = await untilReplaced(workflow, id);
		expect(events).toEqual(['MESSAGE.RECEIVED']);
		const [alarm, ...others] = await api.waitForExecutions(workflow.id, 1, 100_000);
		expect(JSON.stringify(alarm)).toContain('has recreated its webhook');
		expect(others).toEqual([]);
		expect(await deliverUntilAccepted(workflow.url, secret)).toEqual(ACCEPTED);
	});

	it('says that an expression gives something else than at the publication, by the first delivery', async () => {
		const senders = `={{ Date.now() < ${Date.now() + 20_000} ? "${ANA}" : "Ana" }}`;
		const changing = { events: ['MESSAGE.RECEIVED'], options: { senders } };
		const workflow = await createTriggerWorkflow(host, { parameters: changing });
		await host.api.publish(workflow.id);
		const [{ secret }] = recordsOf(workflow);
		expect(await deliverUntilAccepted(workflow.url, secret)).toEqual(ACCEPTED);

		await waitFor(
			'the expression to change',
			async () => {
				const [status] = await deliverUntilAccepted(workflow.url, secret);
				return status === 503;
			},
			40_000,
		);
		expect(await deliverUntilAccepted(workflow.url, secret)).toEqual(DEFERRED);
		const [alarm, ...others] = await host.api.waitForExecutions(workflow.id, 1);
		expect(others).toEqual([]);
		expect(JSON.stringify(alarm)).toContain('A setting of the trigger cannot be used any more');
	});
});

describe('an execution that spans a publication and writes static data', () => {
	async function publishWriter(workflow: TriggerWorkflow, events: string[]): Promise<void> {
		const { webhookId } = workflow;
		const draft = draftTriggerWorkflow(host, { webhookId, parameters: { events } });
		const url = `http://127.0.0.1:${(holder.address() as AddressInfo).port}/`;
		const jsCode = `const data = $getWorkflowStaticData('global');
await this.helpers.httpRequest({ url: '${url}' });
data.seen = Date.now();
return [];`;
		const writer = makeNode('n8n-nodes-base.code', 'Next', { jsCode }, { typeVersion: 2 });
		await host.api.updateWorkflow(workflow.id, { ...draft, nodes: [draft.nodes[0], writer] });
		await host.api.publish(workflow.id);
	}

	async function savedSecret({ id }: TriggerWorkflow): Promise<unknown> {
		const { staticData } = await host.api.getWorkflow(id);
		return (staticData?.['node:Trigger'] as { secret?: string } | undefined)?.secret;
	}

	/** The secret of the deleted webhook, which static data hold again, and the webhook that there is. */
	async function overwrite(workflow: TriggerWorkflow) {
		await publishWriter(workflow, ['MESSAGE.RECEIVED']);
		const waiting: ServerResponse[] = [];
		held = waiting;
		const [{ secret: old }] = recordsOf(workflow);
		expect(await deliverUntilAccepted(workflow.url, old)).toEqual(ACCEPTED);
		await publishWriter(workflow, ['MESSAGE.RECEIVED', 'MESSAGE.SENT']);
		await waitFor('the execution to wait', () => waiting.length > 0);
		held = undefined;
		for (const response of waiting) response.end('{}');
		await host.api.waitForExecutions(workflow.id, 1);
		await waitFor('the execution to write', async () => (await savedSecret(workflow)) === old);
		return { old, now: recordsOf(workflow)[0] };
	}

	it('costs the next delivery one repeat, and opens nothing to the deleted webhook', async () => {
		const workflow = await createTriggerWorkflow(host);
		const { old, now } = await overwrite(workflow);
		expect(await deliverUntilAccepted(workflow.url, old)).toEqual(REFUSED);

		const event = makeEvent();
		const first = await post(workflow.url, deliver({ secret: now.secret }, { event }));
		expect(first.status).toBe(503);
		// An execution that starts before n8n has saved them would write the old static data again.
		const isSaved = async () => (await savedSecret(workflow)) === now.secret;
		await waitFor('static data to have the secret again', isSaved);

		const repeat = await post(workflow.url, deliver({ secret: now.secret }, { event }));
		expect(repeat.status).toBe(200);
		expect(await deliverUntilAccepted(workflow.url, now.secret)).toEqual(ACCEPTED);
		expect(await savedSecret(workflow)).toBe(now.secret);
	});

	it('is noticed a minute after a start at which the gateway did not answer, by the error workflow of today', async () => {
		const { api, gateway, n8n } = host;
		const nodes = [makeNode('n8n-nodes-base.errorTrigger', 'Failed'), makeNothing()];
		const errors = await publishDraft(api, { name: 'Errors', nodes, connections: chain(nodes) });
		const intact = await createPublished();
		const workflow = await createTriggerWorkflow(host);
		const { old, now } = await overwrite(workflow);
		await gateway.pauseListening();
		try {
			await n8n.restart();
			const settings = { executionOrder: 'v1', errorWorkflow: errors } as const;
			await api.updateWorkflow(workflow.id, { settings });
			// Static data decide until the gateway answers; what does not fit them may be genuine.
			expect(await deliverUntilAccepted(intact.url, intact.secret)).toEqual(ACCEPTED);
			expect(await deliverUntilAccepted(intact.url, FOREIGN)).toEqual(DEFERRED);
			expect(await deliverUntilAccepted(workflow.url, now.secret)).toEqual(DEFERRED);
		} finally {
			await gateway.resumeListening();
		}
		const newest = await untilReplaced(workflow, now.id);
		const [told] = await api.waitForExecutions(errors, 1);
		const message = expect.stringContaining('recreated its webhook') as string;
		const description = expect.stringContaining('missing, disabled or changed') as string;
		const execution = { error: { message, description } };
		const [[{ json }]] = outputOf(told, 'Failed');
		expect(json).toMatchObject({ workflow: { id: workflow.id }, execution });
		// The trigger has delivered to itself, with which n8n has saved the secret.
		expect(await deliverUntilAccepted(workflow.url, newest.secret)).toEqual(ACCEPTED);
		expect(await deliverUntilAccepted(workflow.url, old)).toEqual(REFUSED);
		expect(recordsOf(intact)).toMatchObject([{ id: intact.webhook }]);
	});
});
