import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { getInstances } from './api/lists';
import { testAccountCredential } from './api/testCredential';
import { execute } from './trigger/execute';
import { hooks } from './trigger/hooks';
import { responseMode, triggerProperties } from './trigger/properties';
import { receive } from './trigger/receive';
import { watch } from './trigger/watch';

/** Starts a workflow when the gateway delivers an event: `receive` for a delivery, `hooks` and `watch` for the webhook. */
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
			'Starts the workflow when a message arrives, is sent, delivered or read, or when a connection changes',
		eventTriggerDescription: 'Waiting for the gateway to send an event',
		activationMessage: 'From now on, events of the gateway start this workflow.',
		defaults: { name: 'Messaging Gateway Trigger' },
		builderHint: {
			searchHint:
				'Registers its own webhook and checks signatures: add no Webhook node for it. Items are flat (output "simplified"): text, senderPhone, isGroup, replyTo, type, eventId; for AI nodes chatInput and sessionId. Every field can be missing: pictures and voice messages have no text. To answer, pass replyTo to Messaging Gateway, message sendText, "to" in mode "id". Only messages of persons start it: add "group" to chatTypes if groups are wanted. With several events, branch on type. Media come as the gateway sends them, in fields that its documentation does not name. Never invent a download endpoint.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-messaging-gateway.messagingGateway',
					relationHint: 'Answers in the same chat, and does everything else the gateway can do',
				},
			],
		},
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

	webhookMethods = { default: hooks };

	webhook = receive;

	trigger = watch;

	execute = execute;
}
