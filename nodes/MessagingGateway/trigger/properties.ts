import type { INodeProperties } from 'n8n-workflow';
import { customEvents, eventOptions } from '../fields/events';
import { bounded } from '../fields/number';
import { chatTypes } from './chatTypes';
import { combineMessages } from './combineMessages';
import { oneTurnAtATime } from './oneTurnAtATime';
import { senders } from './senders';

export const maxPerExecution = bounded('Max per Execution', { from: 1, to: 1000, isWhole: true });

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		chatTypes,
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
			description: 'When to confirm an event to the gateway, which then does not send it again',
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
			default: true,
			description:
				'Whether to drop a status (sent, delivered, read) if the message already has this status, or a later one. Statuses may arrive in any order, and more than once.',
		},
		{
			displayName: 'Max per Execution',
			name: 'maxPerExecution',
			type: 'number',
			typeOptions: maxPerExecution.typeOptions,
			default: 100,
			description:
				'How many events may share one execution, as items in the order of their timestamps. Events that arrive while n8n starts an execution share the next one. A single event is never delayed.',
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
			default: true,
			description:
				'Whether to take only messages that quote another one. Events that belong to no chat are not affected.',
		},
	],
};

/** The trigger's parameters, as the editor shows them. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Webhook Setup',
		name: 'webhookSetup',
		type: 'options',
		required: true,
		noDataExpression: true,
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description:
					'The webhook is created at the gateway when the workflow is published, and deleted afterwards',
			},
			{
				name: 'Manual',
				value: 'manual',
				description:
					'You create the webhook at the gateway yourself and enter its secret in the credential',
			},
		],
		default: 'automatic',
		description: 'Who creates the webhook at the gateway',
	},
	{
		displayName:
			'Create a webhook at your gateway with the <b>Production URL</b> shown above under "Webhook URLs" and the events chosen below. The gateway shows its secret (whsec_…) once: enter it as <b>Webhook Secret</b> in the credential. The <b>Test URL</b> needs its own webhook, and its own credential for that secret.',
		name: 'manualNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { webhookSetup: ['manual'] } },
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: eventOptions,
		default: ['MESSAGE.RECEIVED'],
		description:
			'The events that start the workflow. For other types, add Custom Events in the options.',
	},
	{
		displayName: 'Number (Instance) Names or IDs',
		name: 'instanceIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getInstances' },
		default: [],
		description:
			'Only events of these numbers; none chosen means all. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		required: true,
		noDataExpression: true,
		options: [
			{
				name: 'Raw',
				value: 'raw',
				description: 'The event as the gateway sent it, with a few derived fields beside it',
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description:
					'One flat object that begins with the text and who wrote it. Has the fields that n8n’s AI nodes need.',
			},
		],
		default: 'simplified',
		description: 'The form of each item',
	},
	options,
];
