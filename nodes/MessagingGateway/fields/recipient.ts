import { readPhone } from '../phone';
import type { Field, ItemReader } from './field';

/**
 * Who receives something (API document, "Identifiers" rule 2): a phone goes out with its own digits, behind the
 * country code if it was written as inside the credential's country; an id goes out byte for byte as it was given.
 */
export const recipient: Field = {
	displayName: 'To',
	name: 'to',
	type: 'resourceLocator',
	default: { mode: 'phone', value: '' },
	required: true,
	description:
		'Who receives it: a phone number with country code, the ID of a chat, or a group from the list. To answer an event of the trigger, choose By ID and use its replyTo.',
	modes: [
		{
			displayName: 'Phone',
			name: 'phone',
			type: 'string',
			placeholder: 'e.g. +55 11 98765-4321',
			hint: 'Best with + and country code. Without +, the credential’s Default Country decides how it is read.',
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 120363041234567890@g.us',
			hint: 'Exactly as the gateway gave it, e.g. {{ $json.replyTo }} after the trigger',
		},
		{
			// The editor opens a list for a mode of this name only, and then calls it "From list".
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a group…',
			typeOptions: { searchListMethod: 'searchGroups', searchable: true },
		},
	],
	in: 'body',
	clean: readRecipient,
	modelAdvice:
		'If the model fills in To, press “Add a description” and say what it must be, e.g. “Phone number with country code, such as +5511987654321”. To answer one chat only, choose By ID and use an expression instead.',
};

/**
 * What goes out as `to`, from the value and the mode of the resource locator.
 *
 * The country is asked for only where a phone depends on it, since n8n takes its time over a credential.
 *
 * @throws Error in a person's words if it is empty, no text, or cannot be a phone
 */
async function readRecipient(
	value: unknown,
	mode: string | undefined,
	{ readDefaultCountry }: Pick<ItemReader, 'readDefaultCountry'>,
): Promise<string> {
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text !== 'string') {
		throw new Error('To must be a phone number or an ID, but the expression gives something else.');
	}
	if (text.trim() === '') {
		throw new Error(
			'The recipient is empty. Fill in To with a phone number, a chat ID or a group.',
		);
	}
	const isPhone = mode === 'phone' || (mode === undefined && !text.includes('@'));
	if (!isPhone) return text;
	return readPhone(value, text.trim().startsWith('+') ? undefined : await readDefaultCountry());
}
