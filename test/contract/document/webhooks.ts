import { request, type DocumentedCall } from './call';

const URL = 'https://example.com/receiver';

/** Calls that give a webhook (API 6.9). How webhooks are managed is open (API 14.1). */
export const accountWebhookCalls: DocumentedCall[] = [
	{
		resource: 'webhook',
		operation: 'getAll',
		title: 'of the account',
		requests: [request('GET /v1/webhooks', undefined, 'account')],
		output: [],
	},
	...[
		{ title: 'for two events', parameters: { events: ['MESSAGE.RECEIVED', 'CONNECTION.UPDATED'] } },
		{ title: 'for received messages, unless told otherwise', events: ['MESSAGE.RECEIVED'] },
		{
			title: 'for an event that the API does not show',
			parameters: { events: '={{ [] }}', customEvents: 'GROUP.UPDATED, GROUP.UPDATED' },
			events: ['GROUP.UPDATED'],
		},
	].map(({ title, parameters, events = parameters?.events }): DocumentedCall => ({
		resource: 'webhook',
		operation: 'create',
		title,
		parameters: { url: URL, ...parameters },
		requests: [request('POST /v1/webhooks', { url: URL, events }, 'account')],
		output: [
			{
				id: expect.any(String),
				url: URL,
				events,
				enabled: true,
				secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
				createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
			},
		],
		hint: /secret is shown only now/,
	})),
];

/** What is done to a webhook that exists already. */
export const webhookCalls = (webhookId: string): DocumentedCall[] => [
	...[
		{ title: 'its URL only', changes: { url: 'https://example.com/moved' } },
		{ title: 'its events only', changes: { events: ['QRCODE.UPDATED'] } },
	].map(({ title, changes }): DocumentedCall => ({
		resource: 'webhook',
		operation: 'update',
		title,
		parameters: { webhookId, ...changes },
		requests: [request(`PATCH /v1/webhooks/${webhookId}`, changes, 'account')],
		output: [expect.objectContaining({ id: webhookId, ...changes })],
	})),
	{
		resource: 'webhook',
		operation: 'delete',
		title: 'for good',
		parameters: { webhookId },
		requests: [request(`DELETE /v1/webhooks/${webhookId}`, undefined, 'account')],
		output: [{ deleted: true }],
		answer: { body: { data: { success: true } } },
	},
];
