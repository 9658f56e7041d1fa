import { setTimeout as pause } from 'node:timers/promises';
import type { INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';
import { chain, makeTrigger } from '../../lab/host/drafts/nodes';
import { waitFor } from '../../lab/host/waiting';
import type { RecordedDelivery } from '../../lab/simulator';
import { ANA, BRUNO, makeAsk } from '../support/drafts/ask';
import { startGate, type Gate } from '../support/gate';
import { host, useHost } from '../support/host';

// Conversations that take one turn at a time.

useHost({
	gateway: {
		statusDelaysMs: { sent: null, delivered: null, read: null },
		retryDelaysMs: Array<number>(200).fill(1_000),
	},
});

const WEBHOOK = 'turns';

let gate: Gate;
let workflowId: string;

beforeAll(async () => {
	gate = await startGate();
});

beforeEach(() => {
	gate.open(undefined);
	gate.visits.splice(0);
});

afterEach(async () => {
	gate.open(200);
	gate.visits.forEach(({ answer }) => answer());
	await host.api.deleteWorkflow(workflowId);
	host.gateway.reset();
});

afterAll(async () => {
	gate?.stop();
});

async function listen(
	options: INodeParameters = {},
	steps: INode[] = [gate.node()],
	settings: IWorkflowSettings = {},
) {
	const nodes = [makeTurnTrigger(options), ...steps];
	await publishNodes(nodes, settings);
}

async function publishNodes(nodes: INode[], others: IWorkflowSettings = {}): Promise<void> {
	const settings = { executionOrder: 'v1', ...others } as const;
	const draft = { name: 'Turns', nodes, connections: chain(nodes), settings };
	({ id: workflowId } = await host.api.createWorkflow(draft));
	await host.api.publish(workflowId);
}

function makeTurnTrigger(options: INodeParameters, others: Partial<INode> = {}): INode {
	const parameters = {
		events: ['MESSAGE.RECEIVED'],
		options: { oneTurnAtATime: { values: { maxTurnMinutes: 5 } }, ...options },
	};
	return makeTrigger(host.credentials.account, parameters, { webhookId: WEBHOOK, ...others });
}

/** Somebody writes: at the same millisecond, nothing would tell the order of two messages. */
async function say(text: string, phone = ANA): Promise<string> {
	const { id } = host.gateway.write(text, { phone });
	await pause(5);
	return id;
}

const texts = () => gate.visits.map((visit) => visit.texts);
const attempts = (eventId: string): RecordedDelivery[] =>
	host.gateway.deliveries.filter((delivery) => delivery.eventId === eventId);
const statusesOf = (eventId: string) => attempts(eventId).map(({ status }) => status);
const isAccepted = (eventId: string) => statusesOf(eventId).includes(200);
const untilAccepted = async (...ids: string[]) =>
	await waitFor('all to be accepted', () => ids.every(isAccepted), 60_000);
const untilDeferred = async (id: string) =>
	await waitFor('it to be deferred', () => statusesOf(id).includes(503), 20_000);
const untilDelivered = async (...ids: string[]) =>
	await waitFor('all to be delivered', () => ids.every((id) => attempts(id).length > 0));
const running = async () =>
	(await host.api.listExecutions(workflowId)).filter(({ status }) => status === 'running');

it.each(['started', 'succeeded'])(
	'messages wait for the end of an execution, and then start one with all that has come: confirmed when it has %s',
	async (confirmWhen) => {
		host.gateway.setDelivery({ duplicate: 2 });
		await listen({ confirmWhen });
		const first = await say('Hi');
		const visit = await gate.visit(1);
		if (confirmWhen === 'started') await untilAccepted(first);
		const others = [await say('one'), await say('two')];
		const bruno = await say('Hello', BRUNO);
		await gate.visit(2);
		await untilDelivered(...others);
		expect(texts()).toEqual([['Hi'], ['Hello']]);
		expect(others.some(isAccepted)).toBe(false);

		visit.answer();
		(await gate.visit(3)).answer();
		gate.visits[1].answer();
		await untilAccepted(first, bruno, ...others);
		await host.gateway.drained();
		expect(texts()).toEqual([['Hi'], ['Hello'], ['one\ntwo']]);
		await host.api.waitForExecutions(workflowId, 3);
		expect(await host.api.listExecutions(workflowId, ['success'])).toHaveLength(3);
	},
);

it('the gateway repeats all messages of an execution that fails, if its success is to be confirmed', async () => {
	const combineMessages = { values: { quietSeconds: 2 } };
	await listen({ confirmWhen: 'succeeded', combineMessages });
	const ids = [await say('one'), await say('two')];
	(await gate.visit(1)).answer(400);
	(await gate.visit(2)).answer();
	await untilAccepted(...ids);
	expect(texts()).toEqual([['one\ntwo'], ['one\ntwo']]);
});

it.each([
	['fails', 'error', (visit: { answer(status?: number): void }) => visit.answer(400)],
	[
		'is stopped by a person',
		'canceled',
		async () => host.api.stopExecution((await running())[0].id),
	],
	['takes longer than the workflow’s settings allow', 'canceled', () => {}, 3],
])('turns go on when an execution %s', async (_how, status, end, executionTimeout = -1) => {
	await listen({}, [gate.node()], { executionTimeout });
	const first = await say('Hi');
	const visit = await gate.visit(1);
	await untilAccepted(first);
	const second = await say('you');
	await untilDelivered(second);
	await end(visit);
	(await gate.visit(2)).answer();
	await untilAccepted(first, second);
	await host.gateway.drained();
	expect(texts()).toEqual([['Hi'], ['you']]);
	await host.api.waitForExecutions(workflowId, 2);
	const ends = (await host.api.listExecutions(workflowId)).map((each) => each.status);
	expect(ends.sort()).toEqual([status, 'success'].sort());
});

it('turns go on when the execution begins to wait, also for an answer in the chat, which starts no turn', async () => {
	const ask = makeAsk(host.credentials, {
		responseType: 'reply',
		message: '=Do you mean {{ $json.text }}?',
	});
	await listen({ ignoreAnswers: true }, [ask, gate.node()]);
	await say('Hi');
	const asked = async (count: number) =>
		await waitFor('the question', () => host.gateway.acceptedSends().length === count, 30_000);
	await asked(1);
	const statuses = async () =>
		(await host.api.listExecutions(workflowId)).map(({ status }) => status);
	await waitFor('it to wait', async () => (await statuses()).join() === 'waiting');
	const answer = await say('yes');
	await gate.visit(1);
	// By the trigger and by the question, whose execution goes on.
	const accepted = () => statusesOf(answer).filter((status) => status === 200);
	await waitFor('both to accept it', () => accepted().length === 2, 20_000);
	// The execution runs again, and its conversation has its turn all the same.
	await say('something else');
	await asked(2);
	gate.visits[0].answer();
	await waitFor('the next to wait', async () => (await statuses()).join() === 'waiting,success');
	expect(texts()).toEqual([['Hi']]);
	// A question that stays open would take the first message of the next test.
	await say('done');
	(await gate.visit(2)).answer();
});

it('messages start after their turn when the trigger is changed and published meanwhile', async () => {
	await listen();
	await say('Hi');
	const visit = await gate.visit(1);
	await untilDeferred(await say('one'));
	const nodes = [makeTurnTrigger({}), gate.node()];
	await host.api.updateWorkflow(workflowId, { nodes, connections: chain(nodes) });
	// The gateway drops its repeats, since the webhook is deleted and made anew.
	await host.api.publish(workflowId);
	const two = await say('two');
	await untilDeferred(two);
	expect(texts()).toEqual([['Hi']]);
	visit.answer();
	(await gate.visit(2)).answer();
	await untilAccepted(two);
	expect(texts()).toEqual([['Hi'], ['one\ntwo']]);
});
