import { splitCommas } from './commas';
import type { Field } from './field';

/** A required id that the service gave out, passed on exactly as given. */
export function idField({
	displayName,
	name,
	...others
}: Pick<Field, 'displayName' | 'name' | 'placeholder' | 'description'> & Partial<Field>): Field {
	return { displayName, name, type: 'string', default: '', required: true, in: 'body', ...others };
}

/**
 * The ids in an array, in a comma-separated text or in both (API document, "groups").
 *
 * @throws Error in a person's words if there is none
 */
export function readIds(value: unknown): string[] {
	const ids = splitCommas(value);
	if (ids.length === 0) {
		throw new Error(
			'No group is chosen. Choose at least one, or use an expression that gives their IDs.',
		);
	}
	return ids;
}
