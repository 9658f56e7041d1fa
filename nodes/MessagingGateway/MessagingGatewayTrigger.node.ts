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
				'Registers its own webhook and checks signatures: add no Webhook node for it. Output "simplified" is one flat item per event. Each has type, timestamp, instanceId, eventId; with several events, branch on type. MESSAGE.RECEIVED adds text (missing for pictures and voice), senderPhone, chatType (person, group, channel, status), replyTo, messageType, messageId, quotedMessageId, personKey (one value per person, for look-ups), and for AI nodes chatInput (text, or the ID of the pressed button) and sessionId. MESSAGE.SENT: the same with chatPhone for senderPhone, without chatInput. MESSAGE.STATUS_UPDATED: one item per message with messageId, status (SENT, DELIVERED, READ), statusStep (1, 2, 3). CONNECTION.UPDATED: status (CONNECTED, DISCONNECTED, LOGGED_OUT, BANNED), phone, reason, expiresIn. QRCODE.UPDATED: status (GENERATED, EXPIRED). Every field can be missing. To answer, pass replyTo to Messaging Gateway, message sendText, "to" in mode "id". Only messages of persons start it: add "group" to chatTypes if groups are wanted. Media come in fields of the gateway. Never invent a download endpoint.',
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
