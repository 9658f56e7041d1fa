import * as n8n from 'n8n-workflow';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { eventOptions } from '../../fields/common';
import { CHAT_TYPES, options } from './options';

export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: eventOptions,
		default: ['MESSAGE.RECEIVED'],
		description:
			'The events that start the workflow. For other types, add Custom Events in the options.',
		builderHint: {
			propertyHint: [
				'Items if output is simplified, flat.',
				'All: `type`, `timestamp`, `instanceId`, `eventId`.',
				'MESSAGE.RECEIVED: `text`, `senderPhone`, `senderId`, `personKey` (who wrote: compare this, never phones, spelled two ways; of your phones: phoneNumber normalize; if hidden, an ID), `replyTo` (ID of the chat), `chatType`, `messageId`, `messageType`, `quotedMessageId`, `buttonId`; for AI nodes `chatInput`, `sessionId`.',
				'MESSAGE.SENT (of the phone, and of n8n unless ignoreMessagesFromN8n): `chatPhone`, `personKey` (to whom), `replyTo`: it alone fits a hidden phone, once written to. For a stop list store it by `messageId`, look there at each STOP and send. For statuses take MESSAGE.STATUS_UPDATED alone.',
				'MESSAGE.STATUS_UPDATED, one item per message: `messageId`, `status` (DELIVERED, READ; SENT may come as MESSAGE.SENT alone), `statusStep` (1, 2, 3).',
				'CONNECTION.UPDATED: `status` (CONNECTED, DISCONNECTED, LOGGED_OUT, BANNED), `reason`, `expiresIn` (seconds), `phone` (if CONNECTED). No operation reads this: keep the last event of each instanceId.',
				'QRCODE.UPDATED: `status` (GENERATED, EXPIRED).',
			].join(' '),
		},
	},
	{
		displayName: 'Chat Types',
		name: 'chatTypes',
		type: 'multiOptions',
		options: CHAT_TYPES,
		default: ['person'],
		description:
			'Only messages from chats of these types; none chosen means all. Statuses have no chat: they always come.',
		builderHint: {
			propertyHint:
				'Keep ["person"] in a workflow that answers, unless the user wants it in groups',
		},
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
					'One flat object that begins with the text and who wrote it, also for n8n’s AI nodes',
			},
		],
		default: 'simplified',
		description: 'The form of each item',
		builderHint: {
			propertyHint:
				'raw puts out `id`, `type`, `instanceId`, `timestamp`, `data` as sent (`data.text`, `data.chat` …), and `chatType`, `replyTo`, `personKey`, `statusStep`',
		},
	},
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
			'Create a webhook at your gateway with the <b>Production URL</b> shown above under "Webhook URLs" and the events chosen above. The gateway shows its secret (whsec_…) once: enter it as <b>Webhook Secret</b> in the credential. The <b>Test URL</b> needs its own webhook, and its own credential for that secret.',
		name: 'manualNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { webhookSetup: ['manual'] } },
	},
	options,
];

type Chosen = { options?: { confirmWhen?: string; oneTurnAtATime?: IDataObject } };

// n8n also evaluates the source of this function: so it uses nothing from outside.
const respondAt = ({ options: added = {} }: Chosen) =>
	added.confirmWhen === 'succeeded' || added.oneTurnAtATime?.values ? 'lastNode' : 'onReceived';

/** When n8n responds. An expression would cost more than all the rest of a delivery. */
export const responseMode = n8n.webhookDescriptionFields
	? n8n.webhookDescriptionFields({ responseMode: n8n.fromFunction(respondAt) })
	: { responseMode: `={{(${String(respondAt)})($parameter)}}` };
