import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { POLL_PARAMETER, PRESENCE_FIELD } from '../nodes/MessagingGateway/gateway/assumptions';
import { bearerOf } from '../nodes/MessagingGateway/gateway/secrets';
import { listCountries } from '../nodes/MessagingGateway/values/country';
import { INTERNATIONAL } from '../nodes/MessagingGateway/values/phone';
import { accountToken, baseUrl, webhooksPath } from './MessagingGatewayAccountApi.credentials';

export const defaultCountry: INodeProperties = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	default: '',
	options: [
		{ name: 'None: Numbers Have Their Country Code', value: INTERNATIONAL },
		{ name: 'Not Chosen: Numbers Need a +', value: '' },
		...listCountries(),
	],
	description:
		'The country of numbers without +. The node puts its country code in front of them. A number of another country needs a +.',
};

const furtherNumbers: INodeProperties = {
	displayName: 'Further Numbers',
	name: 'furtherNumbers',
	type: 'string',
	typeOptions: { password: true, rows: 6 },
	default: '',
	placeholder: 'e.g. inst_1, svc_inst_…',
	hint: 'One number a line: instance ID, token. Nobody can read the list again after saving.',
	description: 'Other numbers to write from, with their tokens',
};

/** Acts for one phone number (API 3.2). */
export class MessagingGatewayInstanceApi implements ICredentialType {
	name = 'messagingGatewayInstanceApi';

	displayName = 'Messaging Gateway Instance Token API';

	icon = {
		light: 'file:../nodes/MessagingGateway/messagingGateway.svg',
		dark: 'file:../nodes/MessagingGateway/messagingGateway.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway#credentials';

	properties: INodeProperties[] = [
		{
			displayName:
				'For sending messages and everything else that one phone number does. The trigger, webhooks and the list of instances need the credential "Messaging Gateway Account Token API".',
			name: 'scope',
			type: 'notice',
			default: '',
		},
		baseUrl,
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
		{
			displayName: 'Instance ID',
			name: 'instanceId',
			type: 'string',
			default: '',
			placeholder: 'e.g. inst_1',
			description:
				'Only if you use several numbers: the instance ID of the number that Instance Token belongs to',
		},
		defaultCountry,
		{ ...accountToken, hint: 'Only Send and Wait for Reply needs it' },
		{ ...webhooksPath, hint: 'Only Send and Wait for Reply uses it' },
		{
			displayName: 'Presence Field',
			name: 'presenceField',
			type: 'string',
			default: PRESENCE_FIELD,
			description:
				'The field of a request that shows typing. Change it only if your gateway uses another name.',
		},
		{
			displayName: 'Poll Parameter',
			name: 'pollParameter',
			type: 'string',
			default: POLL_PARAMETER,
			description:
				'The parameter of poll results that takes the message ID. Change it only if your gateway uses another name.',
		},
		furtherNumbers,
	];

	authenticate = bearerOf('instanceToken');
}
