import { commonOptions, messagesPerMinute } from '../fields/common';
import type { Resource } from './operation';
import { freeRequest } from './request';

export const api: Resource = {
	name: 'API',
	value: 'api',
	token: 'instance',
	operations: [
		{
			...freeRequest,
			name: 'Request',
			value: 'request',
			action: 'Make API request',
			description: 'Call any path under /v1, for what has no operation, such as sending a picture',
			options: [...(freeRequest.options ?? []), ...commonOptions, messagesPerMinute],
		},
	],
};
