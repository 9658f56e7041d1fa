import { textField } from '../fields/field';
import { countryOf, phoneKeyOf, readPhone } from '../values/phone';
import type { Resource } from './operation';

export const phoneNumber: Resource = {
	name: 'Phone Number',
	value: 'phoneNumber',
	operations: [
		{
			name: 'Normalize',
			value: 'normalize',
			action: 'Normalize phone number',
			description: 'Read a phone number as To does, and put out its personKey. Sends nothing.',
			effect: 'harmless',
			fields: [
				textField({
					displayName: 'Phone Number',
					name: 'phone',
					placeholder: 'e.g. +55 11 98765-4321',
					description: 'Without +, the credential’s Default Country decides',
					builderHint: { propertyHint: 'Tell the user to set it' },
					in: undefined,
					parse: (value, { defaultCountry }) => readPhone(value, defaultCountry),
				}),
			],
			options: [],
			perform: async (_item, { phone }) => {
				const digits = String(phone);
				const keys = { personKey: phoneKeyOf(digits), country: countryOf(digits) };
				return await Promise.resolve({ items: [{ phone: `+${digits}`, ...keys }] });
			},
		},
	],
};
