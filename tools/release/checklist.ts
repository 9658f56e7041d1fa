import { existsSync, readFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ICredentialType, INodeProperties, INodeType } from 'n8n-workflow';
import { loadClasses } from '../../host/lastRelease';
import { findPlace, projectFolder } from '../../host/places';
import { lintSources, scanSources, scanTarball } from '../verification/checks';
import { Finding } from '../verification/command';
import { lintDescriptions } from '../verification/description';

/** What npm would publish. */
export interface PackedPackage {
	/** Where it is unpacked. */
	folder: string;
	files: string[];
	manifest: {
		name: string;
		version: string;
		description: string;
		license: string;
		homepage: string;
		author: { name: string; email: string };
		repository: { url: string };
		keywords: string[];
		files: string[];
		scripts?: Record<string, string>;
		peerDependencies?: Record<string, string>;
		n8n: { n8nNodesApiVersion: number; nodes: string[]; credentials: string[] };
	};
}

/** One thing that n8n asks for. */
export interface Requirement {
	line: string;
	/** Answers what was found; throws a Finding if that is not enough. */
	look(packed: PackedPackage): Promise<string> | string;
}

/** What n8n lets a verified package import, beside what is bundled. */
const ALLOWED_IMPORTS = ['n8n-workflow', 'lodash', 'moment', 'p-limit', 'luxon', 'zod', 'crypto'];
/** What does not begin with its list, and why; a reviewer is told the same. */
const WITHOUT_LIST_FIRST = { to: 'its list has groups only, and most messages go to people' };
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const FORBIDDEN_WORDS = /\b(error|problem|failure|mistake)s?\b/i;

function demand(isSo: boolean, found: string): string {
	if (!isSo) throw new Finding(found);
	return found;
}

/** All code that is shipped. */
const codeOf = ({ folder, files }: PackedPackage) =>
	files
		.filter((file) => file.endsWith('.js'))
		.map((file) => readFileSync(join(folder, file), 'utf8'))
		.join('\n');
const readme = ({ folder }: PackedPackage) => readFileSync(join(folder, 'README.md'), 'utf8');
const headings = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);

function nodesOf(): INodeType[] {
	const { MessagingGateway, MessagingGatewayTrigger } = loadClasses(projectFolder);
	return [new MessagingGateway(), new MessagingGatewayTrigger()];
}

function credentialsOf(): ICredentialType[] {
	const classes = loadClasses(projectFolder);
	return [new classes.MessagingGatewayAccountApi(), new classes.MessagingGatewayInstanceApi()];
}

