import type { INodePropertyOptions } from 'n8n-workflow';
import type { Field } from './field';

/** The event types that the API document shows ("Event types"). */
export const eventOptions: INodePropertyOptions[] = [
	{
		name: 'Connection Updated',
		value: 'CONNECTION.UPDATED',
		description: 'The number was connected, disconnected, logged out or banned',
	},
	{
		name: 'Message Received',
		value: 'MESSAGE.RECEIVED',
		description: 'Somebody wrote to the number',
	},
	{
		name: 'Message Sent',
		value: 'MESSAGE.SENT',
		description: 'A message left the number',
	},
	{
		name: 'Message Status Updated',
		value: 'MESSAGE.STATUS_UPDATED',
		description: 'A sent message was delivered or read',
	},
	{
		name: 'QR Code Updated',
		value: 'QRCODE.UPDATED',
		description: 'There is a new pairing code, or the last one has expired',
	},
];

/** Event types that the document does not show, typed by hand (assumption A7). */
export const customEvents: Field = {
	displayName: 'Custom Events',
	name: 'customEvents',
	type: 'string',
	default: '',
	placeholder: 'e.g. MESSAGE.DELETED, GROUP.UPDATED',
	description: 'Other event types, separated by commas',
	isList: true,
};
