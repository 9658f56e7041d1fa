import { stringField, textField } from '../fields/field';
import { getMany, type Resource } from './operation';

export const newsletter: Resource = {
	name: 'Newsletter',
	value: 'newsletter',
	operations: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create newsletter',
			description: 'Create a newsletter, also called a channel',
			request: 'POST /v1/newsletters/create',
			fields: [
				textField({
					displayName: 'Name',
					name: 'name',
					placeholder: 'e.g. Weekly Offers',
					description: 'Name that followers see',
				}),
				stringField({
					displayName: 'Description',
					name: 'description',
					placeholder: 'e.g. New every Monday',
					description: 'Its subject. Can be empty.',
					in: 'body',
				}),
			],
		},
		{ ...getMany('newsletters'), request: 'GET /v1/newsletters' },
	],
};
