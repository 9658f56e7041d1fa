import type { DocumentedCall } from './call';
import { GROUPS } from './groups';

/** Requests that a person composes, and what needs none. */
export const otherCalls: DocumentedCall[] = [
	...[
		['+54 9 11 5555-0000', '+5491155550000', '541155550000', 'AR'],
		['+52 1 55 1234 5678', '+5215512345678', '525512345678', 'MX'],
		['55 11 98765-4321', '+5511987654321', '551187654321', 'BR'],
	].map(([typed, phone, personKey, country]) => ({
		resource: 'phoneNumber',
		operation: 'normalize',
		title: `of ${typed}`,
		parameters: { phone: typed },
		requests: [],
		output: [{ phone, personKey, country }],
	})),
	{
		resource: 'api',
		operation: 'request',
		title: 'with nothing but a path',
		parameters: { path: '/v1/groups' },
		requests: [{ method: 'GET', path: '/v1/groups', token: 'instance' }],
		output: GROUPS,
	},
	{
		resource: 'api',
		operation: 'request',
		title: 'with a query',
		parameters: {
			path: '/v1/messages/poll-results?messageId=POLL0000000000000001',
		},
		requests: [
			{
				method: 'GET',
				path: '/v1/messages/poll-results',
				query: { messageId: 'POLL0000000000000001' },
				token: 'instance',
			},
		],
		output: [expect.objectContaining({ totalVotes: 3 })],
	},
	{
		resource: 'api',
		operation: 'request',
		title: 'that sends a message',
		parameters: {
			method: 'POST',
			path: '/v1/messages/send-text',
			sendsMessage: true,
			options: { body: '{ "to": "5511987654321", "text": "Hello" }' },
		},
		requests: [
			{
				method: 'POST',
				path: '/v1/messages/send-text',
				body: { to: '5511987654321', text: 'Hello' },
				token: 'instance',
			},
		],
		output: [{ messageId: expect.any(String) }],
		answer: { status: 202 },
	},
	{
		resource: 'account',
		operation: 'makeRequest',
		title: 'with a body',
		parameters: {
			method: 'POST',
			path: '/v1/webhooks',
			options: {
				body: '{ "url": "https://example.com/receiver", "events": ["QRCODE.UPDATED"] }',
			},
		},
		requests: [
			{
				method: 'POST',
				path: '/v1/webhooks',
				body: { url: 'https://example.com/receiver', events: ['QRCODE.UPDATED'] },
				token: 'account',
			},
		],
		output: [expect.objectContaining({ secret: expect.stringMatching(/^whsec_/) })],
	},
];
