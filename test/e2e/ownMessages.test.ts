import type { INode, INodeParameters } from 'n8n-workflow';
import {
	chain,
	choose,
	GATEWAY_NODE,
	makeNode,
	makeSend,
	makeTrigger,
} from '../../lab/host/drafts/nodes';
import { publishBehindEntrance, publishDraft } from '../../lab/host/drafts/workflows';
import { waitFor } from '../../lab/host/waiting';
import { host, useHost } from '../support/host';

// What n8n itself has sent, and what a person types on the phone, in a workflow on Message Sent.

useHost({ gateway: { statusDelaysMs: { sent: 10, delivered: null, read: null } } });

let workflows: string[] = [];

afterEach(async () => {
	for (const id of workflows) await host.api.deleteWorkflow(id);
	workflows = [];
	host.gateway.reset();
});

/** A workflow that answers each message that was sent, in the same chat. */
async function answerSent(options: INodeParameters): Promise<string> {
	const trigger = makeTrigger(host.credentials.account, { events: ['MESSAGE.SENT'], options });
	const answer = makeNode(
		GATEWAY_NODE,
		'Answer',
		{
			resource: 'message',
			operation: 'sendText',
			to: { __rl: true, mode: 'id', value: '={{ $json.replyTo }}' },
			text: '=You wrote: {{ $json.text }}',
			options: {},
		},
		choose(host.credentials.instance),
	);
	return await publish([trigger, answer]);
}

async function publish(nodes: INode[]): Promise<string> {
	const draft = { name: 'Own messages', nodes, connections: chain(nodes) };
	const id = await publishDraft(host.api, draft);
	workflows.push(id);
	return id;
}

it('a workflow that answers what the phone writes sends one message, and not an answer to its answer', async () => {
	const id = await answerSent({ ignoreMessagesFromN8n: true });
	host.gateway.writeOnPhone('a link');
	await host.api.waitForExecutions(id, 1, 60_000);
	await host.gateway.drained();

	expect(host.gateway.acceptedSends().map(({ text }) => text)).toEqual(['You wrote: a link']);
	expect(host.gateway.deliveries.map(({ status }) => status)).toEqual([200, 200]);
	expect(await host.api.listExecutions(id)).toHaveLength(1);
});

it('a workflow that answers its own answers is stopped by Max Starts per Conversation', async () => {
	const id = await answerSent({
		maxStartsPerConversation: { values: { maxStarts: 4, minutes: 10 } },
	});
	host.gateway.writeOnPhone('a link');
	// Four starts, and the alarm.
	const executions = await host.api.waitForExecutions(id, 5, 60_000);
	await host.gateway.drained();

	expect(executions.map(({ status }) => status).sort()).toEqual([
		'error',
		...Array<string>(4).fill('success'),
	]);
	expect(host.gateway.acceptedSends()).toHaveLength(4);
	expect(await host.api.listExecutions(id)).toHaveLength(5);
});

it('twenty sends at once, whose events come before their responses, start nothing', async () => {
	const id = await answerSent({ ignoreMessagesFromN8n: true });
	const send = makeSend(host.credentials.instance, { concurrency: 20 });
	const sending = await publishBehindEntrance(host, [send]);
	workflows.push(sending.id);
	const { acceptedSends, deliveries, faults } = host.gateway;
	// No send has its response before the events of all are on their way.
	const until = () => waitFor('the events of all sends', () => deliveries.length >= 20);
	faults.add({
		match: { path: '/v1/messages/send-text' },
		times: 20,
		fault: { kind: 'slowAnswer', until },
	});
	const to = (index: number): string => String(5_511_900_000_000 + index);
	const items = Array.from({ length: 20 }, (_, index) => ({ to: to(index), text: `m${index}` }));
	await sending.start(items);
	await host.api.waitForExecutions(sending.id, 1, 60_000);
	await host.gateway.drained();

	expect(acceptedSends()).toHaveLength(20);
	expect(await host.api.listExecutions(id)).toHaveLength(0);
});
