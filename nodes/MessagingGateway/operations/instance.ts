import type { IDataObject } from 'n8n-workflow';
import { flagField, stringField } from '../fields/field';
import { readFlag, readOption } from '../fields/read';
import type { Field } from '../fields/types';
import type { Operation, Resource } from './operation';

/** All that the API shows (API 6.8). */
const SETTINGS: Field[] = [
	flagField({
		displayName: 'Ignore Groups',
		name: 'ignoreGroups',
		description: 'Whether to drop messages from groups, for all webhooks',
	}),
	flagField({
		displayName: 'Ignore Status',
		name: 'ignoreStatus',
		description: 'Whether to drop status updates of contacts, for all webhooks',
	}),
	flagField({
		displayName: 'Mark Messages as Read',
		name: 'readMessages',
		description: 'Whether to mark incoming messages as read',
	}),
	stringField({
		displayName: 'Message on Rejected Call',
		name: 'msgRejectCall',
		placeholder: 'e.g. I cannot take calls, please write to me',
		description: 'Text for a rejected caller. Can be empty.',
	}),
	flagField({
		displayName: 'Reject Calls',
		name: 'rejectCall',
		description: 'Whether to reject incoming calls',
	}),
];

/** A write replaces all settings (API 5.5). */
const updateSettings: Operation['perform'] = async ({ gateway }, values, write) => {
	const changes = readChanges(values.settings as IDataObject | undefined);
	if (Object.keys(changes).length === 0) {
		throw new Error('There is nothing to change. Add at least one setting.');
	}

	const { items } = await gateway.call({ ...write, method: 'GET', effect: 'harmless' });
	const [current] = items;
	const settings: IDataObject = {};
	for (const { name } of SETTINGS) {
		const value = changes[name] ?? current[name] ?? undefined;
		if (value === undefined) {
			throw new Error(`The gateway does not tell the setting "${name}". Add it too.`);
		}
		settings[name] = value;
	}

	await gateway.call({ ...write, body: settings, expects: undefined });
	return { items: [settings] };
};

function readChanges(added: IDataObject = {}): IDataObject {
	const changed = SETTINGS.filter(({ name }) => name in added);
	return Object.fromEntries(changed.map((field) => [field.name, readSetting(field, added)]));
}

/** A switch must be on or off. A text can be empty; it stays as it is if its expression gives nothing. */
function readSetting(field: Field, added: IDataObject): IDataObject[string] {
	const value = added[field.name];
	if (field.type === 'boolean') return readFlag(value);

	// `readOption` takes an empty text for none.
	return typeof value === 'string' ? value : readOption(field, added);
}

export const instance: Resource = {
	name: 'Instance',
	value: 'instance',
	operations: [
		{
			name: 'Disconnect',
			value: 'disconnect',
			action: 'Disconnect instance',
			description: 'Pause the connection of the number. It stays linked.',
			request: 'POST /v1/instance/disconnect',
			fields: [],
		},
		{
			name: 'Get Settings',
			value: 'getSettings',
			action: 'Get instance settings',
			description: 'Read the settings of the number',
			request: 'GET /v1/instance/settings',
			fields: [],
		},
		{
			name: 'Reconnect',
			value: 'reconnect',
			action: 'Reconnect instance',
			description: 'Connect the number again, without a new QR code',
			request: 'POST /v1/instance/reconnect',
			fields: [],
		},
		{
			name: 'Update Settings',
			value: 'updateSettings',
			action: 'Update instance settings',
			description: 'Change some settings of the number',
			request: 'POST /v1/instance/settings',
			fields: [
				{
					displayName: 'Settings',
					name: 'settings',
					type: 'collection',
					placeholder: 'Add Setting',
					default: {},
					description: 'Only what you add here is changed',
					options: SETTINGS,
				},
			],
			perform: updateSettings,
		},
	],
};
