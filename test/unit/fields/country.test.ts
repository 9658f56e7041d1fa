import type { INodePropertyOptions } from 'n8n-workflow';
import {
	defaultCountry,
	defaultCountryOfPhone,
} from '../../../nodes/MessagingGateway/fields/country';

it.each([
	['a credential', defaultCountry],
	['the fields of a node', defaultCountryOfPhone],
])(
	'in %s no country can be chosen, which is the default, and each country once',
	(_where, field) => {
		const values = (field.options as INodePropertyOptions[]).map(({ value }) => value);
		expect(field.default).toBe('');
		expect(values).toEqual(expect.arrayContaining(['', 'BR', 'PT', 'US']));
		expect(new Set(values).size).toBe(values.length);
	},
);
