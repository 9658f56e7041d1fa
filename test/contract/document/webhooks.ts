import type { DocumentedCall } from './call';

/** API document, "Webhook record"; where webhooks are managed, and with what, is a gap. */
export const accountWebhookCalls: DocumentedCall[] = [
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
				secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
				createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
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
			events: '={{ [] }}',
			customEvents: 'GROUP.UPDATED, GROUP.UPDATED',
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
		parameters: {
			webhookId,
			url: 'https://example.com/moved',
			events: ['QRCODE.UPDATED'],
		},
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
		operation: 'update',
		title: 'its events only',
		parameters: { webhookId, events: ['MESSAGE.SENT'] },
		requests: [
			{
				method: 'PATCH',
				path: `/v1/webhooks/${webhookId}`,
				body: { events: ['MESSAGE.SENT'] },
				token: 'account',
			},
		],
		output: [expect.objectContaining({ id: webhookId, events: ['MESSAGE.SENT'] })],
	},
	{
		resource: 'webhook',
		operation: 'delete',
		title: 'for good',
		parameters: { webhookId },
		requests: [{ method: 'DELETE', path: `/v1/webhooks/${webhookId}`, token: 'account' }],
		output: [{ deleted: true }],
		answer: { body: { data: { success: true } } },
	},
];
