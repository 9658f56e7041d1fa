import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { StoredCredential, WorkflowDraft } from '../../host/api';
import type { Host } from '../../host/host';

export interface Step {
	name: string;
	type: string;
	typeVersion: number;
	parameters: INodeParameters;
}

/** A workflow that passes each received message through `steps`, one after the other, and answers it in its chat. */
export function draftAnswering(
	{ credentials }: Pick<Host, 'credentials'>,
	steps: Step[],
): WorkflowDraft {
	const place = (step: Step, index: number, credential?: StoredCredential): INode => ({
		...step,
		id: randomUUID(),
		position: [index * 200, 0],
		...(credential && {
			credentials: { [credential.type]: { id: credential.id, name: credential.name } },
		}),
	});
	const trigger: Step = {
		name: 'Message Received',
		type: 'n8n-nodes-messaging-gateway.messagingGatewayTrigger',
		typeVersion: 2,
		parameters: { events: ['MESSAGE.RECEIVED'] },
	};
	const answer: Step = {
		name: 'Answer',
		type: 'n8n-nodes-messaging-gateway.messagingGateway',
		typeVersion: 1,
		parameters: {
			resource: 'message',
			operation: 'sendText',
			to: { __rl: true, mode: 'id', value: "={{ $('Message Received').item.json.data.chat.id }}" },
			text: "=Answer to {{ $('Message Received').item.json.data.text }}",
		},
	};
	const nodes = [
		{ ...place(trigger, 0, credentials.account), webhookId: randomUUID() },
		...steps.map((step, index) => place(step, index + 1)),
		place(answer, steps.length + 1, credentials.instance),
	];
	const links = nodes
		.slice(1)
		.map(({ name }, index) => [
			nodes[index].name,
			{ main: [[{ node: name, type: 'main' as const, index: 0 }]] },
		]);
	return {
		name: `Answer after ${steps.length} steps`,
		nodes,
		connections: Object.fromEntries(links),
	};
}
