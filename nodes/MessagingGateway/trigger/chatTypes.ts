import type { INodeProperties } from 'n8n-workflow';
import { quote } from '../api/plainText';
import { splitCommas } from '../fields/commas';

const TYPES = [
	{ name: 'Channel', value: 'channel', description: 'Posts in channels (newsletters)' },
	{ name: 'Group', value: 'group' },
	{ name: 'Person', value: 'person' },
	{ name: 'Status', value: 'status', description: 'Status updates that contacts post' },
] as const;

export type ChatType = (typeof TYPES)[number]['value'];

/** From which chats messages start the workflow. */
export const chatTypes: INodeProperties = {
	displayName: 'Chat Types',
	name: 'chatTypes',
	type: 'multiOptions',
	options: [...TYPES],
	default: ['person'],
	description:
		'Start only for messages from chats of these types. Events that belong to no chat always start the workflow.',
	builderHint: {
		propertyHint:
			'Use ["person"] for every workflow that answers by itself, unless the user wants it in groups',
	},
};

/** @throws Error in a person's words if an expression gives something else: no message would start the workflow */
export function readChatTypes(value: unknown): ChatType[] {
	const wanted = splitCommas(value);
	const unknown = wanted.find((each) => !TYPES.some((type) => type.value === each));
	if (unknown === undefined) return wanted as ChatType[];
	const known = TYPES.map((type) => type.value).join(', ');
	throw new Error(
		`${quote(unknown)} cannot be one of Chat Types. Use ${known}, or remove the option.`,
	);
}
