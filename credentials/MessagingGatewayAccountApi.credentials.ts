import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { stringField } from '../nodes/MessagingGateway/fields/field';
import { INSTANCES_PATH, WEBHOOKS_PATH } from '../nodes/MessagingGateway/gateway/assumptions';
import { bearerOf } from '../nodes/MessagingGateway/gateway/secrets';

export const baseUrl = stringField({
	displayName: 'Base URL',
	name: 'baseUrl',
	required: true,
	placeholder: 'e.g. https://gateway.example.com',
	description: 'Address of your gateway. A slash or /v1 at its end does not matter.',
});

export const accountToken: INodeProperties = {
	displayName: 'Account Token',
	name: 'accountToken',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	placeholder: 'e.g. svc_acct_…',
	description:
		'Generated in the dashboard of your gateway, under API and tokens. It begins with svc_acct_.',
};

export const webhooksPath = stringField({
	displayName: 'Webhooks Path',
	name: 'webhooksPath',
	default: WEBHOOKS_PATH,
	description: 'Where your gateway manages webhooks. Change it only if your gateway answers 404.',
});

/** Manages webhooks and instances (API 3.2). */
export class MessagingGatewayAccountApi implements ICredentialType {
	name = 'messagingGatewayAccountApi';

	displayName = 'Messaging Gateway Account Token API';

	icon = {
		light: 'file:../nodes/MessagingGateway/messagingGateway.svg',
		dark: 'file:../nodes/MessagingGateway/messagingGateway.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway#credentials';

	properties: INodeProperties[] = [
		{
			displayName:
				'For the trigger, for webhooks and for the list of instances. Sending messages needs the credential "Messaging Gateway Instance Token API" instead.',
			name: 'scope',
			type: 'notice',
			default: '',
		},
		baseUrl,
		{ ...accountToken, required: true },
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			placeholder: 'e.g. whsec_…',
			description:
				'Only for triggers with manual webhook setup: the secret shown once when you created the webhook by hand. It begins with whsec_.',
		},
		webhooksPath,
		{
			displayName: 'Instances Path',
			name: 'instancesPath',
			type: 'string',
			default: INSTANCES_PATH,
			description:
				'Where your gateway lists instances. Change it only if your gateway answers 404.',
		},
	];

	authenticate = bearerOf('accountToken');
}
