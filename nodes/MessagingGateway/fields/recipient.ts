import { readPhone } from '../phone';
import type { Field, ParseContext } from './field';

/** *To*, and a notice for an agent's tool (API document, "Identifiers" rule 2). */
export function recipientFields(description: string, notice: string): Field[] {
	return [
		{
			displayName: 'To',
			name: 'to',
			type: 'resourceLocator',
			default: { mode: 'phone', value: '' },
			required: true,
			description,
			modes: [
				{
					displayName: 'Phone',
					name: 'phone',
					type: 'string',
					placeholder: 'e.g. +55 11 98765-4321',
					hint: 'With + and country code. Without +, the credential’s Default Country decides.',
				},
				{
					displayName: 'By ID',
					name: 'id',
					type: 'string',
					placeholder: 'e.g. 120363041234567890@g.us',
					hint: 'Exactly as the gateway gave it, e.g. {{ $json.replyTo }} after the trigger',
				},
				{
					// n8n's editor shows a list only for a mode of this name, as "From list".
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: 'Select a group…',
					typeOptions: { searchListMethod: 'searchGroups', searchable: true },
				},
			],
			in: 'body',
			parse: parseRecipient,
		},
		{
			displayName: notice,
			name: 'toNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { '@tool': [true] } },
		},
	];
}

/** *To* of a chat that is changed, not written to. */
export const chatFields = recipientFields(
	'The chat: a phone number, an ID (replyTo of an event), or a group',
	'To work in one chat only, choose By ID and use an expression.',
);

function parseRecipient(value: unknown, { mode, defaultCountry }: ParseContext): string {
	if (typeof value !== 'string' && typeof value !== 'number')
		throw new Error("'To' must be a phone number or an ID. Check its expression.");
	const isPhone = mode === undefined ? !String(value).includes('@') : mode === 'phone';
	if (isPhone) return readPhone(value, defaultCountry);
	const id = String(value);
	if (mode !== 'id' || !/^\+?[\d\s().-]+$/.test(id)) return id;
	throw new Error("'To' holds a phone number. Choose 'Phone' instead of 'By ID'.");
}
