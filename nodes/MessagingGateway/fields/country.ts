import type { INodeProperties } from 'n8n-workflow';
import { COUNTRIES } from '../phone/countries';

/** In which country phone numbers without `+` are written. In the instance credential, and where no credential is asked for. */
export const countryOfNumbers: INodeProperties = {
	displayName: 'Country of Numbers',
	name: 'country',
	type: 'options',
	default: '',
	options: [
		{
			name: 'Always Written with Country Code',
			value: '',
			description: 'Numbers that look as if written without it are refused',
		},
		...Object.entries(COUNTRIES).map(([value, { name, code }]) => ({
			name,
			value,
			description: `Numbers written as in ${name} get ${code} in front`,
		})),
	],
	description:
		'How phone numbers without + are written. Whatever has a + is never changed: a number of another country needs one, also where it comes from an event.',
};
