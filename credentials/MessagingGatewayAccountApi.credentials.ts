import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { accountToken, baseUrl, webhooksPath } from '../nodes/MessagingGateway/fields/credential';
import { INSTANCES_PATH } from '../nodes/MessagingGateway/gateway/assumptions';
import { bearerOf } from '../nodes/MessagingGateway/gateway/secrets';

/** Manages webhooks and instances (API document, "Authentication": account token). */
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
