import type { DocumentedCall, DocumentedRequest } from './call';

const SUCCESS = [{ success: true }];

/** API document, "Instance settings object", as it stands before anybody changed it. */
const SETTINGS = {
	rejectCall: false,
	msgRejectCall: '',
	readMessages: false,
	ignoreGroups: false,
	ignoreStatus: false,
};

const READ_SETTINGS: DocumentedRequest = {
	method: 'GET',
	path: '/v1/instance/settings',
	token: 'instance',
};

/** API document, "Endpoints" and "Authentication": the connection of the number, its settings, the instances of the account. */
export const accountCalls: DocumentedCall[] = [
	...(['disconnect', 'reconnect'] as const).map((operation): DocumentedCall => ({
		resource: 'instance',
		operation,
		title: 'the number',
		requests: [{ method: 'POST', path: `/v1/instance/${operation}`, token: 'instance' }],
		output: SUCCESS,
	})),
	{
		resource: 'instance',
		operation: 'getSettings',
		title: 'of the number',
		requests: [READ_SETTINGS],
		output: [SETTINGS],
	},
	{
		resource: 'instance',
		operation: 'updateSettings',
		title: 'one of them, the others written back as they were',
		parameters: { settings: { readMessages: true } },
		requests: [
			READ_SETTINGS,
			{
				method: 'POST',
				path: '/v1/instance/settings',
				body: { ...SETTINGS, readMessages: true },
				token: 'instance',
			},
		],
		output: [{ ...SETTINGS, readMessages: true }],
	},
	{
		resource: 'instance',
		operation: 'updateSettings',
		title: 'all of them',
		parameters: {
			settings: {
				rejectCall: true,
				msgRejectCall: 'Please write to me',
				readMessages: true,
				ignoreGroups: true,
				ignoreStatus: true,
			},
		},
		requests: [
			READ_SETTINGS,
			{
				method: 'POST',
				path: '/v1/instance/settings',
				body: {
					rejectCall: true,
					msgRejectCall: 'Please write to me',
					readMessages: true,
					ignoreGroups: true,
					ignoreStatus: true,
				},
				token: 'instance',
			},
		],
		output: [
			{
				rejectCall: true,
				msgRejectCall: 'Please write to me',
				readMessages: true,
				ignoreGroups: true,
				ignoreStatus: true,
			},
		],
	},
	{
		resource: 'account',
		operation: 'getInstances',
		title: 'of the account',
		requests: [{ method: 'GET', path: '/v1/instances', token: 'account' }],
		output: [expect.objectContaining({ id: expect.any(String) })],
	},
];
