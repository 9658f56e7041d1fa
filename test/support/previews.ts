import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../lab/host/places';

/** What n8n shows of a node's output before anything has run. */
export interface Preview {
	type: string;
	properties?: Record<string, Preview>;
	items?: Partial<Preview>;
}

/** Where n8n looks for the previews of one version of the package's nodes. */
export const previewsOf = (version: 'v1.0.0' | 'v2.0.0') =>
	join(projectFolder, 'nodes', 'MessagingGateway', '__schema__', version);

export const readPreview = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Preview;

function typeOf(value: unknown): string {
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/**
 * Where a value is not as its preview says.
 * @param isOpen whether it may hold more than the preview shows
 */
export function compare(
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
