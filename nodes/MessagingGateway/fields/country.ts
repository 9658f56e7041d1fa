import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { COUNTRY_NAMES } from '../phone/countries';

const NONE: INodePropertyOptions = {
	name: 'None (Numbers Include Country Code)',
	value: '',
	description: 'Numbers that seem to lack a country code are refused',
};
const COUNTRIES: INodePropertyOptions[] = [...COUNTRY_NAMES].map(([value, name]) => ({
	name,
	value,
}));

/** In which country phone numbers without `+` are written; in the instance credential. */
export const defaultCountry: INodeProperties = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	default: '',
	options: [NONE, ...COUNTRIES],
	description:
		'The country of numbers that are written without country code. The node puts its country code in front of them. Numbers with + stay as they are. So numbers of other countries need a +, also those from events.',
};

/** The same where no credential is asked for. In a node, n8n's lint wants every choice in the order of the names. */
export const defaultCountryOfPhone: INodeProperties = {
	...defaultCountry,
	options: [NONE, ...COUNTRIES].sort((one, other) => one.name.localeCompare(other.name, 'en')),
};
