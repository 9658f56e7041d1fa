import type { Field } from '../fields/field';
import { fileFields } from '../fields/files';
import { NO_TOKEN } from '../fields/noToken';
import { instanceId, messagesPerMinute } from '../fields/options';
import { readFlag } from '../fields/typed';
import type { Resource } from './operation';
import {
	composeRequest,
	makeRequest,
	readFreePath,
	readJsonBody,
	readQuery,
	recipientOf,
} from './request';

const body: Field = {
	displayName: 'Body',
	name: 'body',
	type: 'json',
	default: '',
	placeholder: 'e.g. { "to": "+55 11 98765-4321" }',
	description: 'The body of the request, as JSON. Can be empty.',
	displayOptions: { show: { '/method': ['DELETE', 'PATCH', 'POST', 'PUT'] } },
	clean: readJsonBody,
};

export const api: Resource = {
	name: 'API',
	value: 'api',
	operations: [
		{
			name: 'Request',
			value: 'request',
			opensMenu: true,
			action: 'Make API request',
			description: 'Call any path under /v1, for what has no operation, such as sending a picture',
			effect: 'change',
			compose: composeRequest,
			recipientOf,
			fields: [
				{
					displayName: 'Token',
					name: 'token',
					type: 'options',
					default: 'instance',
					options: [
						{ name: 'Account', value: 'account', description: 'For webhooks and instances' },
						{ name: 'Instance', value: 'instance', description: 'For what one phone number does' },
						NO_TOKEN,
					],
					description: 'Which token the request uses',
				},
				{
					displayName: 'Method',
					name: 'method',
					type: 'options',
					default: 'GET',
					options: [
						{ name: 'DELETE', value: 'DELETE' },
						{ name: 'GET', value: 'GET' },
						{ name: 'PATCH', value: 'PATCH' },
						{ name: 'POST', value: 'POST' },
						{ name: 'PUT', value: 'PUT' },
					],
					description: 'The HTTP method',
				},
				{
					displayName: 'Path',
					name: 'path',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. /v1/groups',
					description: 'The part behind the base URL. It begins with /v1.',
					builderHint: {
						propertyHint:
							'Only a path that the user gave or that this node shows elsewhere. Ask for it: never invent one.',
					},
					clean: readFreePath,
				},
				{
					displayName: 'Query',
					name: 'query',
					type: 'fixedCollection',
					typeOptions: { multipleValues: true },
					default: {},
					placeholder: 'Add Parameter',
					description:
						'Parameters of the URL. If several have the same name, all of them are sent.',
					clean: readQuery,
					options: [
						{
							displayName: 'Parameter',
							name: 'parameters',
							values: [
								{
									displayName: 'Name',
									name: 'name',
									type: 'string',
									default: '',
									placeholder: 'e.g. messageId',
									description: 'Name of the parameter',
								},
								{
									displayName: 'Value',
									name: 'value',
									type: 'string',
									default: '',
									description: 'Value of the parameter',
								},
							],
						},
					],
				},
				...fileFields,
				{
					displayName: 'Sends a Message',
					name: 'sendsMessage',
					type: 'boolean',
					default: false,
					description:
						'Whether the request sends a message. The node then never repeats it, and says whether it was sent. It keeps the order for each recipient ("to" in the body). The gateway’s answer must hold a messageId.',
					displayOptions: { show: { method: ['PATCH', 'POST', 'PUT'] } },
					clean: readFlag,
				},
			],
			options: [
				body,
				{ ...instanceId, displayOptions: { show: { '/token': ['instance'] } } },
				{ ...messagesPerMinute, displayOptions: { show: { '/sendsMessage': [true] } } },
			],
			perform: makeRequest,
		},
	],
};
