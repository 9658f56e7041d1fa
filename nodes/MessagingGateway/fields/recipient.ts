import { isIdOfDigits, readPhone } from '../values/phone';
import type { Field, ParseContext } from './types';

/** *To*, and a notice for a tool (API 2.4). */
export function recipientFields(description: string, notice: string): Field[] {
	const to: Field = {
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
				hint: 'With + and country code. Without +, the Country in the options decides, or the credential’s.',
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 120363041234567890@g.us',
				hint: "As the gateway gave it: {{ $json.replyTo }} after the trigger, {{ $('Name').item.json.replyTo }} in a tool",
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
	};

	const noticeForTools: Field = {
		displayName: notice,
		name: 'toNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { '@tool': [true] } },
	};

	return [to, noticeForTools];
}

/** *To* of a chat that is changed, not written to. */
export const chatFields = recipientFields(
	'The chat',
	"To work in one chat only, choose By ID and {{ $('Name').item.json.replyTo }}: a model can replace every field of $json.",
);

function parseRecipient(value: unknown, { mode, defaultCountry }: ParseContext): string {
	const id = String(value).trim();

	// Machines write any mode, or none.
	const isPhone = mode === 'phone' || (mode !== 'id' && !id.includes('@'));
	if (isPhone) return readPhone(id, defaultCountry);

	const looksLikePhone = /^\+?[\d\s().-]+$/.test(id);
	if (looksLikePhone && !isIdOfDigits(id)) {
		throw new Error("'To' holds a phone number. Choose 'Phone' instead of 'By ID'.");
	}
	return id;
}
