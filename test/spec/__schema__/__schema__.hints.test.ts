import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { previewsOf, readPreview } from '../../support/previews';

const HINTS = ['content', 'propertyHint', 'searchHint'];

/** Outputs of the action that nobody would guess. */
const UNOBVIOUS =
	/^(message\/(sendText|sendAndWait|getPollResults)|community\/addGroups|phoneNumber\/normalize)\.json$/;

/** *Raw* is the gateway's own event: hints name some of its fields. */
const BESIDE_DATA = /^(?!data\.)/;

/** The fields of previews, and those one level below `data`. */
function listPreviewed(version: 'v1.0.0' | 'v2.0.0', which: RegExp): Set<string> {
	const folder = previewsOf(version);
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const previews = files
		.filter((file) => which.test(file))
		.map((file) => readPreview(join(folder, file)));
	return new Set(
		previews.flatMap(({ properties = {} }) => [
			...Object.keys(properties),
			...Object.keys(properties.data?.properties ?? {}).map((name) => `data.${name}`),
		]),
	);
}

/** The output fields that the hints for a model name: those in backquotes. */
function listHinted(description: INodeTypeDescription): Set<string> {
	const fields = new Set<string>();
	JSON.stringify(description, (key, value: unknown) => {
		if (HINTS.includes(key) && typeof value === 'string')
			for (const [, field] of value.matchAll(/`([^`]+)`/g)) fields.add(field);
		return value;
	});
	return fields;
}

it.each([
	{
		name: 'the action',
		node: new MessagingGateway(),
		version: 'v1.0.0',
		which: UNOBVIOUS,
		required: /./,
	},
	{
		name: 'the trigger',
		node: new MessagingGatewayTrigger(),
		version: 'v2.0.0',
		which: /\.json$/,
		required: BESIDE_DATA,
	},
] as const)(
	'the hints of $name name the fields of its previews, and no others',
	({ node, version, which, required }) => {
		const hinted = listHinted(node.description);
		const previewed = [...listPreviewed(version, which)];
		expect([...hinted].filter((name) => !previewed.includes(name))).toEqual([]);
		expect(previewed.filter((name) => required.test(name) && !hinted.has(name))).toEqual([]);
	},
);
