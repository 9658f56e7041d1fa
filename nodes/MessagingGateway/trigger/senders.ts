import type { INodeProperties } from 'n8n-workflow';
import { quote } from '../api/plainText';
import { splitCommas } from '../fields/commas';
import { describePhone, keyOf } from '../phone/describe';
import { dataOf, recordIn, textIn, type GatewayEvent } from '../webhooks/event';

/** Whose messages start the workflow. */
export const senders: INodeProperties = {
	displayName: 'Only From',
	name: 'senders',
	type: 'string',
	default: '',
	placeholder: 'e.g. +55 11 98765-4321, 1234567890@lid',
	description:
		'Only messages that these people write: phones with country code, or IDs (senderId), separated by commas. If the network hides a phone, events have only the ID: enter that too. Events that belong to no chat are not affected.',
};

/** Ends of the IDs of a group and of a channel (API document, "Identifiers"): neither is a person. */
const PLACES = ['@g.us', '@newsletter'];

/**
 * Reads the option.
 *
 * @returns IDs as they are, and one value for each phone; undefined without the option
 * @throws Error in a person's words if one of them is neither a phone nor an ID of a person, or if there is none
 */
export function readSenders(value: unknown): string[] | undefined {
	if (value === undefined) return undefined;
	const names = splitCommas(value);
	if (names.length > 0) return names.map(readSender);
	throw new Error(
		'Only From names nobody, so that no message would start the workflow. Enter a phone or an ID, or remove the option.',
	);
}

/** Whether one of these people wrote the message. Your own messages have no sender (API document, "Event types", rule 1). */
export function isFrom(event: GatewayEvent, wanted: string[]): boolean {
	const sender = recordIn(dataOf(event), 'sender');
	const id = textIn(sender, 'id');
	const phone = textIn(sender, 'phone');
	return (
		(id !== undefined && wanted.includes(id)) ||
		(phone !== undefined && wanted.includes(keyOf(phone)))
	);
}

function readSender(name: string): string {
	const isPerson = name.includes('@') && !PLACES.some((end) => name.endsWith(end));
	const sender = isPerson && !/\s/u.test(name) ? name : phoneIn(name);
	if (sender !== undefined) return sender;
	throw new Error(
		`${quote(name)} cannot be one of Only From. Enter a phone with its country code, or the ID of a person: the senderId of an event.`,
	);
}

/** One value for both spellings of a phone; undefined if it is none. */
function phoneIn(name: string): string | undefined {
	try {
		return describePhone(name).key;
	} catch {
		return undefined;
	}
}
