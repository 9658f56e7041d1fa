import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { StoredCredential, WorkflowDraft } from '../../../lab/host/api';
import {
	chain,
	choose,
	GATEWAY_NODE,
	makeNode,
	makeNothing,
	makeTrigger,
} from '../../../lab/host/drafts/nodes';
import type { Host } from '../../../lab/host/host';

export interface TriggerDraft {
	/** The account credential; the host's unless given. */
	credential?: StoredCredential;
	parameters?: INodeParameters;
	/** Name of the trigger node. */
	node?: string;
	webhookId?: string;
}

export interface TriggerWorkflow {
	id: string;
	webhookId: string;
	/** Where deliveries go while the workflow is published. */
	url: string;
	/** Where they go while the editor listens for a test event. */
	testUrl: string;
}

/** A workflow of the trigger and a node that does nothing. */
export function draftTriggerWorkflow(
	{ credentials }: Pick<Host, 'credentials'>,
	{ credential, parameters, node = 'Trigger', webhookId = randomUUID() }: TriggerDraft = {},
): WorkflowDraft {
	const trigger = makeTrigger(credential ?? credentials.account, parameters, {
		name: node,
		webhookId,
	});
	const nodes = [trigger, makeNothing()];
	return { name: `Trigger ${webhookId}`, nodes, connections: chain(nodes) };
}

/** Stores such a workflow; it is not published yet. */
export async function createTriggerWorkflow(
	host: Host,
	draft: TriggerDraft = {},
): Promise<TriggerWorkflow> {
	const webhookId = draft.webhookId ?? randomUUID();
	const { id } = await host.api.createWorkflow(draftTriggerWorkflow(host, { ...draft, webhookId }));
	return {
		id,
		webhookId,
		url: `${host.n8n.url}/webhook/${webhookId}/webhook`,
		testUrl: `${host.n8n.url}/webhook-test/${webhookId}/webhook`,
	};
}

/** A node that answers in the chat with all that was written: in its own item, or in `message`. */
export const makeAnswer = (
	{ credentials }: Pick<Host, 'credentials'>,
	words = 'You wrote: ',
	message = '$json',
): INode =>
	makeNode(
		GATEWAY_NODE,
		'Answer',
		{
			resource: 'message',
			operation: 'sendText',
			to: { __rl: true, mode: 'id', value: `={{ ${message}.replyTo }}` },
			text: `=${words}{{ ${message}.text }}`,
		},
		choose(credentials.instance),
	);

/** A workflow that passes each received message through `steps`, one after the other, and answers it in its chat. */
export function draftAnswering(
	{ credentials }: Pick<Host, 'credentials'>,
	steps: INode[],
	parameters: INodeParameters = {},
): WorkflowDraft {
	const message = "$('Message Received').item.json";
	const answer = makeAnswer({ credentials }, 'Answer to ', message);
	const received = makeTrigger(
		credentials.account,
		{ events: ['MESSAGE.RECEIVED'], ...parameters },
		{ name: 'Message Received' },
	);
	const nodes = [received, ...steps, answer];
	return { name: `Answer after ${steps.length} steps`, nodes, connections: chain(nodes) };
}
