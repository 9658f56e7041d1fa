import type { IDataObject } from 'n8n-workflow';
import { isObject, readResult } from '../api/answer';
import { listFields } from '../fields/list';
import { readFlag } from '../fields/typed';
import type { EndpointOperation, Resource } from './operation';

const SETTINGS = ['ignoreGroups', 'ignoreStatus', 'msgRejectCall', 'readMessages', 'rejectCall'];

/** @throws Error in a person's words if a switch holds something else */
function readInstanceSettings(value: unknown): IDataObject {
	const entries = Object.entries(value as IDataObject);
	return Object.fromEntries(
		entries.map(([name, setting]) => [
			name,
			name === 'msgRejectCall' ? setting : readFlag(setting),
		]),
	);
}

/**
 * The write replaces all five settings (API document, "Instance settings object"), so what the person left
 * alone is read first and written back.
 */
const updateSettings: EndpointOperation['perform'] = async (gateway, values, write) => {
	const changes = values.settings as IDataObject;
	if (Object.keys(changes).length === 0) {
		throw new Error('There is nothing to change. Add at least one setting.');
	}
	const answer = await gateway.call({
		...write,
		method: 'GET',
		effect: 'read',
		prepares: 'change',
	});
	const read = readResult(answer.body);
	const current = isObject(read) ? read : {};
	const merged: IDataObject = {};
	for (const name of SETTINGS) {
		const value = changes[name] ?? current[name];
		if (value === undefined) {
			throw new Error(
				`The gateway did not say what "${name}" is set to now, so nothing was changed. Add this setting too.`,
			);
		}
		merged[name] = value;
	}
	const written = readResult((await gateway.call({ ...write, body: merged })).body);
	// The document does not show this answer: without a word on the settings, they are as they were asked for.
	const tells = isObject(written) && ('rejectCall' in written || written.success === false);
	return { items: [tells ? written : merged] };
};

export const instance: Resource = {
	name: 'Instance',
	value: 'instance',
	operations: [
		{
			name: 'Disconnect',
			value: 'disconnect',
			action: 'Disconnect instance',
			description: 'Pause the connection of the number. It stays linked and is not logged out.',
			effect: 'change',
			request: 'POST /v1/instance/disconnect',
			token: 'instance',
			expects: 'object',
			fields: [],
		},
		{
			name: 'Get Many',
			value: 'getAll',
			opensMenu: true,
			action: 'Get many instances',
			description: 'List the instances of the account. One instance is one connected phone number.',
			effect: 'read',
			request: 'GET {instancesPath}',
			token: 'account',
			expects: 'list',
			fields: listFields,
		},
		{
			name: 'Get Settings',
			value: 'getSettings',
			action: 'Get instance settings',
			description: 'Read how the number treats calls, groups and status updates',
			effect: 'read',
			request: 'GET /v1/instance/settings',
			token: 'instance',
			expects: 'object',
			fields: [],
		},
		{
			name: 'Reconnect',
			value: 'reconnect',
			action: 'Reconnect instance',
			description: 'Connect the number again with its saved session, without a new QR code',
			effect: 'change',
			request: 'POST /v1/instance/reconnect',
			token: 'instance',
			expects: 'object',
			fields: [],
		},
		{
			name: 'Update Settings',
			value: 'updateSettings',
			action: 'Update instance settings',
			description: 'Change some settings of the number; all others stay as they are',
			effect: 'change',
			request: 'POST /v1/instance/settings',
			token: 'instance',
			expects: 'object',
			fields: [
				{
					displayName: 'Settings',
					name: 'settings',
					type: 'collection',
					placeholder: 'Add Setting',
					default: {},
					description: 'Only what you add here is changed',
					clean: readInstanceSettings,
					options: [
						{
							displayName: 'Ignore Groups',
							name: 'ignoreGroups',
							type: 'boolean',
							default: false,
							description: 'Whether to drop messages from groups, for all webhooks of the instance',
						},
						{
							displayName: 'Ignore Status',
							name: 'ignoreStatus',
							type: 'boolean',
							default: false,
							description:
								'Whether to drop status updates of contacts, for all webhooks of the instance',
						},
						{
							displayName: 'Mark Messages as Read',
							name: 'readMessages',
							type: 'boolean',
							default: false,
							description: 'Whether to mark incoming messages as read',
						},
						{
							displayName: 'Message on Rejected Call',
							name: 'msgRejectCall',
							type: 'string',
							default: '',
							placeholder: 'e.g. I cannot take calls, please write to me',
							description: 'The text for the caller when a call is rejected. Can be empty.',
						},
						{
							displayName: 'Reject Calls',
							name: 'rejectCall',
							type: 'boolean',
							default: false,
							description: 'Whether to reject incoming calls',
						},
					],
				},
			],
			perform: updateSettings,
		},
	],
};
