import type { INodeProperties } from 'n8n-workflow';
import { customEvents } from '../../fields/common';
import { flagField, groupField, numberField, toOptions, type Field } from '../../fields/field';

export const CHAT_TYPES = [
	{ name: 'Channel', value: 'channel', description: 'Posts in channels (newsletters)' },
	{ name: 'Group', value: 'group' },
	{ name: 'Person', value: 'person' },
	{ name: 'Status', value: 'status', description: 'Status updates that contacts post' },
];

export const fields: Field[] = [
	groupField({
		displayName: 'Combine Messages',
		name: 'combineMessages',
		builderHint: { propertyHint: '`text` holds all texts, one a line; messages each message' },
		description:
			'Wait until somebody has finished writing to you, then start once with all of it in one item',
		title: 'Wait',
		fields: [
			numberField({
				displayName: 'Max Wait (Seconds)',
				name: 'maxWaitSeconds',
				default: 30,
				range: [5, 60],
				description: 'Longest wait after the first message, 5 to 60',
			}),
			numberField({
				displayName: 'Quiet Time (Seconds)',
				name: 'quietSeconds',
				default: 4,
				range: [1, 60],
				description: 'Time without a message, 1 to 6; up to 60 with Confirm Event: When Received',
			}),
		],
	}),
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
	flagField({
		displayName: 'Ignore Answers to Questions',
		name: 'ignoreAnswers',
		default: true,
		description: 'Whether to ignore answers to open questions. Turn it off for a stop list.',
	}),
	numberField({
		displayName: 'Ignore Events Older Than (Minutes)',
		name: 'ignoreOlderThan',
		default: 0,
		range: [0, 10_080],
		description: 'After an outage, drop what is older, in minutes. 0 drops nothing.',
	}),
	flagField({
		displayName: 'Ignore Messages From n8n',
		name: 'ignoreMessagesFromN8n',
		description:
			'Whether to drop what this n8n has sent. In queue mode, note each messageId in a table instead.',
	}),
	flagField({
		displayName: 'Ignore Outdated Statuses',
		name: 'ignoreOutdatedStatuses',
		description: 'Whether to drop a status that is not later than the last one of the message',
		builderHint: { propertyHint: 'A status may come before the send has ended: keep it for then' },
	}),
	numberField({
		displayName: 'Max per Execution',
		name: 'maxPerExecution',
		default: 1,
		range: [1, 1000],
		isWhole: true,
		description:
			'How many events may share one execution. With an AI Agent keep 1: it uses the memory of the first item for all.',
	}),
	groupField({
		displayName: 'Max Starts per Conversation',
		name: 'maxStartsPerConversation',
		description:
			'Stops two automatic replies that answer each other, and raises an alarm. Counts sent messages too.',
		title: 'Limit',
		fields: [
			numberField({
				displayName: 'Max Starts',
				name: 'maxStarts',
				default: 20,
				range: [1, 1000],
				isWhole: true,
				description: 'Starts of one conversation in this time',
			}),
			numberField({
				displayName: 'Minutes',
				name: 'minutes',
				default: 10,
				range: [1, 1440],
				description: '1 to 1440',
			}),
		],
	}),
	{
		displayName: 'Message Types',
		name: 'messageTypes',
		type: 'string',
		default: '',
		placeholder: 'e.g. TEXT, BUTTON_REPLY',
		description: 'Only messages of these types, separated by commas',
		isList: true,
	},
	groupField({
		displayName: 'One Turn at a Time',
		name: 'oneTurnAtATime',
		builderHint: { propertyHint: 'A waiting execution ends its turn' },
		description:
			'While an execution of a conversation runs, what is received waits, and then starts the next in one item',
		title: 'Turn',
		fields: [
			numberField({
				displayName: 'Max Turn (Minutes)',
				name: 'maxTurnMinutes',
				default: 5,
				range: [0.1, 60],
				description: 'After this time the next starts even if the last still runs, 0.1 to 60',
			}),
		],
	}),
	{
		displayName: 'Only From',
		name: 'senders',
		type: 'string',
		default: '',
		placeholder: 'e.g. +55 11 98765-4321, 1234567890@lid',
		description:
			'Only messages of these people: phones with country code, or IDs (personKey), separated by commas. Empty means everybody.',
		isList: true,
		// An expression that gives nothing names nobody.
		required: true,
	},
	flagField({
		displayName: 'Only Quoted Replies',
		name: 'onlyQuotedReplies',
		description: 'Whether to take only messages that quote another one',
	}),
];

export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: toOptions(fields),
};
