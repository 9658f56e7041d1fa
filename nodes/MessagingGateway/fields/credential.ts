import type { INodeProperties } from 'n8n-workflow';
import { getCountries } from '../libraries/phoneNumbers';

/** Where the gateway is; in both credentials. */
export const baseUrl: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://gateway.example.com',
	description: 'Address of your gateway. A slash or /v1 at its end does not matter.',
};

const names = new Intl.DisplayNames('en', { type: 'region' });
const countries = getCountries()
	.map((value) => ({ name: names.of(value) ?? value, value }))
	.sort((one, other) => one.name.localeCompare(other.name, 'en'));

/** In which country phone numbers without `+` are written; in the instance credential. */
export const defaultCountry: INodeProperties = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	default: '',
	options: [{ name: 'None (Numbers Include Country Code)', value: '' }, ...countries],
	description:
		'The country of numbers that are written without country code. The node puts its country code in front of them. A number of another country needs a +, even if it comes from an event.',
};
