import type { Field } from '../fields/field';
import { keyOf, readPhone } from '../phone';
import type { Resource } from './operation';

const phoneField: Field = {
	displayName: 'Phone',
	name: 'phone',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +55 11 98765-4321',
	description: 'A phone number, in any formatting',
};

const countryField: Field = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'string',
	default: '',
	placeholder: 'e.g. BR',
	description: 'Two letters of the country of numbers without country code',
};

export const phone: Resource = {
	name: 'Phone Number',
	value: 'phone',
	operations: [
		{
			name: 'Compare',
			value: 'compare',
			opensMenu: true,
			action: 'Compare two phone numbers',
			description:
				'Tell whether two numbers are the same. Brazilian ones may lack the ninth digit. Makes no request.',
			effect: 'none',
			fields: [
				phoneField,
				{
					...phoneField,
					displayName: 'Other Phone',
					name: 'otherPhone',
					placeholder: 'e.g. +55 11 8765-4321',
					description: 'The phone number to compare it with',
				},
				countryField,
			],
			perform: async ({ phone: one, otherPhone, defaultCountry }) => {
				const phones = [one, otherPhone].map((number) => readPhone(number, defaultCountry));
				return { items: [{ same: keyOf(phones[0]) === keyOf(phones[1]), phones }] };
			},
		},
		{
			name: 'Normalize',
			value: 'normalize',
			action: 'Normalize phone number',
			description: 'Rewrite a number in international form. Makes no request.',
			effect: 'none',
			fields: [phoneField, countryField],
			perform: async ({ phone: typed, defaultCountry }) => {
				const digits = readPhone(typed, defaultCountry);
				return { items: [{ phone: digits, e164: `+${digits}`, personKey: keyOf(digits) }] };
			},
		},
	],
};
