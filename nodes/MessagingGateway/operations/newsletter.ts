import type { Field } from '../fields/field';
import { listFields } from '../fields/list';
import type { Resource } from './operation';

const about: Field = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	default: '',
	placeholder: 'e.g. New every Monday',
	description: 'Subject of the newsletter',
	in: 'body',
};

export const newsletter: Resource = {
	name: 'Newsletter',
	value: 'newsletter',
	operations: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create newsletter',
			description: 'Create a newsletter, also called a channel',
			effect: 'change',
			request: 'POST /v1/newsletters/create',
			token: 'instance',
			expects: 'object',
			fields: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. Weekly Offers',
					description: 'Name that followers see',
					in: 'body',
				},
			],
			options: [about],
		},
		{
			name: 'Get Many',
			value: 'getAll',
			opensMenu: true,
			action: 'Get many newsletters',
			description: 'List the newsletters (channels) of the number',
			effect: 'read',
			request: 'GET /v1/newsletters',
			token: 'instance',
			expects: 'list',
			fields: listFields,
		},
	],
};