const manifest: Requirement[] = [
	{
		line: 'Licence MIT, and its text in the package',
		look: ({ manifest: { license }, files }) =>
			demand(license === 'MIT' && files.includes('LICENSE.md'), `${license}, LICENSE.md`),
	},
	{
		line: 'A public repository, a homepage, an author with name and email, a description',
		look: ({ manifest: { repository, homepage, author, description } }) =>
			demand(
				[repository?.url, homepage, author?.name, author?.email, description].every(Boolean),
				[repository?.url, homepage, `${author?.name} <${author?.email}>`, description].join(' · '),
			),
	},
	{
		line: 'Named n8n-nodes-…, with n8n’s keyword',
		look: ({ manifest: { name, keywords } }) =>
			demand(
				/^(@[^/]+\/)?n8n-nodes-/.test(name) && keywords.includes('n8n-community-node-package'),
				`${name}, ${keywords.join(', ')}`,
			),
	},
	{
		line: 'Nodes and credentials named under dist, and there',
		look: ({ manifest: { n8n }, files }) => {
			const named = [...n8n.nodes, ...n8n.credentials];
			const missing = named.filter((file) => !file.startsWith('dist/') || !files.includes(file));
			return demand(missing.length === 0, missing.join(', ') || `${named.length} files`);
		},
	},
	{
		line: 'Asks for nothing but n8n-workflow, and runs nothing when it is installed',
		look: ({ manifest: packed }) => {
			const peers = packed.peerDependencies;
			const banned = ['dependencies', 'overrides', 'bundledDependencies', 'optionalDependencies'];
			const found = [
				...banned.filter((field) => field in packed),
				...Object.keys(packed.scripts ?? {}).filter((name) =>
					/^(pre|post)?(install|prepare)/.test(name),
				),
			];
			return demand(
				found.length === 0 && isDeepStrictEqual(peers, { 'n8n-workflow': '*' }),
				`${found.join(', ') || 'no dependencies, no overrides, no scripts at installation'}; peers ${JSON.stringify(peers)}`,
			);
		},
	},
	{
		line: 'Nothing in the package but what n8n loads, its licences, the README and the page on security',
		look: ({ files }) => {
			const known =
				/^(package\.json|(README|LICENSE|SECURITY)\.md|dist\/(THIRD-PARTY-LICENSES\.txt|libraries\/.+\.js|(nodes|credentials)\/.+\.(js|svg|json)))$/;
			const other = files.filter((file) => !known.test(file));
			return demand(other.length === 0, other.join(', ') || `${files.length} files`);
		},
	},
	{
		line: 'The licence of every library inside',
		look: ({ folder }) => {
			const notices = readFileSync(join(folder, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
			const named = [...notices.matchAll(/^(\S+ \d+\.\d+\.\d+ \(.+\))$/gm)].map(([, name]) => name);
			return demand(named.length > 0, named.join(', '));
		},
	},
	{
		line: 'The version stands in the changelog',
		look: ({ manifest: { version } }) => {
			const changelog = readFileSync(join(projectFolder, 'CHANGELOG.md'), 'utf8');
			return demand(
				changelog.includes(`## [${version}]`),
				`${version}; headings: ${headings(changelog).join(', ')}`,
			);
		},
	},
	{
		line: 'Published by a GitHub Action with provenance, without a token',
		look: () => {
			const workflow = readFileSync(
				join(projectFolder, '.github', 'workflows', 'publish.yml'),
				'utf8',
			);
			const wanted = ['id-token: write', '--provenance', "tags: ['[0-9]+.[0-9]+.[0-9]+']"];
			const missing = wanted.filter((text) => !workflow.includes(text));
			return demand(
				missing.length === 0 && !/NODE_AUTH_TOKEN|NPM_TOKEN/.test(workflow),
				missing.length > 0 ? `lacks ${missing.join(', ')}` : `publish.yml: ${wanted.join(', ')}`,
			);
		},
	},
];

const code: Requirement[] = [
	{
		line: 'Imports nothing that n8n forbids',
		look: (packed) => {
			const imported = [
				...codeOf(packed).matchAll(/\b(?:require|import)\(["']([^."'][^"']*)["']\)/g),
			].map(([, name]) => name);
			const forbidden = imported.filter((name) => !ALLOWED_IMPORTS.includes(name));
			return demand(
				forbidden.length === 0,
				[...new Set(forbidden.length > 0 ? forbidden : imported)].join(', '),
			);
		},
	},
	{
		line: 'No environment, no file system, no timers, no globals',
		look: (packed) => {
			const shipped = codeOf(packed).replace(COMMENTS, '');
			const names =
				/\b(process|setTimeout|setInterval|globalThis|__dirname|__filename)\b(?=[.([])/g;
			const found = [...new Set([...shipped.matchAll(names)].map(([name]) => name))];
			const modules = builtinModules.filter(
				(name) => name !== 'crypto' && shipped.includes(`require("${name}")`),
			);
			return demand(
				found.length + modules.length === 0,
				[...found, ...modules].join(', ') || 'none',
			);
		},
	},
	{
		line: 'n8n’s lint of the sources',
		look: async () => (await lintSources()) || nameTool('@n8n/node-cli'),
	},
	{ line: 'n8n’s lint of what the nodes show', look: async () => await lintDescriptions() },
	{
		line: 'n8n’s scan of the sources',
		look: async () => `${await scanSources()}, ${nameTool('@n8n/scan-community-package')}`,
	},
	{ line: 'n8n’s scan of the tarball, and its size', look: async () => await scanTarball() },
];

function nameTool(name: string): string {
	const requireFromTools = createRequire(join(findPlace('verification'), 'package.json'));
	const paths = requireFromTools.resolve.paths(name) ?? [];
	const file = paths.map((path) => join(path, name, 'package.json')).find(existsSync);
	if (file === undefined) throw new Finding(`${name} is not installed.`);
	return `${name} ${(JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version}`;
}

/** Every text that the editor shows of a node's parameters. */
function textsOf(properties: INodeProperties[]): string[] {
	return properties.flatMap((property) => [
		...[property.displayName, property.description, property.hint, property.placeholder].filter(
			(text) => text !== undefined,
		),
		...textsOf(
			(property.options ?? []).filter((option) => 'displayName' in option) as INodeProperties[],
		),
		...(property.options ?? []).flatMap((option) => [
			'name' in option ? option.name : '',
			'description' in option ? (option.description ?? '') : '',
		]),
	]);
}

const shown: Requirement[] = [
	{
		line: 'The README tells of use, credentials and example workflows',
		look: (packed) => {
			const text = readme(packed);
			const found = headings(text);
			const wanted = [/install/i, /credential/i, /example|read next/i, /first workflow/i];
			return demand(
				wanted.every((want) => found.some((heading) => want.test(heading))),
				found.join(' · '),
			);
		},
	},
	{
		line: 'The trigger has the whole life of a webhook, is called Trigger, and is no tool',
		look: () => {
			const [, { description, webhookMethods }] = nodesOf();
			const hooks = Object.keys(webhookMethods?.default ?? {});
			return demand(
				['checkExists', 'create', 'delete'].every((hook) => hooks.includes(hook)) &&
					[description.displayName, description.name].every((name) => name.endsWith('Trigger')) &&
					description.usableAsTool === undefined,
				`${description.displayName}: ${hooks.join(', ')}`,
			);
		},
	},
	{
		line: 'The node is usable as a tool',
		look: () => {
			const [{ description }] = nodesOf();
			return demand(description.usableAsTool !== undefined, description.displayName);
		},
	},
	{
		line: 'Each credential has a test, icons in both themes, and hides what is secret',
		look: () => {
			const tested = nodesOf().flatMap(({ description: { credentials = [] } }) =>
				credentials.filter(({ testedBy }) => testedBy).map(({ name }) => name),
			);
			return credentialsOf()
				.map(({ name, icon, test, properties }) => {
					const secret = properties.filter((field) => /token|secret/i.test(field.name));
					const open = secret.filter(({ typeOptions }) => !typeOptions?.password);
					return demand(
						(test !== undefined || tested.includes(name)) &&
							typeof icon === 'object' &&
							open.length === 0 &&
							secret.length > 0,
						`${name}: ${secret.map((field) => field.name).join(', ')} hidden, ${JSON.stringify(icon)}`,
					);
				})
				.join('\n    ');
		},
	},
	{
		line: 'A choice with a list begins with the list',
		look: () => {
			const names = nodesOf()
				.flatMap(({ description }) => description.properties)
				.filter(({ modes = [] }) => modes.some(({ type }) => type === 'list'))
				.filter((locator) => (locator.default as { mode?: string }).mode !== 'list')
				.map(({ name }) => name);
			const other = [...new Set(names)].filter((name) => !(name in WITHOUT_LIST_FIRST));
			const told = Object.entries(WITHOUT_LIST_FIRST).map(
				([name, why]) => `all but ${name}: ${why}`,
			);
			return demand(other.length === 0, (other.length > 0 ? other : told).join(', '));
		},
	},
	{
		line: 'An output of many fields can be simplified',
		look: () => {
			const [, { description }] = nodesOf();
			const output = description.properties.find(({ name }) => name === 'output');
			return demand(
				output !== undefined,
				`Trigger: ${output?.options?.map((option) => 'name' in option && option.name).join(', ')}`,
			);
		},
	},
	{
		line: 'Delete answers { "deleted": true }',
		look: ({ files, folder }) => {
			const previews = files.filter((file) => /__schema__\/.+\/delete\.json$/.test(file));
			const told = previews.map((file) =>
				readFileSync(join(folder, file), 'utf8').replace(/\s/g, ''),
			);
			return demand(
				told.length > 0 &&
					told.every((text) => text.includes('"properties":{"deleted":{"type":"boolean"}}')),
				previews.join(', '),
			);
		},
	},
	{
		line: 'No text in the editor says error, problem, failure or mistake, and all are in Latin letters',
		look: () => {
			const texts = nodesOf().flatMap(({ description: { properties } }) => textsOf(properties));
			const found = texts.filter(
				(text) =>
					FORBIDDEN_WORDS.test(text) || /\p{L}/u.test(text.replace(/\p{Script=Latin}/gu, '')),
			);
			return demand(found.length === 0, found.join(' · ') || `${texts.length} texts`);
		},
	},
];

/** What n8n's verification asks for: its published guidelines, and what reviewers have sent back to others. */
export const checklist: Requirement[] = [...manifest, ...code, ...shown];
