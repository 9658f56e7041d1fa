import type { INodePropertyOptions } from 'n8n-workflow';
import { TIMEOUT_SECONDS } from '../gateway/call';
import { idField, numberField, stringField, type Field } from './field';

/** It is required: an expression that gives nothing must not send from another number. */
export const instanceId = idField({
	displayName: 'Number (Instance ID)',
	name: 'instanceId',
	placeholder: 'e.g. {{ $json.instanceId }}',
	description: 'Of another number',
});

export const commonOptions: Field[] = [instanceId];

export const sendOptions: Field[] = [
	numberField({
		displayName: 'Concurrency',
		name: 'concurrency',
		default: 1,
		range: [1, 50],
		isWhole: true,
		description: 'Items at once, 1 to 50. Those for one recipient keep their order.',
	}),
	instanceId,
	numberField({
		displayName: 'Messages Per Minute',
		name: 'messagesPerMinute',
		default: 0,
		range: [0, 6000],
		isWhole: true,
		description:
			'Messages a minute, up to 6000; 0 is no limit. All workflows with the token share it.',
	}),
	numberField({
		displayName: 'Timeout',
		name: 'timeout',
		default: TIMEOUT_SECONDS,
		range: [1, 300],
		description: 'Seconds to wait for the gateway, 1 to 300',
	}),
];

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
export const customEvents = stringField({
	displayName: 'Custom Events',
	name: 'customEvents',
	placeholder: 'e.g. MESSAGE.DELETED, GROUP.UPDATED',
	description: 'Other event types, separated by commas',
	isList: true,
});
