import type { IDataObject } from 'n8n-workflow';
import { flagField, stringField } from '../fields/field';
import { readFlag } from '../fields/read';
import type { Operation, Resource } from './operation';

const SETTINGS = ['ignoreGroups', 'ignoreStatus', 'msgRejectCall', 'readMessages', 'rejectCall'];

// A write replaces all settings (API document, "Instance settings object").
const updateSettings: Operation['perform'] = async ({ gateway }, values, write) => {
	const changes = { ...(values.settings as IDataObject | undefined) };
	for (const [name, value] of Object.entries(changes))
		if (name !== 'msgRejectCall') changes[name] = readFlag(value);
	if (Object.keys(changes).length === 0)
		throw new Error('There is nothing to change. Add at least one setting.');
	const { items } = await gateway.call({ ...write, method: 'GET', effect: 'harmless' });
	const settings = Object.fromEntries(
		SETTINGS.map((name) => [name, changes[name] ?? items[0][name]]),
	);
	const missing = SETTINGS.find((name) => settings[name] === undefined);
	if (missing !== undefined)
		throw new Error(`The gateway does not tell the setting "${missing}". Add it too.`);
	await gateway.call({ ...write, body: settings, expects: undefined });
	return { items: [settings] };
};

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
					options: [
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
					],
				},
			],
			perform: updateSettings,
		},
	],
};
