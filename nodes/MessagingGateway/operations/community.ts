import { idField, textField } from '../fields/field';
import { getMany, type Resource } from './operation';

const communityId = idField({
	displayName: 'Community',
	name: 'communityId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'Joined by the groups',
	builderHint: { propertyHint: 'Puts out the group IDs in `added` and `failed`' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a community…',
			typeOptions: { searchListMethod: 'searchCommunities', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 120363041234567890@g.us',
		},
	],
	as: 'id',
});

export const community: Resource = {
	name: 'Community',
	value: 'community',
	operations: [
		{
			name: 'Add Groups',
			value: 'addGroups',
			action: 'Add groups to community',
			description: 'Let groups join a community',
			request: 'POST /v1/communities/add-groups',
			fields: [
				communityId,
				{
					displayName: 'Group Names or IDs',
					name: 'groupIds',
					type: 'multiOptions',
					default: [],
					required: true,
					typeOptions: {
						loadOptionsMethod: 'getGroups',
						loadOptionsDependsOn: ['options.instanceId'],
					},
					description:
						'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
					in: 'body',
					as: 'groups',
					isList: true,
				},
			],
		},
		{
			name: 'Create',
			value: 'create',
			action: 'Create community',
			description: 'Create one, and put out its ID',
			request: 'POST /v1/communities/create',
			fields: [
				textField({
					displayName: 'Name',
					name: 'name',
					placeholder: 'e.g. Residents of Rua das Flores',
					description: 'Name that members see',
				}),
			],
		},
		{
			...getMany('communities'),
			description: 'List them with their IDs',
			request: 'GET /v1/communities',
		},
	],
};

export const group: Resource = {
	name: 'Group',
	value: 'group',
	operations: [{ ...getMany('groups'), request: 'GET /v1/groups' }],
};
