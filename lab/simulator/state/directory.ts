import { randomBytes, randomUUID } from 'node:crypto';
import { groupIdAt, groupNameAt } from './people';

interface Community {
	id: string;
	name: string;
	groups: string[];
}

/** A poll that exists from the start, since no documented operation sends one (API 6.2). */
const POLL = {
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
};

const makeDigits = () => String(BigInt(`0x${randomBytes(7).toString('hex')}`)).padStart(17, '0');
const nowInSeconds = () => String(Math.floor(Date.now() / 1000));
const writeVersion = (text: string) => ({ text, id: makeDigits(), updateTime: nowInSeconds() });

/** A newsletter (API 6.5). */
function makeNewsletter(name: string, description: string) {
	return {
		id: `${makeDigits()}@newsletter`,
		state: { type: 'ACTIVE' },
		threadMetadata: {
			creationTime: nowInSeconds(),
			inviteCode: randomUUID().slice(0, 8),
			name: writeVersion(name),
			description: writeVersion(description),
			subscribersCount: 0,
			verification: 'UNVERIFIED',
			picture: null,
			preview: null,
			settings: { reactionCodes: { value: 'ALL' } },
		},
		viewerMetadata: { mute: 'OFF', role: 'OWNER' } as { mute: string; role: string } | null,
	};
}

/** Groups, communities, channels and polls that the number knows. */
export class Directory {
	readonly groups: Array<{ id: string; name: string }>;
	communities: Community[] = [];
	newsletters: Array<ReturnType<typeof makeNewsletter>> = [];
	readonly polls = new Map([[POLL.messageId, POLL]]);

	constructor(groupCount: number) {
		this.groups = Array.from({ length: groupCount }, (_, position) => ({
			id: groupIdAt(position),
			name: groupNameAt(position),
		}));
		this.reset();
	}

	/** Back to one community, a channel of somebody else's, and one that the number does not follow. */
	reset(): void {
		this.communities = [{ id: '120363900000000001@g.us', name: 'Vizinhança Aurora', groups: [] }];
		this.newsletters = [
			{
				...makeNewsletter('Receitas da Semana', 'Uma receita nova toda segunda-feira'),
				viewerMetadata: { mute: 'ON', role: 'SUBSCRIBER' },
			},
			{
				...makeNewsletter('Feira Livre', ''),
				state: { type: 'SUSPENDED' },
				viewerMetadata: null,
			},
		];
	}

	createCommunity(name: string): Community {
		const community = { id: `${makeDigits()}@g.us`, name, groups: [] };
		this.communities.push(community);
		return community;
	}

	/** Links the groups that the number knows; the others failed (API 6.4). */
	linkGroups(community: Community, groupIds: string[]): { added: string[]; failed: string[] } {
		const known = new Set(this.groups.map(({ id }) => id));
		const added = groupIds.filter((id) => known.has(id));
		community.groups = [...new Set([...community.groups, ...added])];
		return { added, failed: groupIds.filter((id) => !known.has(id)) };
	}

	createNewsletter(name: string, description: string) {
		const newsletter = makeNewsletter(name, description);
		this.newsletters.push(newsletter);
		return newsletter;
	}
}
