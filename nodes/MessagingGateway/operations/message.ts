import { POLL_PARAMETER } from '../api/assumptions';
import { ENDPOINTS } from '../api/endpoints';
import { idField, type Field } from '../fields/field';
import { recipient } from '../fields/recipient';
import { readFlag } from '../fields/typed';
import type { Resource } from './operation';
import { sendAndWait } from './sendAndWait';
import { presenceField, sendWithTyping, typingSeconds } from './typing';

const pollParameter: Field = {
	displayName: 'Poll Parameter',
	name: 'pollParameter',
	type: 'string',
	default: POLL_PARAMETER,
	description:
		'Name of the query parameter for the message ID. Change it only if your gateway uses another name.',
};

export const message: Resource = {
	name: 'Message',
	value: 'message',
	operations: [
		{
			name: 'Get Poll Results',
			value: 'getPollResults',
			action: 'Get poll results',
			description: 'Count the votes of a poll, and see who voted for what',
			effect: 'read',
			request: 'GET /v1/messages/poll-results',
			token: 'instance',
			expects: 'object',
			fields: [
				idField({
					displayName: 'Message ID',
					name: 'messageId',
					placeholder: 'e.g. 3EB0C767D0971A2F4E3B',
					description: 'The message ID that was returned when the poll was sent',
					in: 'query',
					guessOption: pollParameter,
				}),
			],
			options: [pollParameter],
		},
		sendAndWait,
		{
			name: 'Send Text',
			value: 'sendText',
			opensMenu: true,
			action: 'Send text message to person or group',
			description: 'Send a text message to a person or a group',
			effect: 'send',
			request: ENDPOINTS.sendText,
			token: 'instance',
			expects: 'messageId',
			fields: [
				recipient,
				{
					displayName: 'Text',
					name: 'text',
					type: 'string',
					typeOptions: { rows: 4 },
					default: '',
					required: true,
					placeholder: 'e.g. Hello Ana, your order is on its way!',
					description: 'Text of the message',
					in: 'body',
				},
			],
			options: [presenceField, typingSeconds],
			perform: sendWithTyping,
		},
		{
			name: 'Show Typing',
			value: 'sendPresence',
			action: 'Show typing or recording in chat',
			description: 'Show in a chat that you are typing or recording, or that you have stopped',
			effect: 'change',
			request: ENDPOINTS.showTyping,
			token: 'instance',
			expects: 'object',
			fields: [
				{
					...recipient,
					description:
						'Who sees it: a phone number with country code, the ID of a chat, or a group from the list. For the chat of an event, choose By ID and use its replyTo.',
				},
				{
					displayName: 'Presence',
					name: 'presence',
					type: 'options',
					default: 'COMPOSING',
					options: [
						{ name: 'Stopped', value: 'PAUSED', description: 'Show that you have stopped typing' },
						{ name: 'Typing', value: 'COMPOSING', description: 'Show that you are typing' },
					],
					description: 'The state to show',
					in: 'body',
					guessOption: presenceField,
				},
				{
					displayName: 'Recording Audio',
					name: 'isAudio',
					type: 'boolean',
					default: false,
					description: 'Whether to show "recording audio" instead of "typing"',
					displayOptions: { show: { presence: ['COMPOSING'] } },
					in: 'body',
					clean: readFlag,
				},
			],
			options: [presenceField],
		},
	],
};
