import { country } from '../fields/common';
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
			description: 'Read a phone number as To does. Sends nothing.',
			effect: 'harmless',
			fields: [
				textField({
					displayName: 'Phone Number',
					name: 'phone',
					placeholder: 'e.g. +55 11 98765-4321',
					description: 'Without +, Country or Default Country decides',
					builderHint: { propertyHint: 'Tell the user to set it' },
					in: undefined,
					parse: (value, { defaultCountry }) => readPhone(value, defaultCountry),
				}),
			],
			options: [country],
			perform: async (_item, { phone }) => {
				const digits = String(phone);
				const result = {
					phone: `+${digits}`,
					personKey: phoneKeyOf(digits),
					country: countryOf(digits),
				};
				return await Promise.resolve({ items: [result] });
			},
		},
	],
};
