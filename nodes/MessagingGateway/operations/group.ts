import { getMany, type Resource } from './operation';

export const group: Resource = {
	name: 'Group',
	value: 'group',
	token: 'instance',
	operations: [
		{
			...getMany,
			action: 'Get many groups',
			description: 'List the groups of the number, with the IDs that other operations need',
			request: 'GET /v1/groups',
		},
	],
};
