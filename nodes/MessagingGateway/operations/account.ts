import { listFields } from '../fields/common';
import type { Resource } from './operation';
import { freeRequest } from './request';

export const account: Resource = {
	name: 'Account',
	value: 'account',
	token: 'account',
	operations: [
		{
			name: 'Get Instances',
			value: 'getInstances',
			action: 'Get many instances',
			description: 'List the instances of the account. One instance is one connected phone number.',
			effect: 'read',
			request: 'GET {instancesPath}',
			expects: 'list',
			fields: listFields,
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
