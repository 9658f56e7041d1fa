import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = join(__dirname, '..', '..', 'nodes', 'MessagingGateway');

/** Folders and files that each part may import, beside its own. */
const ALLOWED: Record<string, string[]> = {
	'MessagingGateway.node': ['action', 'operations', 'question', 'gateway', 'builderHints'],
	'MessagingGatewayTrigger.node': [
		'trigger/delivery',
		'trigger/webhook',
		'trigger/settings',
		...['gateway', 'builderHints'],
	],
	action: ['operations', 'fields', 'gateway', 'agent', 'phone', 'processState', 'json', 'waits'],
	operations: ['question', 'fields', 'gateway', 'agent', 'phone', 'json'],
	'trigger/delivery': [
		...['trigger/webhook', 'trigger/settings', 'question/knownQuestions', 'incoming', 'gateway'],
		...['phone', 'processState', 'json', 'waits'],
	],
	'trigger/webhook': ['trigger/settings', 'gateway', 'processState', 'waits'],
	'trigger/settings': ['incoming', 'fields', 'gateway', 'phone', 'json'],
	question: ['incoming', 'gateway', 'phone', 'fold', 'processState', 'json', 'waits'],
	incoming: ['gateway', 'libraries', 'processState', 'json', 'waits'],
	fields: ['gateway', 'phone', 'libraries', 'json'],
	gateway: ['libraries', 'json'],
	agent: [],
	builderHints: [],
	json: [],
	waits: [],
	phone: ['libraries', 'fold'],
	fold: [],
	processState: [],
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
