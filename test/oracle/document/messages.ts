import { groupIdAt } from '../../simulator';
import { to, type DocumentedCall } from './call';

const SUCCESS = [{ success: true }];
const TYPED_PHONE = '+55 (11) 90000-0001';
const PHONE = '5511900000001';
const GROUP = groupIdAt(1);

/** API document, "Endpoints": messages, chats, labels and the profile. */
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
				presenceField: 'presence',
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
				voters: expect.arrayContaining([
					{
						phone: '5511900000001',
						name: 'Ana Souza',
						votedAt: '2026-03-02T13:04:05.000Z',
						selectedOptions: ['opt-sim'],
					},
				]),
			},
		],
	},
	...(['archive', 'mute'] as const).map((operation): DocumentedCall => ({
		resource: 'chat',
		operation,
		title: 'of a phone',
		parameters: { to: to('phone', TYPED_PHONE) },
		requests: [
			{ method: 'POST', path: `/v1/chats/${operation}`, body: { to: PHONE }, token: 'instance' },
		],
		output: SUCCESS,
	})),
	...(['assign', 'unassign'] as const).map((operation): DocumentedCall => ({
		resource: 'label',
		operation,
		title: 'a message in a group',
		parameters: { to: to('id', GROUP), labelId: '3', messageId: '3EB0C767D0971A2F4E3B' },
		requests: [
			{
				method: 'POST',
				path: `/v1/labels/${operation}-message`,
				body: { to: GROUP, labelId: '3', messageId: '3EB0C767D0971A2F4E3B' },
				token: 'instance',
			},
		],
		output: SUCCESS,
	})),
	{
		resource: 'profile',
		operation: 'updateStatus',
		title: 'to a text',
		parameters: { status: 'Open from 9 to 18 h' },
		requests: [
			{
				method: 'POST',
				path: '/v1/profile/update-status',
				body: { status: 'Open from 9 to 18 h' },
				token: 'instance',
			},
		],
		output: SUCCESS,
	},
	{
		resource: 'profile',
		operation: 'updateStatus',
		title: 'to nothing, on purpose',
		parameters: { clearStatus: true },
		requests: [
			{
				method: 'POST',
				path: '/v1/profile/update-status',
				body: { status: '' },
				token: 'instance',
			},
		],
		output: SUCCESS,
	},
];
