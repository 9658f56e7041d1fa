import { getMany, type Resource } from './operation';

export const group: Resource = {
	name: 'Group',
	value: 'group',
	tokenKind: 'instance',
	operations: [{ ...getMany('groups'), request: 'GET /v1/groups' }],
};
