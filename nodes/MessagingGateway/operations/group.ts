import { getMany, type Resource } from './operation';

export const group: Resource = {
	name: 'Group',
	value: 'group',
	token: 'instance',
	operations: [
		{
			...getMany('groups'),
			request: 'GET /v1/groups',
		},
	],
};
