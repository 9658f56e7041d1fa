import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ItemFile } from '../api/upload';

/** What a field may have to know of the item that it is filled in for. */
export interface ItemReader {
	/** What the instance credential says of *Default Country*. */
	readDefaultCountry(): Promise<unknown>;
	/**
	 * The file in a binary field, not yet read.
	 *
	 * @throws Error in a person's words if there is none
	 */
	findFile(field: unknown): Promise<ItemFile>;
}

/**
 * A parameter of the node that knows its place in the request. What n8n itself knows of a property may be
 * given as usual; the rest says where the value goes.
 */
export type Field = INodeProperties & {
	/** Where the value goes; a field without a place is only read by `perform`. */
	in?: 'body' | 'query' | 'path';
	/** Its name there, where it differs from the parameter's. */
	as?: string;
	/** The option by which a person names it there, where the API document does not: its default is the guess. */
	guessOption?: Field;
	/** What to tell a person who lets the model of an agent fill it in. */
	modelAdvice?: string;
	/**
	 * Turns what was typed into what is sent.
	 * @param mode of a resource locator
	 * @throws Error in a person's words if it cannot be used
	 */
	clean?: (value: unknown, mode: string | undefined, item: ItemReader) => unknown;
};

/** The name that a person gave by such an option, or the guess. */
export function chooseName({ name, default: guess }: Field, options: IDataObject): string {
	return String(options[name] || guess);
}

/** n8n's own part of a field. */
export function toProperty(field: Field): INodeProperties {
	const property = { ...field };
	delete property.in;
	delete property.as;
	delete property.guessOption;
	delete property.clean;
	delete property.modelAdvice;
	return property;
}

/** A required id that the service gave out, passed on exactly as given. */
export function idField({
	displayName,
	name,
	...others
}: Pick<Field, 'displayName' | 'name' | 'placeholder' | 'description'> & Partial<Field>): Field {
	return { displayName, name, type: 'string', default: '', required: true, in: 'body', ...others };
}
