import {
	NodeConnectionTypes,
	type ILoadOptionsFunctions,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { labelOf, readList } from './api/answer';
import { explainAnswer } from './api/explain';
import type { GatewayRequest } from './api/exchange';
import { send } from './api/request';
import { triggerProperties } from './trigger/properties';
import { receive } from './trigger/receive';
import { subscription } from './trigger/subscription';

/** Starts a workflow when the gateway pushes an event; see trigger/ for its life and for what happens to a delivery. */
export class MessagingGatewayTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway Trigger',
		name: 'messagingGatewayTrigger',
		icon: { light: 'file:messagingGateway.svg', dark: 'file:messagingGateway.dark.svg' },
		group: ['trigger'],
		// For version 1 n8n evaluates an expression with every delivery, which costs more than all the rest.
		version: [2],
		defaultVersion: 2,
		description: 'Starts the workflow when a message arrives, is sent or changes its status, or a connection changes',
		eventTriggerDescription: 'Waiting for the gateway to send an event',
		activationMessage: 'The gateway now sends its events to this workflow.',
		defaults: { name: 'Messaging Gateway Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayAccountApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Left out, n8n would answer with the literal name of its default.
				responseData: '',
				path: 'webhook',
			},
		],
		properties: triggerProperties,
	};

	methods = { loadOptions: { getInstances } };

	webhookMethods = { default: subscription };

	webhook = receive;
}

async function getInstances(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const request: GatewayRequest = {
		method: 'GET',
		path: '{instancesPath}',
		token: 'account',
		effect: 'read',
	};
	const answer = await send(this, request);
	const list = answer.status === 200 ? readList(answer.body) : undefined;
	if (!list) throw explainAnswer(this.getNode(), request, answer, { operation: 'Instance: Get Many' });
	return list.map((instance) => ({ name: labelOf(instance), value: String(instance.id) }));
}
