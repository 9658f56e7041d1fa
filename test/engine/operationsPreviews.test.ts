import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentedCalls, webhookCalls } from '../oracle/document';
import { PACKAGE_ROOT } from './engine';
import { runOperation } from './operations';
import { engine, gateway } from './stage';

interface Preview {
	type: string;
	properties?: Record<string, Preview>;
	items?: Partial<Preview>;
}

const folder = join(PACKAGE_ROOT, 'dist', 'nodes', 'MessagingGateway', '__schema__', 'v1.0.0');
const fileOf = (resource: string, operation: string) => join(folder, resource, `${operation}.json`);
const readPreview = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Preview;

/** The API document does not show what these put out. */
const UNKNOWN = ['api.request', 'instance.getAll'];

function typeOf(value: unknown): string {
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Where a value is not as its preview says; a list operation's elements may hold more than the document shows. */
function compare(
	value: unknown,
	preview: Partial<Preview>,
	path: string,
	isOpen: boolean,
): string[] {
	if (value === null || preview.type === undefined) return [];
	if (typeOf(value) !== preview.type)
		return [`${path} is of type ${typeOf(value)}, not ${preview.type}`];
	if (Array.isArray(value)) {
		return value.flatMap((element, index) =>
			compare(element, preview.items ?? {}, `${path}[${index}]`, isOpen),
		);
	}
	const { properties } = preview;
	// An object without known names holds whatever it is a map of.
	if (properties === undefined || Object.keys(properties).length === 0) return [];
	const untold = Object.keys(value as object).filter((name) => !(name in properties) && !isOpen);
	const wrong = Object.entries(properties).flatMap(([name, inner]) => {
		const held = (value as Record<string, unknown>)[name];
		return held === undefined ? [] : compare(held, inner, `${path}.${name}`, isOpen);
	});
	return [...untold.map((name) => `${path}.${name} is not in the preview`), ...wrong];
}

describe('output previews', () => {
	it('lie where n8n looks for them, one for every operation whose output is known', () => {
		const calls = [...documentedCalls, ...webhookCalls('wh_1')];
		const missing = calls
			.filter(({ resource, operation }) => !existsSync(fileOf(resource, operation)))
			.map(({ resource, operation }) => `${resource}.${operation}`);
		expect([...new Set(missing)].sort()).toEqual(UNKNOWN);

		const known = new Set(
			calls.map(({ resource, operation }) => join(resource, `${operation}.json`)),
		);
		const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
			file.endsWith('.json'),
		);
		expect(files.filter((file) => !known.has(file))).toEqual([]);
	});

	const previewed = documentedCalls.filter(
		({ resource, operation }) => !UNKNOWN.includes(`${resource}.${operation}`),
	);

	it.each(
		previewed.map((call) => [`${call.resource}.${call.operation}`, call.title, call] as const),
	)('%s, %s: puts out what its preview shows', async (_name, _title, call) => {
		const { items } = await runOperation(engine, gateway, call);
		const preview = readPreview(fileOf(call.resource, call.operation));
		const isList = call.operation === 'getAll';
		expect(items.flatMap(({ json }) => compare(json, preview, 'output', isList))).toEqual([]);
		const names = Object.keys(preview.properties ?? {});
		for (const { json } of items) expect(Object.keys(json)).toEqual(expect.arrayContaining(names));
	});

	const existing = webhookCalls('any').map(
		({ operation, title }, index) => [operation, title, index] as const,
	);

	it.each(existing)(
		'webhook.%s, %s: puts out what its preview shows',
		async (_name, _title, index) => {
			const { id } = gateway.createWebhook({
				url: 'https://example.com/receiver',
				events: ['MESSAGE.SENT'],
			});
			const call = webhookCalls(id)[index];
			const { items } = await runOperation(engine, gateway, call);
			const preview = readPreview(fileOf(call.resource, call.operation));
			expect(items).toHaveLength(1);
			expect(compare(items[0].json, preview, 'output', false)).toEqual([]);
		},
	);
});
