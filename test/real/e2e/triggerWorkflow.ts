import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import type { StoredCredential, WorkflowDraft } from '../../host/api';
import type { Host } from '../../host/host';

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
export function draftTriggerWorkflow(host: Host, draft: TriggerDraft = {}): WorkflowDraft {
	const { credential = host.credentials.account, parameters = {}, node = 'Trigger' } = draft;
	return {
		name: `Trigger ${draft.webhookId}`,
		nodes: [
			{
				id: 'trigger',
				name: node,
				type: 'n8n-nodes-messaging-gateway.messagingGatewayTrigger',
				typeVersion: 2,
				position: [0, 0],
				parameters,
				webhookId: draft.webhookId,
				credentials: { messagingGatewayAccountApi: { id: credential.id, name: credential.name } },
			},
			{
				id: 'next',
				name: 'Next',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [200, 0],
				parameters: {},
			},
		],
		connections: { [node]: { main: [[{ node: 'Next', type: 'main', index: 0 }]] } },
	};
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
