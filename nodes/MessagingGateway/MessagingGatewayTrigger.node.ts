import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { triggerHints } from './editor/builderHints';
import { getInstances } from './editor/lists';
import { testAccountCredential } from './editor/testCredential';
import { receive } from './trigger/delivery/receive';
import { responseMode, triggerProperties } from './trigger/settings/properties';
import { throwAlarm } from './trigger/webhook/alarms';
import { hooks } from './trigger/webhook/hooks';
import { watch } from './trigger/webhook/watch';

/** Starts workflows: `receive` for a delivery, `hooks` and `watch` for the webhook. */
export class MessagingGatewayTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway Trigger',
		name: 'messagingGatewayTrigger',
		icon: { light: 'file:messagingGateway.svg', dark: 'file:messagingGateway.dark.svg' },
		group: ['trigger'],
		// For version 1 n8n evaluates a costly expression with every delivery.
		version: [2],
		defaultVersion: 2,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		// n8n's node panel shows this text for both nodes of the package.
		description:
			'Start workflows with messages and other events of a number, send messages, and ask people',
		eventTriggerDescription: 'Waiting for the gateway to send an event',
		activationMessage: 'From now on, events of the gateway start this workflow.',
		defaults: { name: 'Messaging Gateway Trigger' },
		builderHint: triggerHints,
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

	/** Passes on the items of a delivery. An alarm ends here, also if a person retries it. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		throwAlarm(this, items);
		return await Promise.resolve([items]);
	}
}
