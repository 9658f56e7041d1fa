import { setTimeout as pause } from 'node:timers/promises';
import type { INode, INodeParameters } from 'n8n-workflow';
import { chain, makeTrigger } from '../../host/drafts/nodes';
import { publishDraft } from '../../host/drafts/workflows';
import type { Writing } from '../../simulator/state/traffic';
import { makeAnswer } from '../support/drafts/trigger';
import { startGate, type Gate } from '../support/gate';
import { host, useHost } from '../support/host';

// People who write several messages in a row.

useHost({
	gateway: {
		statusDelaysMs: { sent: null, delivered: null, read: null },
		retryDelaysMs: Array<number>(200).fill(1_000),
	},
});

let gate: Gate;
let workflowId: string;

beforeAll(async () => {
	gate = await startGate();
});

beforeEach(() => gate.visits.splice(0));

afterEach(async () => {
	await host.api.deleteWorkflow(workflowId);
	host.gateway.reset();
});

afterAll(async () => {
	gate?.stop();
});

/** The trigger's option that combines messages. */
const combine = (quietSeconds: number): INodeParameters => ({
	combineMessages: { values: { quietSeconds } },
});

function draft(step: INode, options: INodeParameters) {
	const parameters = {
		chatTypes: [],
		events: ['MESSAGE.RECEIVED'],
		options: { ...combine(2), ...options },
	};
	const nodes = [makeTrigger(host.credentials.account, parameters), step];
	return { name: 'Conversations', nodes, connections: chain(nodes) };
}

/** Somebody writes these, one after another: at the same millisecond, nothing would tell their order. */
async function say(texts: string[], places: Writing[] = [{}]): Promise<void> {
	for (const text of texts) {
		for (const place of places) host.gateway.write(text, place);
		await pause(5);
	}
}

const chatOf = (name: string) => host.gateway.chats().find((chat) => chat.name === name)!;
const statuses = () => host.gateway.deliveries.map(({ status }) => status);

it('conversations get one execution and one answer each, persons and members of groups at the same time', async () => {
	workflowId = await publishDraft(host.api, draft(makeAnswer(host), {}));
	const [ana, bruno] = ['Ana Souza', 'Bruno Carvalho'].map(chatOf);
	const [family, customers] = ['Família Souza', 'Clientes da Padaria'].map(chatOf);
	const places = [
		{ chatId: ana.id },
		{ chatId: bruno.id },
		{ chatId: family.id, phone: family.members[0].phone },
		{ chatId: family.id, phone: family.members[1].phone },
		{ chatId: customers.id, phone: customers.members[0].phone },
	];
	const texts = ['Hi', "I'm Ana", 'about my order'];
	await say(texts, places);
	await host.gateway.drained();
	await host.api.waitForExecutions(workflowId, places.length);

	const answers = host.gateway.acceptedSends().map(({ to, text }) => [to, text]);
	expect(answers.sort()).toEqual(
		places.map(({ chatId }) => [chatId, `You wrote: ${texts.join('\n')}`]).sort(),
	);
	expect(await host.api.listExecutions(workflowId)).toHaveLength(places.length);
	// Each event was delivered once, and answered only when its execution had started.
	expect(statuses()).toEqual(Array(15).fill(200));
});

it('deliveries are answered by what becomes of their execution, where that is asked for', async () => {
	workflowId = await publishDraft(host.api, draft(gate.node(), { confirmWhen: 'succeeded' }));
	await say(['Hi', "I'm Ana"]);
	const visit = await gate.visit(1);
	expect(statuses()).toEqual([null, null]);
	visit.answer(400);
	// It failed, and the gateway repeats both.
	(await gate.visit(2)).answer();
	await host.gateway.drained();

	expect(gate.visits.map(({ texts }) => texts)).toEqual([["Hi\nI'm Ana"], ["Hi\nI'm Ana"]]);
	expect(statuses().filter((status) => status === 200)).toHaveLength(2);
});
