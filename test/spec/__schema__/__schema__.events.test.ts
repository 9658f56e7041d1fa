import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { documentedEvents } from '../../contract/document/events';
import { gateway } from '../../support/engineAndGateway';
import { compare, previewsOf, readPreview } from '../../support/previews';
import { publish } from '../../support/receiving';

const folder = previewsOf('v2.0.0');
const OUTPUTS = ['simplified', 'raw'];

/** What a published trigger puts out for every documented event, by its type. */
async function putOut(output: string): Promise<Map<string, IDataObject>> {
	const events = documentedEvents.map(({ type }) => type);
	const { receiver } = await publish({ output, chatTypes: [], events });
	for (const event of documentedEvents) gateway.emit(event);
	await gateway.drained();
	const items = receiver.executions.flat().map(({ json }) => json);
	return new Map(items.map((item) => [String(item.type), item]));
}

it('the previews are where n8n looks for them, for every documented event and both outputs', () => {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const events = OUTPUTS.flatMap((output) =>
		documentedEvents.map(({ type }) => join(output, `${type}.json`)),
	);
	expect(files.filter((file) => file.endsWith('.json')).sort()).toEqual(
		['output.json', ...events].sort(),
	);
});

it.each(OUTPUTS)(
	'with the output %s, every event puts out the fields of its preview, in their order',
	async (output) => {
		const items = await putOut(output);

		for (const { type } of documentedEvents) {
			const item = items.get(type) ?? {};
			const preview = readPreview(join(folder, output, `${type}.json`));
			expect(compare(item, preview, type, false)).toEqual([]);
			expect(Object.keys(item)).toEqual(Object.keys(preview.properties ?? {}));
		}
	},
);

it('if no output is chosen yet, one preview has the fields of all events', async () => {
	const preview = readPreview(join(folder, 'output.json'));
	const items = await putOut('simplified');

	expect(items.size).toBe(documentedEvents.length);
	for (const [type, item] of items) expect(compare(item, preview, type, false)).toEqual([]);
	const told = new Set([...items.values()].flatMap((item) => Object.keys(item)));
	expect(Object.keys(preview.properties ?? {}).sort()).toEqual([...told].sort());
});
