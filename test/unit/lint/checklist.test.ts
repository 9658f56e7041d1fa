import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { checklist, type PackedPackage } from '../../../tools/release/checklist';
import { Finding } from '../../../tools/verification/command';

// What n8n's verification asks of a package, as `npm run release:check` looks at it: each line objects to what it is for.

type Manifest = PackedPackage['manifest'] & Record<string, unknown>;

const workbench = mkdtempSync(join(tmpdir(), 'checklist-'));

afterAll(() => {
	rmSync(workbench, { recursive: true, force: true });
});

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');
const manifest: Manifest = {
	...(JSON.parse(read('package.json')) as Manifest),
	// Before a release its version is not in the changelog yet.
	version: /^## \[(.+?)\]/m.exec(read('CHANGELOG.md'))?.[1] ?? '',
};
const preview = (name: string) => `{"type":"object","properties":{"${name}":{"type":"boolean"}}}`;
const DELETE = 'dist/nodes/MessagingGateway/__schema__/v1.0.0/webhook/delete.json';

/** The files of a package that is as it should be. */
const files: Record<string, string> = {
	'README.md': read('README.md'),
	'LICENSE.md': 'MIT',
	'dist/THIRD-PARTY-LICENSES.txt': 'standardwebhooks 1.0.0 (MIT)\n',
	[DELETE]: preview('deleted'),
	...Object.fromEntries(
		[...manifest.n8n.nodes, ...manifest.n8n.credentials].map((file) => [
			file,
			'const n8n = require("n8n-workflow");',
		]),
	),
};

/** A package on disk that differs from a good one in this. */
function pack(
	changes: { manifest?: object; files?: Record<string, string | undefined> } = {},
): PackedPackage {
	const folder = mkdtempSync(join(workbench, 'package-'));
	const all = Object.entries({ ...files, ...changes.files }).flatMap(([file, content]) =>
		content === undefined ? [] : [{ file, content }],
	);
	for (const { file, content } of all) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		writeFileSync(join(folder, file), content);
	}
	return {
		folder,
		files: all.map(({ file }) => file),
		manifest: { ...manifest, ...changes.manifest },
	};
}

async function lookAt(line: string, packed: PackedPackage): Promise<string> {
	const requirement = checklist.find((each) => each.line.startsWith(line));
	if (requirement === undefined) throw new Error(`No line begins with ${line}.`);
	return await requirement.look(packed);
}

const code = (text: string) => ({ files: { [manifest.n8n.nodes[0]]: text } });

const bad: Array<[line: string, what: string, changes: Parameters<typeof pack>[0]]> = [
	['Licence MIT', 'another licence', { manifest: { license: 'UNLICENSED' } }],
	['Licence MIT', 'no text of it', { files: { 'LICENSE.md': undefined } }],
	['A public repository', 'an author without email', { manifest: { author: { name: 'Ana' } } }],
	['A public repository', 'no homepage', { manifest: { homepage: '' } }],
	['Named n8n-nodes', 'another name', { manifest: { name: 'messaging-gateway' } }],
	['Named n8n-nodes', 'a name that only ends so', { manifest: { name: 'my-n8n-nodes-bread' } }],
	['Named n8n-nodes', 'no keyword of n8n', { manifest: { keywords: ['n8n'] } }],
	[
		'Nodes and credentials',
		'a node outside of dist',
		{ manifest: { n8n: { nodes: ['nodes/A.node.js'], credentials: [] } } },
	],
	[
		'Nodes and credentials',
		'a node that is not there',
		{ manifest: { n8n: { nodes: ['dist/A.node.js'], credentials: [] } } },
	],
	['Asks for nothing', 'a dependency', { manifest: { dependencies: { axios: '1' } } }],
	['Asks for nothing', 'overrides', { manifest: { overrides: { axios: '1' } } }],
	...['bundledDependencies', 'optionalDependencies'].map((field): (typeof bad)[number] => [
		'Asks for nothing',
		field,
		{ manifest: { [field]: { axios: '1' } } },
	]),
	...['preinstall', 'install', 'postinstall', 'prepare'].map((name): (typeof bad)[number] => [
		'Asks for nothing',
		`the script ${name}`,
		{ manifest: { scripts: { [name]: 'node run.js' } } },
	]),
	[
		'Asks for nothing',
		'a pinned peer',
		{ manifest: { peerDependencies: { 'n8n-workflow': '^2' } } },
	],
	['Nothing in the package', 'a file that nobody needs', { files: { 'dist/.env': 'TOKEN=1' } }],
	['The licence of every', 'a list of none', { files: { 'dist/THIRD-PARTY-LICENSES.txt': '' } }],
	['The version stands', 'an unknown version', { manifest: { version: '99.0.0' } }],
	['Imports nothing', 'a library', code('const axios = require("axios");')],
	['Imports nothing', 'a library on demand', code('await import("axios");')],
	['No environment', 'a repeated timer', code('setInterval(() => {}, 1);')],
	['No environment', 'its place', code('require(__dirname.concat("/a"));')],
	['No environment', 'the environment', code('const home = process.env.HOME;')],
	['No environment', 'a timer', code('setTimeout(() => {}, 1);')],
	['No environment', 'a global', code('globalThis.held = 1;')],
	['No environment', 'the file system', code('const fs = require("fs");')],
	['The README tells', 'a README without credentials', { files: { 'README.md': '# Install' } }],
	['Delete answers', 'another answer', { files: { [DELETE]: preview('success') } }],
];

it.each([...new Set(bad.map(([line]) => line))])('%s…: a good package passes', async (line) => {
	await expect(lookAt(line, pack())).resolves.toEqual(expect.any(String));
});

it.each(bad)('%s…: %s is noticed', async (line, _what, changes) => {
	await expect(lookAt(line, pack(changes))).rejects.toThrow(Finding);
});

it('what a comment says is nothing that the code does', async () => {
	const commented = code('/* process.env.HOME\n setTimeout() */\n\t// globalThis.held\nlet a;');
	await expect(lookAt('No environment', pack(commented))).resolves.toBe('none');
});
