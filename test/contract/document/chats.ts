import { groupIdAt } from '../../../lab/simulator';
import { request, to, type DocumentedCall } from './call';

const SUCCESS = [{ success: true }];
const GROUP = groupIdAt(1);
const MARKED = { labelId: '3', messageId: '3EB0C767D0971A2F4E3B' };

/** Calls about chats, labels and the profile (API 4.4 to 4.8). */
export const chatCalls: DocumentedCall[] = [
	...['archive', 'mute'].map((operation): DocumentedCall => ({
		resource: 'chat',
		operation,
		title: 'of a phone',
		parameters: { to: to('phone', '+55 (11) 90000-0001') },
		requests: [request(`POST /v1/chats/${operation}`, { to: '5511900000001' })],
		output: SUCCESS,
	})),
	...['assign', 'unassign'].map((operation): DocumentedCall => ({
		resource: 'label',
		operation,
		title: 'a message in a group',
		parameters: { to: to('id', GROUP), ...MARKED },
		requests: [request(`POST /v1/labels/${operation}-message`, { to: GROUP, ...MARKED })],
		output: SUCCESS,
	})),
	...[
		{ title: 'to a text', parameters: { status: 'Open from 9 to 18 h' } },
		{ title: 'to nothing, on purpose', parameters: { clearStatus: true } },
	].map((call): DocumentedCall => ({
		...call,
		resource: 'profile',
		operation: 'updateStatus',
		requests: [request('POST /v1/profile/update-status', { status: call.parameters.status ?? '' })],
		output: SUCCESS,
	})),
];
