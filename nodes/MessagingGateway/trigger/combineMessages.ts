import type { INodeProperties } from 'n8n-workflow';

/** How long to wait for somebody who writes several messages. */
export const combineMessages: INodeProperties = {
	displayName: 'Combine Messages',
	name: 'combineMessages',
	type: 'fixedCollection',
	default: { values: { quietSeconds: 4, maxWaitSeconds: 30 } },
	description:
		'Wait until somebody has finished writing, then start once, with all of their messages in one item. Other events are not delayed.',
	options: [
		{
			displayName: 'Wait',
			name: 'values',
			values: [
				{
					displayName: 'Max Wait (Seconds)',
					name: 'maxWaitSeconds',
					type: 'number',
					typeOptions: { minValue: 5, maxValue: 60 },
					default: 30,
					description: 'Seconds after the first message at which the workflow starts in any case',
				},
				{
					displayName: 'Quiet Time (Seconds)',
					name: 'quietSeconds',
					type: 'number',
					typeOptions: { minValue: 1, maxValue: 6 },
					default: 4,
					description:
						'Seconds without a new message after which the workflow starts. In a group, each member has their own.',
				},
			],
		},
	],
};
