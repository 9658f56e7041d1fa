import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = join(__dirname, '..', '..', 'nodes', 'MessagingGateway');

/** Folders and files that each part may import, beside its own. */
const ALLOWED: Record<string, string[]> = {
	'MessagingGateway.node': ['action', 'operations', 'question', 'gateway', 'editor'],
	'MessagingGatewayTrigger.node': [
		'trigger/delivery',
		'trigger/webhook',
		'trigger/settings',
		'gateway',
		'editor',
	],
	action: ['operations', 'fields', 'gateway', 'n8n', 'values'],
	operations: ['question', 'fields', 'gateway', 'n8n', 'values'],
	'trigger/delivery': [
		'trigger/webhook',
		'trigger/settings',
		'question/takeAnswer',
		'incoming',
		'gateway',
		'n8n',
		'values',
	],
	'trigger/webhook': ['trigger/settings', 'gateway', 'n8n', 'values'],
	'trigger/settings': ['incoming', 'fields', 'gateway', 'n8n', 'values'],
	question: ['incoming', 'gateway', 'n8n', 'values'],
	incoming: ['gateway', 'libraries', 'n8n', 'values'],
	fields: ['gateway', 'libraries', 'values'],
	editor: ['gateway', 'values'],
	gateway: ['libraries', 'n8n', 'values'],
	n8n: ['values'],
	values: ['libraries'],
	libraries: [],
};

/** A folder, or a file beside the folders; in `trigger/` a folder of its own. */
const partOf = (path: string) =>
	path
		.split('/')
		.slice(0, path.startsWith('trigger/') ? 2 : 1)
		.join('/');

function readImports(file: string): string[] {
	const source = readFileSync(join(ROOT, file), 'utf8');
	return [...source.matchAll(/ from '(\.[^']*)'/g)].map(([, path]) =>
		relative(ROOT, resolve(ROOT, dirname(file), path)),
	);
}

it('imports of the nodes run downwards', () => {
	const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) =>
		file.endsWith('.ts'),
	);
	const upwards = files.flatMap((file) => {
		const part = partOf(file.replace(/\.ts$/, ''));
		const isAllowed = (path: string) =>
			partOf(path) === part ||
			ALLOWED[part]?.some((allowed) => path === allowed || partOf(path) === allowed);
		return readImports(file)
			.filter((path) => !isAllowed(path))
			.map((path) => `${file} imports ${path}`);
	});
	expect(files.length).toBeGreaterThan(50);
	expect(upwards).toEqual([]);
});
