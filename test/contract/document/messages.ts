import { groupIdAt } from '../../../lab/simulator';
import { request, to, type DocumentedCall } from './call';

const TYPED_PHONE = '+55 (11) 90000-0001';
const PHONE = '5511900000001';
const GROUP = groupIdAt(1);

const send = (body: object) => request('POST /v1/messages/send-text', body);
const show = (body: object) => request('POST /v1/messages/presence', body);
const COMPOSING = { presence: 'COMPOSING', isAudio: false };

/** Calls about messages (API 4.1 to 4.3). */
export const messageCalls: DocumentedCall[] = [
	...[
		{
			title: 'to a phone',
			parameters: { to: to('phone', TYPED_PHONE), text: 'Hello, Ana!' },
			requests: [send({ to: PHONE, text: 'Hello, Ana!' })],
		},
		{
			title: 'to an id, with every option',
			parameters: {
				to: to('id', GROUP),
				text: 'First line\nSecond "line" 🥖',
				options: { concurrency: 5, messagesPerMinute: 6000, timeout: 5, typingSeconds: 0.01 },
			},
			requests: [
				show({ to: GROUP, ...COMPOSING }),
				send({ to: GROUP, text: 'First line\nSecond "line" 🥖' }),
			],
		},
	].map((call): DocumentedCall => ({
		...call,
		resource: 'message',
		operation: 'sendText',
		output: [{ messageId: expect.any(String) }],
		answer: { status: 202 },
	})),
	...[
		{ title: 'with nothing but a recipient', parameters: {}, body: COMPOSING },
		{
			title: 'recording audio',
			parameters: { presence: 'COMPOSING', isAudio: true },
			body: { presence: 'COMPOSING', isAudio: true },
		},
		{
			title: 'stopped',
			parameters: { presence: 'PAUSED' },
			body: { presence: 'PAUSED', isAudio: false },
		},
	].map(({ title, parameters, body }): DocumentedCall => ({
		title,
		resource: 'message',
		operation: 'sendPresence',
		parameters: { to: to('phone', TYPED_PHONE), ...parameters },
		requests: [show({ to: PHONE, ...body })],
		output: [{ success: true }],
	})),
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
