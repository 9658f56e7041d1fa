import { groupIdAt } from '../../../simulator';
import { to, type DocumentedCall } from './call';

const SUCCESS = [{ success: true }];
const ACCEPTED = { status: 202 };
const TYPED_PHONE = '+55 (11) 90000-0001';
const PHONE = '5511900000001';
const GROUP = groupIdAt(1);

/** API document, "Endpoints": messages. */
export const messageCalls: DocumentedCall[] = [
	{
		resource: 'message',
		operation: 'sendText',
		title: 'to a phone',
		parameters: { to: to('phone', TYPED_PHONE), text: 'Hello, Ana!' },
		requests: [
			{
				method: 'POST',
				path: '/v1/messages/send-text',
				body: { to: PHONE, text: 'Hello, Ana!' },
				token: 'instance',
			},
		],
		output: [{ messageId: expect.any(String) }],
		answer: ACCEPTED,
	},
	{
		resource: 'message',
		operation: 'sendText',
		title: 'to an id, with every option',
		parameters: {
			to: to('id', GROUP),
			text: 'First line\nSecond "line" 🥖',
			options: {
				concurrency: 5,
				messagesPerMinute: 6000,
				timeout: 5,
				typingSeconds: 0.01,
			},
		},
		requests: [
			{
				method: 'POST',
				path: '/v1/messages/presence',
				body: { to: GROUP, presence: 'COMPOSING', isAudio: false },
				token: 'instance',
			},
			{
				method: 'POST',
				path: '/v1/messages/send-text',
				body: { to: GROUP, text: 'First line\nSecond "line" 🥖' },
				token: 'instance',
			},
		],
		output: [{ messageId: expect.any(String) }],
		answer: ACCEPTED,
	},
	{
		resource: 'message',
		operation: 'sendText',
		title: 'to a group of the list',
		parameters: { to: to('list', GROUP), text: 'Hello, all!' },
		requests: [
			{
				method: 'POST',
				path: '/v1/messages/send-text',
				body: { to: GROUP, text: 'Hello, all!' },
				token: 'instance',
			},
		],
		output: [{ messageId: expect.any(String) }],
		answer: ACCEPTED,
	},
	{
		resource: 'message',
		operation: 'sendPresence',
		title: 'with nothing but a recipient',
		parameters: { to: to('phone', TYPED_PHONE) },
		requests: [
			{
				method: 'POST',
				path: '/v1/messages/presence',
				body: { to: PHONE, presence: 'COMPOSING', isAudio: false },
				token: 'instance',
			},
		],
		output: SUCCESS,
	},
	{
		resource: 'message',
		operation: 'sendPresence',
		title: 'recording audio',
		parameters: { to: to('phone', TYPED_PHONE), presence: 'COMPOSING', isAudio: true },
		requests: [
			{
				method: 'POST',
				path: '/v1/messages/presence',
				body: { to: PHONE, presence: 'COMPOSING', isAudio: true },
				token: 'instance',
			},
		],
		output: SUCCESS,
	},
	{
		resource: 'message',
		operation: 'sendPresence',
		title: 'stopped',
		parameters: { to: to('list', GROUP), presence: 'PAUSED' },
		requests: [
			{
				method: 'POST',
				path: '/v1/messages/presence',
				body: { to: GROUP, presence: 'PAUSED' },
				token: 'instance',
			},
		],
		output: SUCCESS,
	},
	{
		resource: 'message',
		operation: 'getPollResults',
		title: 'by the id of the poll',
		parameters: { messageId: 'POLL0000000000000001' },
		requests: [
			{
				method: 'GET',
				path: '/v1/messages/poll-results',
				query: { messageId: 'POLL0000000000000001' },
				token: 'instance',
			},
		],
		output: [
			{
				messageId: 'POLL0000000000000001',
				totalVotes: 3,
				optionCounts: { 'opt-sim': 2, 'opt-nao': 1 },
				voters: [
					{
						phone: '5511900000001',
						name: 'Ana Souza',
						votedAt: '2026-03-02T13:04:05.000Z',
						selectedOptions: ['opt-sim'],
					},
					{
						phone: '5521900000002',
						name: 'Bruno Carvalho',
						votedAt: '2026-03-02T13:06:41.000Z',
						selectedOptions: ['opt-sim'],
					},
					{
						phone: '553190000003',
						name: 'Carla Mendes',
						votedAt: '2026-03-02T14:20:09.000Z',
						selectedOptions: ['opt-nao'],
					},
				],
			},
		],
	},
];
