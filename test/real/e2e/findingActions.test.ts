import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findPlace, projectFolder } from '../../../host/places';
import { resources } from '../../../nodes/MessagingGateway/operations';

// n8n's list of nodes finds nothing but names and aliases of nodes, and shows no search among the actions of a community
// node. So what a person types for an action has to find the node: asked here of n8n's own search, with all of its nodes.

interface Listed {
	displayName: string;
	codex?: { alias?: string[] };
	hidden?: boolean;
}

interface Found {
	item: { properties: Listed };
}

type Search = (
	typed: string,
	items: Array<Found['item']>,
	keys: Array<{ key: string; weight: number }>,
) => Found[];

const requireFromN8n = createRequire(join(findPlace('n8n'), 'package.json'));
const { sublimeSearch } = requireFromN8n('@n8n/utils/search/sublime-search') as {
	sublimeSearch: Search;
};

/** Where the editor's list searches. */
const KEYS = [
	{ key: 'properties.displayName', weight: 1.3 },
	{ key: 'properties.codex.alias', weight: 1 },
];
const OURS = 'Messaging Gateway';

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8')) as unknown;

const modules = join(findPlace('n8n'), 'node_modules');
const theirs = ['n8n-nodes-base', join('@n8n', 'n8n-nodes-langchain')].flatMap(
	(name) => readJson(modules, name, 'dist', 'types', 'nodes.json') as Listed[],
);
const codex = readJson(
	projectFolder,
	'nodes',
	'MessagingGateway',
	'MessagingGateway.node.json',
) as Listed['codex'];
const items = [...theirs.filter(({ hidden }) => !hidden), { displayName: OURS, codex }].map(
	(properties) => ({ properties }),
);

/** Words of the pages, and of n8n's other nodes, with the action that they are to find. */
const WORDS: Array<[string, string]> = [
	['request', 'Make API request'],
	['archive', 'Archive chat'],
	['mute', 'Mute chat for one hour'],
	['add groups', 'Add groups to community'],
	['create community', 'Create community'],
	['get many communities', 'Get many communities'],
	['get many groups', 'Get many groups'],
	['disconnect', 'Disconnect instance'],
	['get many instances', 'Get many instances'],
	['get settings', 'Get instance settings'],
	['reconnect', 'Reconnect instance'],
	['update settings', 'Update instance settings'],
	['assign label', 'Assign label to message'],
	['unassign label', 'Unassign label from message'],
	['get poll results', 'Get poll results'],
	['send and wait', 'Send message and wait for reply'],
	['send and wait for reply', 'Send message and wait for reply'],
	['wait for reply', 'Send message and wait for reply'],
	['show typing', 'Show typing or recording in chat'],
	['send text', 'Send text message to person or group'],
	['create newsletter', 'Create newsletter'],
	['get many newsletters', 'Get many newsletters'],
	['compare', 'Compare two phone numbers'],
	['normalize', 'Normalize phone number'],
	['update status', 'Update or clear profile status'],
	['create webhook', 'Create webhook'],
	['delete webhook', 'Delete webhook'],
	['get many webhooks', 'Get many webhooks'],
	['update webhook', 'Update webhook'],
];

const actions = resources.flatMap(({ operations }) => operations.map(({ action }) => action));

it('is looked for here with every action there is', () => {
	expect([...new Set(WORDS.map(([, action]) => action))].sort()).toEqual(actions.sort());
});

/** The pages tell people to choose an action by its name: so that is what they type, too. */
const NAMES = actions.map((action): [string, string] => [action.toLowerCase(), action]);

it.each([...WORDS, ...NAMES])('"%s" finds the node, among the first three, for "%s"', (words) => {
	const found = sublimeSearch(words, items, KEYS).map(({ item }) => item.properties.displayName);
	expect([...new Set(found)].slice(0, 3)).toContain(OURS);
});
