import { country, recipientOptions, sendOptions } from '../fields/common';
import { flagField, idField, textField } from '../fields/field';
import { recipientFields } from '../fields/recipient';
import { ENDPOINTS } from '../gateway/endpoints';
import type { Resource } from './operation';
import { sendAndWait } from './sendAndWait';
import { showTyping, typingSeconds } from './typing';

const MODEL_NOTICE =
	"If the model fills in To, press “Add a description” and say what it must be, e.g. “Phone number with country code, such as +5511987654321”. To answer one chat only, choose By ID and {{ $('Name').item.json.replyTo }} instead: a model can replace every field of $json.";

export const message: Resource = {
	name: 'Message',
	value: 'message',
	operations: [
		{
			name: 'Send Text',
			value: 'sendText',
			action: 'Send text message to person or group',
			description: 'Send a text message to a person or a group',
			effect: 'send',
			request: ENDPOINTS.sendText,
			fields: [
				...recipientFields(
					'A phone number with + and country code, or with options.country (ask in forms), a chat ID (replyTo of an event), or a group',
					MODEL_NOTICE,
				),
				textField({
					displayName: 'Text',
					name: 'text',
					typeOptions: { rows: 4 },
					placeholder: 'e.g. Hello Ana, your order is on its way!',
					description: 'Text of the message',
					builderHint: { propertyHint: 'Puts out `messageId`' },
				}),
			],
			options: [country, ...sendOptions, typingSeconds],
			perform: async (item, values, request) => {
				await showTyping(item, values);
				return await item.gateway.call(request);
			},
		},
		sendAndWait,
		{
			name: 'Show Typing',
			value: 'sendPresence',
			action: 'Show typing or recording in chat',
			description: 'Show or stop “typing” or “recording”',
			request: ENDPOINTS.showTyping,
			fields: [
				...recipientFields('Who sees it', MODEL_NOTICE),
				{
					displayName: 'Presence',
					name: 'presence',
					type: 'options',
					default: 'COMPOSING',
					required: true,
					options: [
						{ name: 'Stopped', value: 'PAUSED', description: 'Show that you have stopped typing' },
						{ name: 'Typing', value: 'COMPOSING', description: 'Show that you are typing' },
					],
					in: 'body',
					as: { override: 'presenceField' },
				},
				flagField({
					displayName: 'Recording Audio',
					name: 'isAudio',
					description: 'Whether to show "recording audio" instead of "typing"',
					in: 'body',
				}),
			],
			options: recipientOptions,
		},
		{
			name: 'Get Poll Results',
			value: 'getPollResults',
			action: 'Get poll results',
			description: 'Count the votes of a poll, and see who voted for what',
			request: 'GET /v1/messages/poll-results',
			fields: [
				idField({
					displayName: 'Message ID',
					name: 'messageId',
					placeholder: 'e.g. 3EB0C767D0971A2F4E3B',
					description: 'The message ID of the poll',
					builderHint: {
						propertyHint:
							'Puts out `messageId`, `totalVotes`, `optionCounts`, `voters` (name, phone, selectedOptions: option IDs)',
					},
					in: 'query',
					as: { override: 'pollParameter' },
				}),
			],
		},
	],
};
