import { listFields } from '../fields/list';
import type { Resource } from './operation';

export const group: Resource = {
	name: 'Group',
	value: 'group',
	operations: [
		{
			name: 'Get Many',
			value: 'getAll',
			opensMenu: true,
			action: 'Get many groups',
			description: 'List the groups of the number, with the IDs that other operations need',
			effect: 'read',
			request: 'GET /v1/groups',
			token: 'instance',
			expects: 'list',
			fields: listFields,
		},
	],
};
