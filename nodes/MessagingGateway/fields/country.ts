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
		'Where phone numbers without + are written. The country code of this country goes in front of them. A number with + is never changed: a number of another country needs one, also if it comes from an event.',
};

/** The same where no credential is asked for. In a node, n8n's lint wants every choice in the order of the names. */
export const defaultCountryOfPhone: INodeProperties = {
	...defaultCountry,
	options: [NONE, ...COUNTRIES].sort((one, other) => one.name.localeCompare(other.name, 'en')),
};
