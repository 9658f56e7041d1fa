import type { Field } from '../fields/field';
import { recipient } from '../fields/recipient';
import type { Resource } from './operation';

const chatField: Field = {
	...recipient,
	description:
		'The chat: a phone number with country code, the ID of the chat, or a group from the list. For the chat of an event, choose By ID and use its replyTo.',
};

export const chat: Resource = {
	name: 'Chat',
	value: 'chat',
	operations: [
		{
			name: 'Archive',
			value: 'archive',
			opensMenu: true,
			action: 'Archive chat',
			description: 'Move a chat to the archive of the number',
			effect: 'change',
			request: 'POST /v1/chats/archive',
			token: 'instance',
			expects: 'object',
			fields: [chatField],
		},
		{
			name: 'Mute',
			value: 'mute',
			action: 'Mute chat for one hour',
			description: 'Mute a chat for one hour. The gateway offers no other duration.',
			effect: 'change',
			request: 'POST /v1/chats/mute',
			token: 'instance',
			expects: 'object',
			fields: [chatField],
		},
	],
};
