import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { askingCalls, documentedCalls, webhookCalls } from '../../contract/document';
import { engine, gateway } from '../../support/engineAndGateway';
import { compare, previewsOf, readPreview } from '../../support/previews';
import { runOperation } from '../../support/runOperation';

const folder = previewsOf('v1.0.0');
const fileOf = (resource: string, operation: string) => join(folder, resource, `${operation}.json`);

describe('output previews', () => {
	it('are in the folder that n8n reads, each of an operation', () => {
		const calls = [...documentedCalls, ...webhookCalls('wh_1'), ...askingCalls];
		const known = new Set(
			calls.map(({ resource, operation }) => join(resource, `${operation}.json`)),
		);
		const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
			file.endsWith('.json'),
		);
		expect(files.filter((file) => !known.has(file))).toEqual([]);
	});

	// The API document does not show what every operation puts out.
	const previewed = documentedCalls.filter(({ resource, operation }) =>
		existsSync(fileOf(resource, operation)),
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
