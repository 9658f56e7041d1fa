import type { INodeProperties } from 'n8n-workflow';
import { customEvents } from '../../fields/common';

export const CHAT_TYPES = [
	{ name: 'Channel', value: 'channel', description: 'Posts in channels (newsletters)' },
	{ name: 'Group', value: 'group' },
	{ name: 'Person', value: 'person' },
	{ name: 'Status', value: 'status', description: 'Status updates that contacts post' },
];

/** A group of numbers. An empty one counts as not added, `{ values: {} }` has their defaults. */
function groupOf(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'builderHint'>,
	title: string,
	values: INodeProperties[],
): INodeProperties {
	const options = [{ displayName: title, name: 'values', values }];
	return { ...field, type: 'fixedCollection', default: {}, options };
}

export const combineMessages = groupOf(
	{
		displayName: 'Combine Messages',
		name: 'combineMessages',
		builderHint: {
			propertyHint:
				'{ values: {} } turns it on, with the defaults. `text` then holds all texts, one a line.',
		},
		description:
			'Wait until somebody has finished writing, then start once, with all of their messages in one item',
	},
	'Wait',
	[
		{
			displayName: 'Max Wait (Seconds)',
			name: 'maxWaitSeconds',
			type: 'number',
			typeOptions: { minValue: 5, maxValue: 60 },
			default: 30,
			description: 'Longest wait after the first message, 5 to 60',
		},
		{
			displayName: 'Quiet Time (Seconds)',
			name: 'quietSeconds',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 60 },
			default: 4,
			description: 'Time without a message, 1 to 6; up to 60 with Confirm Event: When Received',
		},
	],
);

export const maxStarts = groupOf(
	{
		displayName: 'Max Starts per Conversation',
		name: 'maxStartsPerConversation',
		builderHint: { propertyHint: '{ values: {} } turns it on' },
		description:
			'Stops two automatic replies that answer each other: further messages start nothing, and an alarm is raised',
	},
	'Limit',
	[
		{
			displayName: 'Max Starts',
			name: 'maxStarts',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
			default: 20,
			description: 'Executions that one conversation may start in this time',
		},
		{
			displayName: 'Minutes',
			name: 'minutes',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1440 },
			default: 10,
			description: '1 to 1440',
		},
	],
);

export const oneTurnAtATime = groupOf(
	{
		displayName: 'One Turn at a Time',
		name: 'oneTurnAtATime',
		builderHint: { propertyHint: '{ values: {} } turns it on. A waiting execution ends its turn.' },
		description:
			'While an execution of a conversation runs, new messages of this conversation wait. Then they start the next execution together, in one item.',
	},
	'Turn',
	[
		{
			displayName: 'Max Turn (Minutes)',
			name: 'maxTurnMinutes',
			type: 'number',
			typeOptions: { minValue: 0.1, maxValue: 60 },
			default: 5,
			description:
				'The next execution starts after this time even if the last one still runs, 0.1 to 60',
		},
	],
);

export const maxAge: INodeProperties = {
	displayName: 'Ignore Events Older Than (Minutes)',
	name: 'ignoreOlderThan',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 10_080 },
	default: 0,
	description: 'After an outage, drop what is older. 0 drops nothing.',
};

export const maxPerExecution: INodeProperties = {
	displayName: 'Max per Execution',
	name: 'maxPerExecution',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
	default: 1,
	description:
		'How many events may share one execution. With an AI Agent keep 1: it uses the memory of the first item for all.',
};

const senders: INodeProperties = {
	displayName: 'Only From',
	name: 'senders',
	type: 'string',
	default: '',
	placeholder: 'e.g. +55 11 98765-4321, 1234567890@lid',
	description:
		'Only messages of these people: phones with country code, or IDs (personKey), separated by commas. Empty means everybody.',
};

/** The options of the trigger; `settings.ts` reads them. */
export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		combineMessages,
		{
			displayName: 'Confirm Event',
			name: 'confirmWhen',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'When Execution Starts',
					value: 'started',
					description:
						'If n8n is killed while an execution runs, its event is lost. An event rarely runs twice.',
				},
				{
					name: 'When Execution Succeeds',
					value: 'succeeded',
					description:
						'Each event runs at least once. If an execution does not succeed, the gateway sends its event again.',
				},
				{
					name: 'When Received',
					value: 'received',
					description:
						'If n8n is killed, events that wait or run are lost. For gateways that count failures.',
				},
			],
			default: 'started',
			description: 'When the gateway stops repeating an event',
		},
		customEvents,
		{
			displayName: 'Ignore Answers to Questions',
			name: 'ignoreAnswers',
			type: 'boolean',
			default: true,
			description:
				'Whether to ignore a message that answers an open question of Send and Wait for Reply',
		},
		maxAge,
		{
			displayName: 'Ignore Outdated Statuses',
			name: 'ignoreOutdatedStatuses',
			type: 'boolean',
			default: false,
			description:
				'Whether to drop a status that is not later than the last one of the message. A restart forgets them.',
			builderHint: {
				propertyHint:
					'A status may come before the send has put out its messageId: insert the row if it is not there yet',
			},
		},
		maxPerExecution,
		maxStarts,
		{
			displayName: 'Message Types',
			name: 'messageTypes',
			type: 'string',
			default: '',
			placeholder: 'e.g. TEXT, BUTTON_REPLY',
			description: 'Only messages of these types, separated by commas',
		},
		oneTurnAtATime,
		senders,
		{
			displayName: 'Only Quoted Replies',
			name: 'onlyQuotedReplies',
			type: 'boolean',
			default: false,
			description: 'Whether to take only messages that quote another one',
		},
	],
};
