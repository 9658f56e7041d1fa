import { listFields } from '../fields/common';
import type { Resource } from './operation';

export const newsletter: Resource = {
	name: 'Newsletter',
	value: 'newsletter',
	token: 'instance',
	operations: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create newsletter',
			description: 'Create a newsletter, also called a channel',
			effect: 'change',
			request: 'POST /v1/newsletters/create',
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
				{
					displayName: 'Description',
					name: 'description',
					type: 'string',
					default: '',
					placeholder: 'e.g. New every Monday',
					description: 'Subject of the newsletter. Can be empty.',
					in: 'body',
				},
			],
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many newsletters',
			description: 'List the newsletters (channels) of the number',
			effect: 'read',
			request: 'GET /v1/newsletters',
			expects: 'list',
			fields: listFields,
		},
	],
};
