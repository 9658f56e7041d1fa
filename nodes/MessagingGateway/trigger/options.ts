import type { INodeProperties } from 'n8n-workflow';
import { customEvents } from '../fields/events';
import { bounded } from '../fields/typed';

/** Bounds of the numbers among the options, in the editor and for expressions. */
export const BOUNDS = {
	maxPerExecution: bounded('Max per Execution', { from: 1, to: 1000, isWhole: true }),
	maxTurn: bounded('Max Turn (Minutes)', { from: 0.1, to: 60 }),
	maxWait: bounded('Max Wait (Seconds)', { from: 5, to: 60 }),
	// The request of the newest message waits for the quiet time, and must still be answered in time.
	quietTime: bounded('Quiet Time (Seconds)', { from: 1, to: 6 }),
};

export const CHAT_TYPES = [
	{ name: 'Channel', value: 'channel', description: 'Posts in channels (newsletters)' },
	{ name: 'Group', value: 'group' },
	{ name: 'Person', value: 'person' },
	{ name: 'Status', value: 'status', description: 'Status updates that contacts post' },
] as const;

const combineMessages: INodeProperties = {
	displayName: 'Combine Messages',
	name: 'combineMessages',
	type: 'fixedCollection',
	default: {},
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
					typeOptions: BOUNDS.maxWait.typeOptions,
					default: 30,
					description:
						'The workflow starts at the latest this many seconds after the first message (5 to 60)',
				},
				{
					displayName: 'Quiet Time (Seconds)',
					name: 'quietSeconds',
					type: 'number',
					typeOptions: BOUNDS.quietTime.typeOptions,
					default: 4,
					description:
						'The workflow starts after this many seconds without a new message (1 to 6). In a group, they count for each member separately.',
				},
			],
		},
	],
};

const oneTurnAtATime: INodeProperties = {
	displayName: 'One Turn at a Time',
	name: 'oneTurnAtATime',
	type: 'fixedCollection',
	default: {},
	description:
		'While an execution of a conversation runs, new messages of this conversation wait. When it has ended, they start the next execution together, in one item. Other conversations and events are not delayed.',
	options: [
		{
			displayName: 'Turn',
			name: 'values',
			values: [
				{
					displayName: 'Max Turn (Minutes)',
					name: 'maxTurnMinutes',
					type: 'number',
					typeOptions: BOUNDS.maxTurn.typeOptions,
					default: 5,
					description:
						'Minutes (0.1 to 60) after which the next execution of the conversation starts, beside the one that still runs',
				},
			],
		},
	],
};

const senders: INodeProperties = {
	displayName: 'Only From',
	name: 'senders',
	type: 'string',
	default: '',
	placeholder: 'e.g. +55 11 98765-4321, 1234567890@lid',
	description:
		'Only messages that these people write: phones with country code, or IDs, separated by commas; empty means everybody. If the network hides a phone, the item has an ID as personKey: enter that too. Events without a sender, such as a disconnected number, are not affected.',
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
		{
			displayName: 'Ignore Outdated Statuses',
			name: 'ignoreOutdatedStatuses',
			type: 'boolean',
			default: false,
			description:
				'Whether to drop a status (sent, delivered, read) if the message already has this status, or a later one. Statuses may arrive in any order, and more than once.',
		},
		{
			displayName: 'Max per Execution',
			name: 'maxPerExecution',
			type: 'number',
			typeOptions: BOUNDS.maxPerExecution.typeOptions,
			default: 1,
			description:
				'How many events may share one execution. Those that arrive while n8n starts an execution share the next one, as items in the order of their timestamps. Has no effect if Confirm Event is When Execution Succeeds.',
		},
		{
			displayName: 'Message Types',
			name: 'messageTypes',
			type: 'string',
			default: '',
			placeholder: 'e.g. TEXT, BUTTON_REPLY',
			description:
				'Only messages of these types, separated by commas. Events that belong to no chat are not affected.',
		},
		oneTurnAtATime,
		senders,
		{
			displayName: 'Only Quoted Replies',
			name: 'onlyQuotedReplies',
			type: 'boolean',
			default: false,
			description:
				'Whether to take only messages that quote another one. Events that belong to no chat are not affected.',
		},
	],
};
