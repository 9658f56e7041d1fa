import {
	NodeConnectionTypes,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { getInstances } from './gateway/lists';
import { testAccountCredential } from './gateway/testCredential';
import { receive } from './trigger/delivery/receive';
import { responseMode, triggerProperties } from './trigger/settings/properties';
import { hooks } from './trigger/webhook/hooks';
import { watch } from './trigger/webhook/watch';

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
		// n8n's node panel shows this text for both nodes of the package.
		description:
			'Start workflows with messages and other events of a number, send messages, and ask people',
		eventTriggerDescription: 'Waiting for the gateway to send an event',
		activationMessage: 'From now on, events of the gateway start this workflow.',
		defaults: { name: 'Messaging Gateway Trigger' },
		builderHint: {
			searchHint:
				'Creates its own webhook and checks signatures: add no Webhook node. Drops repeats.',
			extraTypeDefContent: [
				"Answer a chat: trigger → Filter `text` not empty (pictures and voice messages have none) → messagingGateway message sendText, to: { __rl: true, mode: 'id', value: expr('{{ $json.replyTo }}') }",
				'An AI answers: Filter `chatInput` not empty; options oneTurnAtATime and combineMessages; `sessionId` for its memory. Of n8n-nodes-base.messageAnAgent (a preview, not retired) the answer is in text.',
				'Several numbers (call account getInstances): choose instanceIds, or answer with `instanceId` as the option instanceId, if the credential knows it. With one number leave it out.',
				'With several events, branch on `type`. Any field can be missing. Never invent a download path.',
			].map((content) => ({ content })),
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
				// The gateway gets nothing that the workflow has made.
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

	/** Passes on the items of the delivery. A person may retry an alarm of the trigger, which has none. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const isEmpty = items.every(({ json }) => Object.keys(json).length === 0);
		if (this.getMode() !== 'retry' || !isEmpty) return await Promise.resolve([items]);
		throw new NodeOperationError(this.getNode(), 'There is no event here that could run again', {
			description:
				'This was the alarm of the trigger, not an event. Do what the alarm says: the trigger goes on by itself.',
		});
	}
}
