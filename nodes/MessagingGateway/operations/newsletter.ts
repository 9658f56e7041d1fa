import { listFields } from '../fields/common';
import { textField } from '../fields/field';
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
				textField({
					displayName: 'Name',
					name: 'name',
					placeholder: 'e.g. Weekly Offers',
					description: 'Name that followers see',
				}),
				textField({
					displayName: 'Description',
					name: 'description',
					required: false,
					placeholder: 'e.g. New every Monday',
					description: 'Subject of the newsletter. Can be empty.',
				}),
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
