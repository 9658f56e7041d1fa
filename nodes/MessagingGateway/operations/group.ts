import { listFields } from '../fields/common';
import type { Resource } from './operation';

export const group: Resource = {
	name: 'Group',
	value: 'group',
	token: 'instance',
	operations: [
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many groups',
			description: 'List the groups of the number, with the IDs that other operations need',
			effect: 'read',
			request: 'GET /v1/groups',
			expects: 'list',
			fields: listFields,
		},
	],
};
