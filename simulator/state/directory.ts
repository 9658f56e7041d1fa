import { randomBytes, randomUUID } from 'node:crypto';
import { groupIdAt, groupNameAt } from './people';

export interface Group {
	id: string;
	name: string;
}

export interface Community {
	id: string;
	name: string;
	groups: string[];
}

interface VersionedText {
	text: string;
	id: string;
	updateTime: string;
}

interface Image {
	url: string;
	id: string;
	type: string;
	directPath: string;
	hash: string;
}

/** API document, Newsletter (channel) object. */
export interface Newsletter {
	id: string;
	state: { type: 'ACTIVE' | 'SUSPENDED' | 'GEOSUSPENDED' };
	threadMetadata: {
		creationTime: string;
		inviteCode: string;
		name: VersionedText;
		description: VersionedText;
		subscribersCount: number;
		verification: 'VERIFIED' | 'UNVERIFIED';
		picture: Image | null;
		preview: Image | null;
		settings: { reactionCodes: { value: 'ALL' | 'BASIC' | 'NONE' | 'BLOCKLIST' } };
	};
	viewerMetadata: { mute: 'ON' | 'OFF'; role: 'OWNER' | 'ADMIN' | 'SUBSCRIBER' | 'GUEST' } | null;
}

/** API document, Poll results. */
export interface PollResults {
	messageId: string;
	totalVotes: number;
	optionCounts: Record<string, number>;
	voters: Array<{ phone: string; name: string; votedAt: string; selectedOptions: string[] }>;
}

/** A poll that exists from the start, since no documented operation sends one. */
export const DEMO_POLL: PollResults = {
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

function makeDigits(): string {
	return String(BigInt(`0x${randomBytes(7).toString('hex')}`)).padStart(17, '0');
}

function writeVersion(text: string): VersionedText {
	return { text, id: makeDigits(), updateTime: String(Math.floor(Date.now() / 1000)) };
}

function makeImage(type: string): Image {
	const id = makeDigits();
	return {
		url: `https://images.example.com/${id}.jpg`,
		id,
		type,
		directPath: `/v/${id}`,
		hash: randomBytes(16).toString('base64'),
	};
}

function makeNewsletter(name: string, description: string): Newsletter {
	return {
		id: `${makeDigits()}@newsletter`,
		state: { type: 'ACTIVE' },
		threadMetadata: {
			creationTime: String(Math.floor(Date.now() / 1000)),
			inviteCode: randomUUID().slice(0, 8),
			name: writeVersion(name),
			description: writeVersion(description),
			subscribersCount: 0,
			verification: 'UNVERIFIED',
			picture: null,
			preview: null,
			settings: { reactionCodes: { value: 'ALL' } },
		},
		viewerMetadata: { mute: 'OFF', role: 'OWNER' },
	};
}

/** A channel of somebody else's, with every nullable field filled. */
function makeFollowedNewsletter(): Newsletter {
	const newsletter = makeNewsletter('Receitas da Semana', 'Uma receita nova toda segunda-feira');
	newsletter.threadMetadata.subscribersCount = 1280;
	newsletter.threadMetadata.verification = 'VERIFIED';
	newsletter.threadMetadata.picture = makeImage('image');
	newsletter.threadMetadata.preview = makeImage('preview');
	newsletter.viewerMetadata = { mute: 'ON', role: 'SUBSCRIBER' };
	return newsletter;
}

/** A channel that the number does not follow, hence without `viewerMetadata`. */
function makeSuspendedNewsletter(): Newsletter {
	const newsletter = makeNewsletter('Feira Livre', '');
	return { ...newsletter, state: { type: 'SUSPENDED' }, viewerMetadata: null };
}

/** Groups, communities, channels and polls that the number knows. */
export class Directory {
	readonly groups: Group[];
	communities: Community[] = [];
	newsletters: Newsletter[] = [];
	readonly polls = new Map([[DEMO_POLL.messageId, DEMO_POLL]]);
	private readonly groupsById: Map<string, Group>;

	constructor(groupCount: number) {
		this.groups = Array.from({ length: groupCount }, (_, position) => ({
			id: groupIdAt(position),
			name: groupNameAt(position),
		}));
		this.groupsById = new Map(this.groups.map((group) => [group.id, group]));
		this.reset();
	}

	/** Back to one community and two channels of somebody else's. */
	reset(): void {
		this.communities = [{ id: '120363900000000001@g.us', name: 'Vizinhança Aurora', groups: [] }];
		this.newsletters = [makeFollowedNewsletter(), makeSuspendedNewsletter()];
	}

	findGroup(id: string): Group | undefined {
		return this.groupsById.get(id);
	}

	createCommunity(name: string): Community {
		const community = { id: `${makeDigits()}@g.us`, name, groups: [] };
		this.communities.push(community);
		return community;
	}

	/** Links the groups that the number knows; the others failed (API document, Group-link result). */
	linkGroups(community: Community, groupIds: string[]): { added: string[]; failed: string[] } {
		const added = groupIds.filter((id) => this.groupsById.has(id));
		const failed = groupIds.filter((id) => !this.groupsById.has(id));
		community.groups = [...new Set([...community.groups, ...added])];
		return { added, failed };
	}

	createNewsletter(name: string, description: string): Newsletter {
		const newsletter = makeNewsletter(name, description);
		this.newsletters.push(newsletter);
		return newsletter;
	}
}
