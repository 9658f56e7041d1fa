import { recipientOptions } from '../fields/common';
import { idField } from '../fields/field';
import { chatFields } from '../fields/recipient';
import type { Field } from '../fields/types';
import type { Resource } from './operation';

export const chat: Resource = {
	name: 'Chat',
	value: 'chat',
	operations: [
		{
			name: 'Archive',
			value: 'archive',
			action: 'Archive chat',
			description: 'Archive a chat',
			request: 'POST /v1/chats/archive',
			fields: chatFields,
			options: recipientOptions,
		},
		{
			name: 'Mute',
			value: 'mute',
			action: 'Mute chat for one hour',
			description: 'Mute a chat for one hour',
			request: 'POST /v1/chats/mute',
			fields: chatFields,
			options: recipientOptions,
		},
	],
};

const labelFields: Field[] = [
	...chatFields,
	idField({
		displayName: 'Label ID',
		name: 'labelId',
		placeholder: 'e.g. 3',
		description: 'A small number. The gateway does not list labels.',
	}),
	idField({
		displayName: 'Message ID',
		name: 'messageId',
		placeholder: 'e.g. 3EB0C767D0971A2F4E3B',
		description: 'Of a send or an event',
	}),
];

export const label: Resource = {
	name: 'Label',
	value: 'label',
	operations: [
		{
			name: 'Assign',
			value: 'assign',
			action: 'Assign label to message',
			description: 'Put a label on a message',
			request: 'POST /v1/labels/assign-message',
			fields: labelFields,
			options: recipientOptions,
		},
		{
			name: 'Unassign',
			value: 'unassign',
			action: 'Unassign label from message',
			description: 'Take a label off a message',
			request: 'POST /v1/labels/unassign-message',
			fields: labelFields,
			options: recipientOptions,
		},
	],
};
