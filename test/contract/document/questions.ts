import { groupIdAt } from '../../../lab/simulator';
import { request, to, type DocumentedCall, type DocumentedRequest } from './call';

const PHONE = '5511900000001';
const GROUP = groupIdAt(1);

const LIST = request('GET /v1/webhooks', undefined, 'account');
const CREATION = request(
	'POST /v1/webhooks',
	{
		url: expect.stringMatching(/\?.*\buntil=\d+/) as string,
		events: ['MESSAGE.RECEIVED', 'MESSAGE.SENT'],
	},
	'account',
);

const sending = (recipient: string, text: string): DocumentedRequest =>
	request('POST /v1/messages/send-text', { to: recipient, text });

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
		requests: [CREATION, LIST, sending(PHONE, 'When?')],
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
				limitWaitTime: { values: { resumeAmount: 2, resumeUnit: 'days' } },
				maxOpenQuestions: 50,
				requireQuotedReply: true,
				requireText: true,
				person: '+55 11 90000-0001',
				typingSeconds: 0.01,
			},
		},
		requests: [
			CREATION,
			LIST,
			request('POST /v1/messages/presence', { to: GROUP, presence: 'COMPOSING', isAudio: false }),
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
		requests: [
			LIST,
			CREATION,
			sending(GROUP, expect.stringMatching(/^May I\?\n\n(\d{3})1\. Sim\n\1[2]\. Não$/) as string),
		],
		output: [],
		answer: { status: 202 },
	},
];
