import type { DocumentedCall } from './call';
import { GROUPS } from './groups';

/** What is worked out without the gateway, and what a person puts together alone. */
export const otherCalls: DocumentedCall[] = [
	{
		resource: 'phone',
		operation: 'normalize',
		title: 'a Brazilian mobile number',
		parameters: { phone: '+55 (11) 98765-4321' },
		requests: [],
		output: [{ phone: '5511987654321', e164: '+5511987654321', personKey: '551187654321' }],
	},
	{
		resource: 'phone',
		operation: 'normalize',
		title: 'a number written as inside a country',
		parameters: { phone: '(11) 3123-4567', defaultCountry: 'BR' },
		requests: [],
		output: [{ phone: '551131234567', e164: '+551131234567', personKey: '551131234567' }],
	},
	{
		resource: 'phone',
		operation: 'compare',
		title: 'a number written as inside a country with a whole one',
		parameters: { phone: '11 98765-4321', otherPhone: '5511987654321', defaultCountry: 'BR' },
		requests: [],
		output: [{ same: true, phones: ['5511987654321', '5511987654321'] }],
	},
	{
		resource: 'phone',
		operation: 'compare',
		title: 'both spellings of one line',
		parameters: { phone: '+55 (11) 98765-4321', otherPhone: '55 11 8765 4321' },
		requests: [],
		output: [{ same: true, phones: ['5511987654321', '551187654321'] }],
	},
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
			path: '/v1/messages/poll-results',
			query: {
				parameters: [
					{ name: 'messageId', value: 'POLL0000000000000001' },
					{ name: '', value: 'not sent' },
				],
			},
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
		resource: 'api',
		operation: 'request',
		title: 'with a body and the account token',
		parameters: {
			token: 'account',
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
