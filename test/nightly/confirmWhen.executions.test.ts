import type { INode, INodeParameters } from 'n8n-workflow';
import { buildDoor, type Door } from '../../host/door';
import { chain, choose, GATEWAY_NODE, makeNode, makeTrigger } from '../../host/drafts/nodes';
import { publish } from '../../host/drafts/workflows';
import { credentialData, startHost, type Host } from '../../host/host';
import { waitFor } from '../../host/waiting';
import type { RecordedDelivery } from '../../simulator';
import { isStartingUp } from '../support/tally';

// Deliveries that are answered when their execution has succeeded.

let host: Host;
let door: Door;

beforeAll(async () => {
	door = await buildDoor();
	host = await startHost({
		n8n: {},
		gateway: {
			// A gateway less patient than the real one shows the same sooner.
			deliveryTimeoutMs: 4_000,
			retryDelaysMs: Array<number>(200).fill(500),
		},
	});
});

afterAll(async () => {
	await host?.stop();
	door?.stop();
});

let workflowId: string;

beforeEach(() => {
	door.open(undefined);
	door.visits.splice(0);
});

afterEach(async () => {
	door.open(() => 200);
	door.visits.forEach(({ answer }) => answer());
	await host.api.unpublish(workflowId);
	host.gateway.reset();
});

/** Publishes the trigger and what comes behind it. */
async function listen(
	steps: INode[] = [door.node()],
	options: INodeParameters = {},
): Promise<void> {
	const trigger = makeTrigger(host.credentials.account, {
		events: ['MESSAGE.RECEIVED'],
		options: { confirmWhen: 'succeeded', ...options },
	});
	const nodes = [trigger, ...steps];
	workflowId = await publish(host.api, { name: 'Answer', nodes, connections: chain(nodes) });
}

const write = (text: string) => host.gateway.write(text, { phone: '5511987654321' }).id;

const attempts = (eventId: string): RecordedDelivery[] =>
	host.gateway.deliveries.filter((delivery) => delivery.eventId === eventId);

async function untilAccepted(eventId: string): Promise<RecordedDelivery> {
	const accepted = () => attempts(eventId).find(({ status }) => status === 200);
	return await waitFor(`${eventId} to be accepted`, accepted, 90_000);
}

async function untilAnswered(eventId: string, count: number): Promise<RecordedDelivery> {
	const answered = () => attempts(eventId).filter(({ finishedAt }) => finishedAt > 0)[count - 1];
	return await waitFor(`answer ${count} to ${eventId}`, answered, 90_000);
}

const executions = async (statuses?: string[]) =>
	(await host.api.listExecutions(workflowId)).filter(
		({ status }) => statuses?.includes(status) ?? true,
	);

it('answers 200 when the execution has ended well, and tells nothing of what it made', async () => {
	await listen();
	const id = write('hello');
	const visit = await door.visit(1);
	expect(attempts(id)).toMatchObject([{ finishedAt: 0 }]);
	visit.answer();

	expect(await untilAccepted(id)).toMatchObject({ attempt: 1, answer: '' });
	expect(await executions(['success'])).toHaveLength(1);
});

it('answers 5xx when it has failed, and the repeat runs', async () => {
	await listen();
	const id = write('hello');
	(await door.visit(1)).answer(400);
	(await door.visit(2)).answer();

	await untilAccepted(id);
	expect(attempts(id).map(({ status }) => status)).toEqual([500, 200]);
	expect((await executions()).map(({ status }) => status)).toEqual(['success', 'error']);
});

it('answers 200 when the execution has begun to wait: then n8n has it on disk', async () => {
	const wait = makeNode(
		'n8n-nodes-base.wait',
		'Wait',
		{ resume: 'timeInterval', amount: 1, unit: 'hours' },
		{ typeVersion: 1.1 },
	);
	await listen([wait, door.node()]);
	expect(await untilAccepted(write('hello'))).toMatchObject({ attempt: 1 });
	expect(await executions(['waiting'])).toHaveLength(1);
});

it('runs a workflow once that takes longer than the gateway waits, however often the event comes', async () => {
	await listen();
	const id = write('hello');
	const visit = await door.visit(1);
	await waitFor('the third attempt', () => attempts(id).length >= 3, 60_000);
	visit.answer();

	await untilAccepted(id);
	expect(door.visits).toHaveLength(1);
	expect(await executions()).toHaveLength(1);
});

it('takes an execution that a person stops for failed', async () => {
	await listen();
	const id = write('hello');
	await door.visit(1);
	const [running] = await executions(['running']);
	await host.api.stopExecution(running.id);

	expect(await untilAnswered(id, 1)).toMatchObject({ status: 500 });
	(await door.visit(2)).answer();
	await untilAccepted(id);
});

it('does not take for done what n8n could not even begin', async () => {
	const credential = await host.api.createCredential(
		'messagingGatewayInstanceApi',
		'Deleted soon',
		credentialData(host.gateway).instance,
	);
	const send = makeNode(
		GATEWAY_NODE,
		'Send',
		{
			resource: 'message',
			operation: 'sendText',
			to: { __rl: true, mode: 'phone', value: '5511987654321' },
			text: 'Hello',
		},
		choose(credential),
	);
	await listen([send]);
	await host.api.deleteCredential(credential.id);
	const id = write('hello');

	for (const count of [1, 2])
		expect((await untilAnswered(id, count)).status).toBeGreaterThanOrEqual(500);
});

it('is repeated by the gateway where n8n was killed, and runs again', async () => {
	await listen();
	let id = '';
	let tries = 0;
	do {
		if (++tries > 5) throw new Error('n8n answered every repeat by itself while it started.');
		id = write('hello');
		const visits = door.visits.length + 1;
		await door.visit(visits);
		await host.n8n.kill();
		await host.n8n.start();
		await waitFor(
			'the repeat',
			() => door.visits.length > visits || attempts(id).some(isStartingUp),
		);
		// What n8n answers 200 by itself while it starts never comes to the trigger.
	} while (attempts(id).some(isStartingUp));
	door.visits.at(-1)?.answer();

	await untilAccepted(id);
	expect(attempts(id)[0]).toMatchObject({ status: null });
	await waitFor('its execution', async () => (await executions(['success'])).length === 1);
});

it('answers what was filtered out, repeated or forged as always', async () => {
	await listen([door.node()], { onlyQuotedReplies: true });
	door.open(() => 200);
	const reply = host.gateway.write('reply', { phone: '5511987654321', quotedMessageId: 'm1' });
	await untilAccepted(reply.id);
	host.gateway.emit(reply);
	expect(await untilAnswered(reply.id, 2)).toMatchObject({ status: 200, attempt: 1 });
	expect(await untilAnswered(write('no reply'), 1)).toMatchObject({ status: 200 });
	host.gateway.setDelivery({ forge: true });
	expect(await untilAnswered(write('forged'), 1)).toMatchObject({ status: 401 });
	expect(door.visits.map(({ texts }) => texts)).toEqual([['reply']]);
});
