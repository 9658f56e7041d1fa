import { groupIdAt } from '../../../simulator';
import { to, type DocumentedCall } from './call';

const SUCCESS = [{ success: true }];
const TYPED_PHONE = '+55 (11) 90000-0001';
const PHONE = '5511900000001';
const GROUP = groupIdAt(1);

/** API document, "Endpoints": chats, labels and the profile. */
export const chatCalls: DocumentedCall[] = [
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
