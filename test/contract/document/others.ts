import { request, type DocumentedCall } from './call';
import { GROUPS } from './groups';

/** Requests that a person composes, and what needs none. */
export const otherCalls: DocumentedCall[] = [
	...[
		{
			typed: '+54 9 11 5555-0000',
			phone: '+5491155550000',
			personKey: '541155550000',
			country: 'AR',
		},
		{
			typed: '+52 1 55 1234 5678',
			phone: '+5215512345678',
			personKey: '525512345678',
			country: 'MX',
		},
		{
			typed: '55 11 98765-4321',
			phone: '+5511987654321',
			personKey: '551187654321',
			country: 'BR',
		},
	].map(({ typed, phone, personKey, country }) => ({
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
		requests: [request('GET /v1/groups')],
		output: GROUPS,
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
			request(
				'POST /v1/webhooks',
				{ url: 'https://example.com/receiver', events: ['QRCODE.UPDATED'] },
				'account',
			),
		],
		output: [expect.objectContaining({ secret: expect.stringMatching(/^whsec_/) })],
	},
];
