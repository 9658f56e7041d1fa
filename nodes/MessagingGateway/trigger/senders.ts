import { quote } from '../api/plainText';
import { splitCommas } from '../fields/parse';
import { keyOf, readPhone } from '../phone';
import { dataOf, recordIn, textIn, type GatewayEvent } from '../webhooks/event';

/** Ends of the IDs of groups and channels (API document, "Identifiers"). */
const PLACES = ['@g.us', '@newsletter'];
const ID = /^[^\s\p{C}@]+@[^\s\p{C}@]+$/u;

/**
 * The people of *Only From*: IDs as they are, and one value for each phone.
 *
 * @throws Error in a person's words if one of them is neither a phone nor an ID of a person, or if there is none
 */
export function readSenders(value: unknown): string[] {
	const names = splitCommas(value);
	if (names.length > 0) return names.map(readSender);
	throw new Error(
		'Only From names nobody, so that no message would start the workflow. Enter a phone or an ID, or remove the option.',
	);
}

/** Whether a person wrote the event: a message, or an event that names a chat or a sender. */
export function isWritten(event: GatewayEvent): boolean {
	const data = dataOf(event);
	const names = ['chat', 'sender'].some((field) => data[field] !== undefined);
	return names || event.type === 'MESSAGE.RECEIVED';
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
	const isPerson = ID.test(name) && !PLACES.some((end) => name.endsWith(end));
	const sender = isPerson ? name : phoneIn(name);
	if (sender !== undefined) return sender;
	throw new Error(
		`${quote(name)} cannot be one of Only From. Enter a phone with its country code, or the ID of a person: the personKey of an item whose phone is hidden.`,
	);
}

function phoneIn(name: string): string | undefined {
	try {
		return keyOf(readPhone(name));
	} catch {
		return undefined;
	}
}
