import type { INodeProperties } from 'n8n-workflow';
import { WEBHOOKS_PATH } from '../gateway/assumptions';
import { getCountries } from '../libraries';
import { INTERNATIONAL } from '../phone';

export const baseUrl: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://gateway.example.com',
	description: 'Address of your gateway. A slash or /v1 at its end does not matter.',
};

export const accountToken: INodeProperties = {
	displayName: 'Account Token',
	name: 'accountToken',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	placeholder: 'e.g. svc_acct_…',
	description:
		'Generated in the dashboard of your gateway, under API and tokens. It begins with svc_acct_.',
};

export const webhooksPath: INodeProperties = {
	displayName: 'Webhooks Path',
	name: 'webhooksPath',
	type: 'string',
	default: WEBHOOKS_PATH,
	description: 'Where your gateway manages webhooks. Change it only if your gateway answers 404.',
};

const names = new Intl.DisplayNames('en', { type: 'region' });
const countries = getCountries()
	.map((value) => ({ name: names.of(value) ?? value, value }))
	.sort((one, other) => one.name.localeCompare(other.name, 'en'));

export const defaultCountry: INodeProperties = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	default: '',
	options: [
		{ name: 'None: Numbers Have Their Country Code', value: INTERNATIONAL },
		{ name: 'Not Chosen: Numbers Need a +', value: '' },
		...countries,
	],
	description:
		'The country of numbers without +. The node puts its country code in front of them. A number of another country needs a +.',
};
