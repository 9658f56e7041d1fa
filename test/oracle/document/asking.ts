import { groupIdAt } from '../../../simulator';
import { to, type DocumentedCall, type DocumentedRequest } from './call';

const PHONE = '5511900000001';
const GROUP = groupIdAt(1);

const opening = (to: string): DocumentedRequest[] => [
	{ method: 'GET', path: '/v1/webhooks', token: 'account' },
	{
		method: 'POST',
		path: '/v1/webhooks',
		body: {
			url: expect.stringContaining(`?asked=${encodeURIComponent(to)}&until=`) as string,
			events: ['MESSAGE.RECEIVED', 'MESSAGE.SENT'],
		},
		token: 'account',
	},
];

const sending = (to: string, text: string): DocumentedRequest => ({
	method: 'POST',
	path: '/v1/messages/send-text',
	body: { to, text },
	token: 'instance',
});

/**
 * Calls that put the execution to wait: a webhook for the answer, and then the message. What comes of them is put out
 * only when somebody has answered.
 */
export const askingCalls: DocumentedCall[] = [
	{
		resource: 'message',
		operation: 'sendAndWait',
		title: 'for any reply',
		parameters: { to: to('phone', PHONE), message: 'When?' },
		requests: [...opening(PHONE), sending(PHONE, 'When?')],
		output: [],
		answer: { status: 202 },
	},
	{
		resource: 'message',
		operation: 'sendAndWait',
		title: 'for a choice, with every option',
		parameters: {
			to: to('id', GROUP),
			message: 'When?',
			responseType: 'choice',
			choices: ' Tomorrow morning\n\nTomorrow at noon\nTomorrow morning',
			options: {
				askAgain: { values: { text: 'A number, please.', maxAttempts: 1 } },
				limitWaitTime: { values: { resumeAmount: 2, resumeUnit: 'days' } },
				messagesPerMinute: 6000,
				maxOpenQuestions: 50,
				requireQuotedReply: true,
				person: '+55 11 90000-0001',
				presenceField: 'presence',
				timeout: 5,
				typingSeconds: 0.01,
			},
		},
		requests: [
			...opening(GROUP),
			{
				method: 'POST',
				path: '/v1/messages/presence',
				body: { to: GROUP, presence: 'COMPOSING', isAudio: false },
				token: 'instance',
			},
			sending(GROUP, 'When?\n\n1. Tomorrow morning\n2. Tomorrow at noon'),
		],
		output: [],
		answer: { status: 202 },
	},
	{
		resource: 'message',
		operation: 'sendAndWait',
		title: 'for an approval',
		parameters: {
			to: to('list', GROUP),
			message: 'May I?',
			responseType: 'approval',
			approvalOptions: { values: { approveLabel: 'Sim', disapproveLabel: 'Não' } },
		},
		requests: [...opening(GROUP), sending(GROUP, 'May I?\n\n1. Sim\n2. Não')],
		output: [],
		answer: { status: 202 },
	},
];
