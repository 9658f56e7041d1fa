import type { IDataObject } from 'n8n-workflow';
import { defaultCountryOfPhone } from '../fields/country';
import type { Field } from '../fields/field';
import { comparePhones, describePhone } from '../phone/describe';
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
				defaultCountryOfPhone,
			],
			perform: async (values) => ({
				items: [
					{
						...comparePhones(values.phone, values.otherPhone, values.defaultCountry),
					} as unknown as IDataObject,
				],
			}),
		},
		{
			name: 'Normalize',
			value: 'normalize',
			action: 'Normalize phone number',
			description: 'Rewrite a number in international form, and tell its kind. Makes no request.',
			effect: 'none',
			fields: [phoneField, defaultCountryOfPhone],
			perform: async (values) => ({
				items: [
					{ ...describePhone(values.phone, values.defaultCountry) } as unknown as IDataObject,
				],
			}),
		},
	],
};
