import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { getInstances } from './api/lists';
import { testAccountCredential } from './api/testCredential';
import { begin } from './trigger/delivery/begin';
import { receive } from './trigger/delivery/receive';
import { responseMode } from './trigger/delivery/responseMode';
import { triggerProperties } from './trigger/properties';
import { subscription } from './trigger/registration/subscription';
import { watch } from './trigger/registration/watch';

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
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description:
			'Starts the workflow when a message arrives, is sent or changes its status, or a connection changes',
		eventTriggerDescription: 'Waiting for the gateway to send an event',
		activationMessage: 'This workflow now takes the events of the gateway.',
		defaults: { name: 'Messaging Gateway Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'messagingGatewayAccountApi', required: true, testedBy: 'testAccountCredential' },
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				...responseMode,
				// Nothing of what the workflow has made is the gateway's business.
				responseData: 'noData',
				path: 'webhook',
			},
		],
		properties: triggerProperties,
	};

	methods = { credentialTest: { testAccountCredential }, loadOptions: { getInstances } };

	webhookMethods = { default: subscription };

	webhook = receive;

	trigger = watch;

	execute = begin;
}
