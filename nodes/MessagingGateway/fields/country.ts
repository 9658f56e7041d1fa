import type { INodeProperties } from 'n8n-workflow';
import { COUNTRY_NAMES } from '../phone/countries';

/** In which country phone numbers without `+` are written. In the instance credential, and where no credential is asked for. */
export const defaultCountry: INodeProperties = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	default: '',
	options: [
		{
			name: 'None (Numbers Include Country Code)',
			value: '',
			description: 'Numbers that look as if written without it are refused',
		},
		...[...COUNTRY_NAMES].map(([value, name]) => ({ name, value })),
	],
	description:
		'Where phone numbers without + are written. The country code of this country goes in front of them. A number with + is never changed: a number of another country needs one, also if it comes from an event.',
};
