import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Checklist from '../../../tools/release/checklist';
import { putAmong } from '../aroundScript';

// What n8n's verification asks of nodes, credentials, the workflow that publishes and the changelog, in a project of its own.

const script = join('tools', 'release', 'checklist.ts');
const PUBLISH = ["tags: ['[0-9]+.[0-9]+.[0-9]+']", 'id-token: write', 'npm publish --provenance'];
const folder = putAmong(script, {
	'host/places.ts': `
		import { join } from 'node:path';
		export const projectFolder = join(__dirname, '..');
		export const findPlace = () => projectFolder;`,
	'host/lastRelease.ts': 'export const loadClasses = () => globalThis.classes;',
	'tools/verification/command.ts': 'export class Finding extends Error {}',
	'tools/verification/checks.ts': `
		export const lintSources = async () => '';
		export const [scanSources, scanTarball] = ['3 files', '4 files'].map((told) => async () => told);`,
	'tools/verification/description.ts': "export const lintDescriptions = async () => '2 nodes';",
	'node_modules/@n8n/node-cli/package.json': '{"version":"1.2.3"}',
	'.github/workflows/publish.yml': '',
	'CHANGELOG.md': '# Changes\n\n## [1.2.4] - today\n\nWhat 1.2.3 had.\n\n## [1.2.2]\n',
});

let checklist: typeof Checklist.checklist;

beforeAll(() => {
	({ checklist } = require(join(folder, script)) as typeof Checklist);
});
beforeEach(() => publish(PUBLISH));

const publish = (lines: string[]) =>
	writeFileSync(join(folder, '.github', 'workflows', 'publish.yml'), lines.join('\n'));

/** What was found for a line; begins with ✗ if that is not enough. */
async function lookAt(line: string, packed: object = {}): Promise<string> {
	const requirement = checklist.find((each) => each.line.startsWith(line));
	if (requirement === undefined) throw new Error(`No line begins with ${line}.`);
	const look = async () => await requirement.look(packed as Checklist.PackedPackage);
	return await look().catch((error: Error) => {
		if (error.constructor.name !== 'Finding') throw error;
		return `✗ ${error.message}`;
	});
}

type Description = Record<string, unknown>;
interface Changes {
	node?: Description;
	trigger?: Description;
	hooks?: object;
	credential?: Description;
}

const HOOKS = { checkExists: 0, create: 0, delete: 0 };

/** A package whose classes differ from good ones in this. */
function bring({ node, trigger, hooks = HOOKS, credential }: Changes = {}): void {
	const [one, other, account, instance] = [
		{
			displayName: 'Bread',
			name: 'bread',
			usableAsTool: true,
			properties: [],
			credentials: [{ name: 'breadApi', testedBy: 'test' }],
			...node,
		},
		{
			displayName: 'Bread Trigger',
			name: 'breadTrigger',
			properties: [{ name: 'output', displayName: 'Output', options: [{ name: 'Simplified' }] }],
			...trigger,
		},
		{
			name: 'breadApi',
			icon: { light: 'a.svg', dark: 'b.svg' },
			properties: [{ name: 'token', typeOptions: { password: true } }, { name: 'baseUrl' }],
			...credential,
		},
		{
			name: 'cakeApi',
			icon: { light: 'a.svg', dark: 'b.svg' },
			test: {},
			properties: [{ name: 'webhookSecret', typeOptions: { password: true } }],
		},
	];
	Object.assign(globalThis, {
		classes: {
			MessagingGateway: class {
				description = one;
			},
			MessagingGatewayTrigger: class {
				description = other;
				webhookMethods = { default: hooks };
			},
			MessagingGatewayAccountApi: class {
				constructor() {
					Object.assign(this, account);
				}
			},
			MessagingGatewayInstanceApi: class {
				constructor() {
					Object.assign(this, instance);
				}
			},
		},
	});
}

const locator = (name: string, mode: string, modes = ['list', 'id']) => ({
	properties: [{ name, default: { mode }, modes: modes.map((type) => ({ type })) }],
});
const shows = (property: object) => ({ node: { properties: [{ name: 'a', ...property }] } });
const without = (hook: string) =>
	Object.fromEntries(Object.entries(HOOKS).filter(([name]) => name !== hook));

