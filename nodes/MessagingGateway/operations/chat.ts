import { chatFields } from '../fields/recipient';
import type { Resource } from './operation';

export const chat: Resource = {
	name: 'Chat',
	value: 'chat',
	tokenKind: 'instance',
	operations: [
		{
			name: 'Archive',
			value: 'archive',
			action: 'Archive chat',
			description: 'Move a chat to the archive of the number',
			request: 'POST /v1/chats/archive',
			fields: chatFields,
		},
		{
			name: 'Mute',
			value: 'mute',
			action: 'Mute chat for one hour',
			description: 'Mute a chat for one hour. The gateway offers no other duration.',
			request: 'POST /v1/chats/mute',
			fields: chatFields,
		},
	],
};
