import { sendOptions } from '../fields/options';
import { freeRequest, sendFields } from './freeRequest';
import type { Resource } from './operation';

export const api: Resource = {
	name: 'API',
	value: 'api',
	tokenKind: 'instance',
	operations: [
		{
			...freeRequest,
			name: 'Request',
			value: 'request',
			action: 'Make API request',
			description: 'Call any path under /v1, for what has no operation, such as sending a picture',
			fields: [...freeRequest.fields, ...sendFields],
			options: [...freeRequest.options, ...sendOptions],
		},
	],
};
