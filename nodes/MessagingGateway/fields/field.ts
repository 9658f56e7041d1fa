import type { INodeProperties } from 'n8n-workflow';

/** Facts about a value that its reader may need. */
export interface ParseContext {
	/** The mode of a resource locator. */
	mode?: string;
	/** The credential's *Default Country*, as `readPhone` takes it. */
	defaultCountry: string;
}

/** A parameter of the node that knows its place in the request. n8n's own properties of a field are given as usual. */
export type Field = INodeProperties & {
	/** Left out if only `perform` reads the value. */
	in?: 'body' | 'query' | 'path';
	/** Its name there, or a name that the credential replaces (assumptions A3, A4); the parameter's if left out. */
	as?: string;
	/** Turns the typed value into the one that is sent. It throws if the value cannot be used. */
	parse?: (value: unknown, context: ParseContext) => unknown;
};

type NamedField = Pick<Field, 'displayName' | 'name'> & Partial<Field>;

/** n8n's own part of a field. */
export function toProperty(field: Field): INodeProperties {
	const property = { ...field };
	delete property.in;
	delete property.as;
	delete property.parse;
	return property;
}

/** A required text of the body, unless the field says otherwise. It goes out exactly as given. */
export function textField({ displayName, name, ...others }: NamedField): Field {
	return { displayName, name, type: 'string', default: '', required: true, in: 'body', ...others };
}

/** A switch, off by default. */
export function flagField({ displayName, name, ...others }: NamedField): Field {
	return { displayName, name, type: 'boolean', default: false, ...others };
}
