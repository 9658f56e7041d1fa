import { request, type DocumentedCall } from './call';

/** The settings of an instance (API 6.8) before anybody has changed them. */
const SETTINGS = {
	rejectCall: false,
	msgRejectCall: '',
	readMessages: false,
	ignoreGroups: false,
	ignoreStatus: false,
};

const READ_SETTINGS = request('GET /v1/instance/settings');

const updating = (title: string, changes: Partial<typeof SETTINGS>): DocumentedCall => ({
	resource: 'instance',
	operation: 'updateSettings',
	title,
	parameters: { settings: changes },
	requests: [READ_SETTINGS, request('POST /v1/instance/settings', { ...SETTINGS, ...changes })],
	output: [{ ...SETTINGS, ...changes }],
});

/** Calls about the account (API 4.12 to 4.15): the connection of the number, its settings, the instances of the account. */
export const accountCalls: DocumentedCall[] = [
	...['disconnect', 'reconnect'].map((operation): DocumentedCall => ({
		resource: 'instance',
		operation,
		title: 'the number',
		requests: [request(`POST /v1/instance/${operation}`)],
		output: [{ success: true }],
	})),
	{
		resource: 'instance',
		operation: 'getSettings',
		title: 'of the number',
		requests: [READ_SETTINGS],
		output: [SETTINGS],
	},
	updating('one of them, the others written back as they were', { readMessages: true }),
	updating('all of them', {
		rejectCall: true,
		msgRejectCall: 'Please write to me',
		readMessages: true,
		ignoreGroups: true,
		ignoreStatus: true,
	}),
	{
		resource: 'account',
		operation: 'getInstances',
		title: 'of the account',
		requests: [request('GET /v1/instances', undefined, 'account')],
		output: [expect.objectContaining({ id: expect.any(String) })],
	},
];
