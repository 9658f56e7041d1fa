import type { INodeProperties } from 'n8n-workflow';

export interface ParseContext {
	/** The mode of a resource locator, e.g. `phone`. */
	mode?: string;
	/**
	 * The country of numbers without `+`, as `readPhone` takes it: that of the item's option *Country*,
	 * or else the credential's *Default Country*.
	 */
	defaultCountry: string;
}

/** A parameter of the node, with its place in the request. */
export type Field = INodeProperties & {
	in?: 'body' | 'query' | 'path';
	/** The name there, or the credential's field that holds it; the parameter's name if left out. */
	as?: string | { override: string };
	/** Whether the value is a list: an array, also as JSON, or a text with commas. */
	isList?: boolean;
	parse?: (value: unknown, context: ParseContext) => unknown;
};

export type NamedField = Pick<Field, 'displayName' | 'name'> & Partial<Field>;
