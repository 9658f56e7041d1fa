import { recipient } from '../fields/recipient';
import type { Resource } from './operation';

export const chat: Resource = {
	name: 'Chat',
	value: 'chat',
	operations: [
		{
			name: 'Archive',
			value: 'archive',
			action: 'Archive chat',
			description: 'Move a chat to the archive of the number',
			effect: 'change',
			request: 'POST /v1/chats/archive',
			token: 'instance',
			expects: 'object',
			fields: [recipient],
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
			fields: [recipient],
		},
	],
};