const TEXTS = 'No text in the editor';
const bad: Array<[line: string, what: string, changes: Changes]> = [
	...Object.keys(HOOKS).map((hook): [string, string, Changes] => [
		'The trigger has the whole life',
		`no ${hook}`,
		{ hooks: without(hook) },
	]),
	['The trigger has', 'another name', { trigger: { name: 'bread' } }],
	['The trigger has', 'another title', { trigger: { displayName: 'Bread' } }],
	['The trigger has', 'a tool', { trigger: { usableAsTool: true } }],
	['The node is usable', 'no tool', { node: { usableAsTool: undefined } }],
	['Each credential', 'no test', { node: { credentials: [{ name: 'breadApi' }] } }],
	[
		'Each credential',
		'the test of another',
		{ node: { credentials: [{ name: 'cakeApi', testedBy: 'x' }] } },
	],
	['Each credential', 'one icon', { credential: { icon: 'file:a.svg' } }],
	['Each credential', 'a token that is seen', { credential: { properties: [{ name: 'token' }] } }],
	['Each credential', 'nothing secret', { credential: { properties: [] } }],
	['A choice with a list', 'a list that is not first', { node: locator('group', 'id') }],
	['An output of many', 'no choice', { trigger: { properties: [] } }],
	[TEXTS, 'a forbidden word', shows({ description: 'What a mistake' })],
	[TEXTS, 'another one', shows({ displayName: 'Errors' })],
	[TEXTS, 'one in a hint', shows({ hint: 'a problem' })],
	[TEXTS, 'one in a placeholder', shows({ placeholder: 'e.g. Failure' })],
	[TEXTS, 'one in a choice', shows({ options: [{ name: 'On Error' }] })],
	[TEXTS, 'one on a choice', shows({ options: [{ name: 'a', description: 'an error' }] })],
	[TEXTS, 'one on an option', shows({ options: [{ displayName: 'An error', name: 'a' }] })],
	[TEXTS, 'other letters', shows({ displayName: 'Хлеб' })],
];

it.each([...new Set(bad.map(([line]) => line))])('%s…: good ones pass', async (line) => {
	bring();
	expect(await lookAt(line)).not.toMatch(/^✗/);
});

it.each(bad)('%s…: %s is noticed', async (line, _what, changes) => {
	bring(changes);
	expect(await lookAt(line)).toMatch(/^✗/);
});

it('a recipient need not begin with its list, nor what has no list, and umlauts are Latin letters', async () => {
	for (const node of [
		locator('to', 'phone'),
		locator('group', 'list'),
		locator('id', 'id', ['id']),
	]) {
		bring({ node });
		expect(await lookAt('A choice with a list')).not.toMatch(/^✗/);
	}
	bring(shows({ displayName: 'Brötchen à São Paulo, 1 €: “frei”, terror' }));
	expect(await lookAt(TEXTS)).not.toMatch(/^✗/);
});

it('a version that stands in the changelog only in passing has no heading', async () => {
	expect(await lookAt('The version', { manifest: { version: '1.2.4' } })).not.toMatch(/^✗/);
	for (const version of ['1.2.3', '1.2', '2.4'])
		expect(await lookAt('The version', { manifest: { version } })).toMatch(/^✗/);
});

it('publishing needs provenance, its permission and its tags, and no token', async () => {
	expect(await lookAt('Published by')).not.toMatch(/^✗/);
	for (const line of PUBLISH) {
		publish(PUBLISH.filter((each) => each !== line));
		expect(await lookAt('Published by')).toMatch(/^✗ lacks /);
	}
	for (const token of ['NODE_AUTH_TOKEN', 'NPM_TOKEN']) {
		publish([...PUBLISH, `${token}: x`]);
		expect(await lookAt('Published by')).toMatch(/^✗/);
	}
});

it('a package without any answer to Delete shows none', async () => {
	expect(await lookAt('Delete answers', { files: [], folder })).toMatch(/^✗/);
});

it('tells which lint has looked, and what the scans have seen', async () => {
	expect(await lookAt('n8n’s lint of the sources')).toBe('@n8n/node-cli 1.2.3');
	expect(await lookAt('n8n’s lint of what the nodes show')).toBe('2 nodes');
	expect(await lookAt('n8n’s scan of the tarball')).toBe('4 files');
	expect(await lookAt('n8n’s scan of the sources')).toBe(
		'✗ @n8n/scan-community-package is not installed.',
	);
});
