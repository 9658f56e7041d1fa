import { flagField, textField } from '../fields/field';
import type { Resource } from './operation';

export const profile: Resource = {
	name: 'Profile',
	value: 'profile',
	operations: [
		{
			name: 'Update Status',
			value: 'updateStatus',
			action: 'Update or clear profile status',
			description: 'Change or clear the status text of the profile',
			request: 'POST /v1/profile/update-status',
			fields: [
				flagField({
					displayName: 'Clear Status',
					name: 'clearStatus',
					description: 'Whether to remove the status text',
				}),
				textField({
					displayName: 'Status',
					name: 'status',
					placeholder: 'e.g. Open Monday to Friday, 9 to 18 h',
					description: 'The new status text',
					displayOptions: { show: { clearStatus: [false] } },
				}),
			],
			perform: async ({ gateway }, { clearStatus }, request) =>
				await gateway.call(clearStatus ? { ...request, body: { status: '' } } : request),
		},
	],
};
