import { groupIdAt, groupNameAt } from '../../../lab/simulator';
import { request, type DocumentedCall } from './call';

const COMMUNITY = '120363900000000001@g.us';

/** Those that the simulated number is a member of. */
export const GROUPS = Array.from({ length: 6 }, (_, position) => ({
	id: groupIdAt(position),
	name: groupNameAt(position),
}));

const EPOCH_SECONDS = expect.stringMatching(/^\d{10}$/);

/** A string with its version (API 6.6). */
const versioned = (text: string) => ({ text, id: expect.any(String), updateTime: EPOCH_SECONDS });

/** A newsletter, field by field (API 6.5). */
const newsletter = (name: string, description: string) => ({
	id: expect.stringMatching(/@newsletter$/),
	state: { type: 'ACTIVE' },
	threadMetadata: {
		creationTime: EPOCH_SECONDS,
		inviteCode: expect.any(String),
		name: versioned(name),
		description: versioned(description),
		subscribersCount: 0,
		verification: 'UNVERIFIED',
		picture: null,
		preview: null,
		settings: { reactionCodes: { value: 'ALL' } },
	},
	viewerMetadata: { mute: 'OFF', role: 'OWNER' },
});

/** Calls about communities, groups and newsletters (API 4.9 to 4.11). */
export const groupCalls: DocumentedCall[] = [
	{
		resource: 'community',
		operation: 'getAll',
		title: 'up to the usual limit',
		requests: [request('GET /v1/communities')],
		output: [{ id: COMMUNITY, name: 'Vizinhança Aurora' }],
	},
	{
		resource: 'community',
		operation: 'create',
		title: 'with a name',
		parameters: { name: 'Rua das Flores' },
		requests: [request('POST /v1/communities/create', { name: 'Rua das Flores' })],
		output: [{ id: expect.stringMatching(/@g\.us$/), name: 'Rua das Flores' }],
	},
	{
		resource: 'community',
		operation: 'addGroups',
		title: 'several by their ids, of which one does not join',
		parameters: {
			communityId: { __rl: true, mode: 'id', value: COMMUNITY },
			groupIds: `=${groupIdAt(0)}, ${groupIdAt(1)},120363999@g.us`,
		},
		requests: [
			request('POST /v1/communities/add-groups', {
				id: COMMUNITY,
				groups: [groupIdAt(0), groupIdAt(1), '120363999@g.us'],
			}),
		],
		output: [{ added: [groupIdAt(0), groupIdAt(1)], failed: ['120363999@g.us'] }],
	},
	{
		resource: 'group',
		operation: 'getAll',
		title: 'all of them',
		parameters: { returnAll: true },
		requests: [request('GET /v1/groups')],
		output: GROUPS,
	},
	{
		resource: 'group',
		operation: 'getAll',
		title: 'a few of them',
		parameters: { limit: 2 },
		requests: [request('GET /v1/groups')],
		output: GROUPS.slice(0, 2),
		// The API shows no paging.
		answer: { body: { data: GROUPS } },
	},
	...[
		{ title: 'with a name only', parameters: { name: 'Weekly Offers' } },
		{
			title: 'with a description',
			parameters: { name: 'Weekly Offers', description: 'New every Monday' },
		},
	].map(({ title, parameters }): DocumentedCall => ({
		resource: 'newsletter',
		operation: 'create',
		title,
		parameters,
		requests: [request('POST /v1/newsletters/create', parameters)],
		output: [newsletter(parameters.name, parameters.description ?? '')],
	})),
	{
		resource: 'newsletter',
		operation: 'getAll',
		title: 'the first one',
		parameters: { limit: 1 },
		requests: [request('GET /v1/newsletters')],
		output: [
			expect.objectContaining({
				id: expect.stringMatching(/@newsletter$/),
				viewerMetadata: { mute: 'ON', role: 'SUBSCRIBER' },
			}),
		],
		answer: {
			body: {
				data: [
					{ state: { type: 'ACTIVE' }, viewerMetadata: { mute: 'ON' } },
					{ state: { type: 'SUSPENDED' }, viewerMetadata: null },
				],
			},
		},
	},
];
