import type { INodePropertyOptions } from 'n8n-workflow';
import { TIMEOUT_SECONDS } from '../gateway/call';
import { readCountry } from '../values/country';
import { idField, numberField, stringField } from './field';
import type { Field } from './types';

/** It is required: an expression that gives nothing must not send from another number. */
const instanceId = idField({
	displayName: 'Number (Instance ID)',
	name: 'instanceId',
	placeholder: 'e.g. {{ $json.instanceId }}',
	description: 'Other number',
});

/** The country of the item's numbers, in place of the credential's *Default Country*. */
export const country = stringField({
	displayName: 'Country',
	name: 'country',
	placeholder: 'e.g. BR, or Brazil',
	description: 'Without +',
	parse: readCountry,
});

/** The options of an operation of a number. */
export const commonOptions: Field[] = [instanceId];

/** The options of an operation with *To*. */
export const recipientOptions: Field[] = [country, instanceId];

const concurrency = numberField({
	displayName: 'Concurrency',
	name: 'concurrency',
	default: 1,
	range: [1, 50],
	isWhole: true,
	description: 'Items at once, 1 to 50, in order for each recipient',
});

const messagesPerMinute = numberField({
	displayName: 'Messages Per Minute',
	name: 'messagesPerMinute',
	default: 0,
	range: [0, 6000],
	isWhole: true,
	otherWay: 'To send less than one a minute, use Loop Over Items (Batch Size 1) and a Wait node.',
	description: 'A minute, up to 6000; 0 is no limit. All workflows with the token share it.',
});

const timeout = numberField({
	displayName: 'Timeout',
	name: 'timeout',
	default: TIMEOUT_SECONDS,
	range: [1, 300],
	description: 'Seconds for a response, 1 to 300',
});

/** The options of an operation that sends. */
export const sendOptions: Field[] = [concurrency, instanceId, messagesPerMinute, timeout];

/** The event types that the API shows (API 9.2 to 9.6). */
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

/** Event types that the API does not show (API 14.5), typed by hand (assumption A7). */
export const customEvents = stringField({
	displayName: 'Custom Events',
	name: 'customEvents',
	placeholder: 'e.g. MESSAGE.DELETED, GROUP.UPDATED',
	description: 'Other event types, separated by commas',
	isList: true,
});
