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

/** API document, "Endpoints" and "Authentication": the connection of the number, its settings, the account's lists. */
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
		output: [expect.objectContaining({ msgRejectCall: 'Please write to me' })],
	},
	{
		resource: 'instance',
		operation: 'getAll',
		title: 'of the account',
		requests: [{ method: 'GET', path: '/v1/instances', token: 'account' }],
		output: [expect.objectContaining({ id: expect.any(String) })],
	},
	{
		resource: 'webhook',
		operation: 'getAll',
		title: 'of the account',
		requests: [{ method: 'GET', path: '/v1/webhooks', token: 'account' }],
		output: [],
	},
	{
		resource: 'webhook',
		operation: 'create',
		title: 'for two events',
		parameters: {
			url: 'https://example.com/receiver',
			events: ['MESSAGE.RECEIVED', 'CONNECTION.UPDATED'],
		},
		requests: [
			{
				method: 'POST',
				path: '/v1/webhooks',
				body: {
					url: 'https://example.com/receiver',
					events: ['MESSAGE.RECEIVED', 'CONNECTION.UPDATED'],
				},
				token: 'account',
			},
		],
		output: [
			{
				id: expect.any(String),
				url: 'https://example.com/receiver',
				events: ['MESSAGE.RECEIVED', 'CONNECTION.UPDATED'],
				enabled: true,
				secret: expect.stringMatching(/^whsec_/),
				createdAt: expect.any(String),
			},
		],
		hint: /secret is shown only now/,
	},
	{
		resource: 'webhook',
		operation: 'create',
		title: 'for received messages, unless told otherwise',
		parameters: { url: 'https://example.com/receiver' },
		requests: [
			{
				method: 'POST',
				path: '/v1/webhooks',
				body: { url: 'https://example.com/receiver', events: ['MESSAGE.RECEIVED'] },
				token: 'account',
			},
		],
		output: [expect.objectContaining({ events: ['MESSAGE.RECEIVED'] })],
		hint: /secret is shown only now/,
	},
	{
		resource: 'webhook',
		operation: 'create',
		title: 'for an event that the document does not show',
		parameters: {
			url: 'https://example.com/receiver',
			events: [],
			options: { customEvents: 'GROUP.UPDATED, GROUP.UPDATED' },
		},
		requests: [
			{
				method: 'POST',
				path: '/v1/webhooks',
				body: { url: 'https://example.com/receiver', events: ['GROUP.UPDATED'] },
				token: 'account',
			},
		],
		output: [expect.objectContaining({ events: ['GROUP.UPDATED'] })],
		hint: /secret is shown only now/,
	},
];

/** What is done to a webhook that exists already. */
export const webhookCalls = (webhookId: string): DocumentedCall[] => [
	{
		resource: 'webhook',
		operation: 'update',
		title: 'its URL only',
		parameters: { webhookId, url: 'https://example.com/moved' },
		requests: [
			{
				method: 'PATCH',
				path: `/v1/webhooks/${webhookId}`,
				body: { url: 'https://example.com/moved' },
				token: 'account',
			},
		],
		output: [expect.objectContaining({ id: webhookId, url: 'https://example.com/moved' })],
	},
	{
		resource: 'webhook',
		operation: 'update',
		title: 'URL and events',
		parameters: { webhookId, url: 'https://example.com/moved', events: ['QRCODE.UPDATED'] },
		requests: [
			{
				method: 'PATCH',
				path: `/v1/webhooks/${webhookId}`,
				body: { url: 'https://example.com/moved', events: ['QRCODE.UPDATED'] },
				token: 'account',
			},
		],
		output: [expect.objectContaining({ id: webhookId, events: ['QRCODE.UPDATED'] })],
	},
	{
		resource: 'webhook',
		operation: 'delete',
		title: 'for good',
		parameters: { webhookId },
		requests: [{ method: 'DELETE', path: `/v1/webhooks/${webhookId}`, token: 'account' }],
		output: [{ deleted: true }],
	},
];
