import { getMany, type Resource } from './operation';
import { freeRequest } from './request';

export const account: Resource = {
	name: 'Account',
	value: 'account',
	tokenKind: 'account',
	operations: [
		{
			...getMany('instances'),
			name: 'Get Instances',
			value: 'getInstances',
			description:
				'List the instances of the account with their IDs. One instance is one connected phone number.',
			request: 'GET {+instancesPath}',
		},
		{
			...freeRequest,
			name: 'Make Request',
			value: 'makeRequest',
			action: 'Make account request',
			description: 'Call any path under /v1 with the account token, for what has no operation',
		},
	],
};
