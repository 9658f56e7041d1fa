import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { bearer } from '../nodes/MessagingGateway/api/authenticate';
import { countryOfNumbers } from '../nodes/MessagingGateway/fields/country';

/** Acts for one phone number (API document, "Authentication": instance token). */
export class MessagingGatewayInstanceApi implements ICredentialType {
	name = 'messagingGatewayInstanceApi';

	displayName = 'Messaging Gateway Instance API';

	icon = {
		light: 'file:../nodes/MessagingGateway/messagingGateway.svg',
		dark: 'file:../nodes/MessagingGateway/messagingGateway.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway#credentials';

	properties: INodeProperties[] = [
		{
			displayName:
				'For sending messages and everything else that one phone number does. Webhooks and the list of instances need the credential "Messaging Gateway Account API" instead.',
			name: 'scope',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://gateway.example.com',
			description: 'Address of your gateway. A slash or /v1 at its end does not matter.',
		},
		{
			displayName: 'Instance Token',
			name: 'instanceToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			placeholder: 'e.g. svc_inst_…',
			description: 'Token of one connected phone number. It begins with svc_inst_.',
		},
		countryOfNumbers,
	];

	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => bearer('instance', credentials.instanceToken, options);
}
