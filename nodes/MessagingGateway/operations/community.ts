import type { Field } from '../fields/field';
import { listFields } from '../fields/list';
import { readIds } from '../fields/typed';
import type { Resource } from './operation';

const communityId: Field = {
	displayName: 'Community',
	name: 'communityId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The community that the groups join',
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
	in: 'body',
	as: 'id',
};

export const community: Resource = {
	name: 'Community',
	value: 'community',
	operations: [
		{
			name: 'Add Groups',
			value: 'addGroups',
			action: 'Add groups to community',
			description:
				'Let groups join a community. Some may join and others not: the output names both.',
			effect: 'change',
			request: 'POST /v1/communities/add-groups',
			token: 'instance',
			expects: 'object',
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
						'The groups that join, at least one. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
					in: 'body',
					as: 'groups',
					clean: readIds,
				},
			],
			hint: ({ failed }) => {
				const count = Array.isArray(failed) ? failed.length : 0;
				return count > 0
					? `${count} of the groups did not join. See "failed" in the output.`
					: undefined;
			},
		},
		{
			name: 'Create',
			value: 'create',
			action: 'Create community',
			description: 'Create a community, which groups can then join',
			effect: 'change',
			request: 'POST /v1/communities/create',
			token: 'instance',
			expects: 'object',
			fields: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. Residents of Rua das Flores',
					description: 'Name that members see',
					in: 'body',
				},
			],
		},
		{
			name: 'Get Many',
			value: 'getAll',
			opensMenu: true,
			action: 'Get many communities',
			description: 'List the communities of the number',
			effect: 'read',
			request: 'GET /v1/communities',
			token: 'instance',
			expects: 'list',
			fields: listFields,
		},
	],
};
