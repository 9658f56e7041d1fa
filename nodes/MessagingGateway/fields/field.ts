import type { IDataObject, INodeProperties } from 'n8n-workflow';

/**
 * A parameter of the node that knows its place in the request. What n8n itself knows of a property may be
 * given as usual; the rest says where the value goes.
 */
export type Field = INodeProperties & {
	/** Where the value goes; a field without a place is only read by `perform`. */
	in?: 'body' | 'query' | 'path';
	/** Its name there, where it differs from the parameter's; the person's options may decide. */
	as?: string | ((options: IDataObject) => string);
	/** What to tell a person who lets the model of an agent fill it in. */
	modelAdvice?: string;
	/**
	 * Turns what was typed into what is sent.
	 * @throws Error in a person's words if it cannot be used
	 */
	clean?: (value: unknown, mode?: string) => unknown;
};

/** n8n's own part of a field. */
export function toProperty(field: Field): INodeProperties {
	const property = { ...field };
	delete property.in;
	delete property.as;
	delete property.clean;
	delete property.modelAdvice;
	return property;
}
