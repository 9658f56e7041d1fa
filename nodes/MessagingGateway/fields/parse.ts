import type { IDataObject } from 'n8n-workflow';
import { quote } from '../gateway/plainText';
import { isObject } from '../json';

/**
 * Reads a switch, also from the text that a spreadsheet or a language model writes: the text "false" is not yes.
 *
 * @throws {Error} if the value is neither true nor false
 */
export function parseFlag(value: unknown): boolean {
	const text = String(value).trim().toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	throw new Error(`${quote(value)} is neither true nor false. Check the expression of the switch.`);
}

/** The values in an array, in a text with commas, or in both. A value that is neither text nor number is left out. */
export function splitCommas(values: unknown): string[] {
	return [values]
		.flat()
		.flatMap((part) =>
			typeof part === 'string' || typeof part === 'number' ? String(part).split(',') : [],
		)
		.map((value) => value.trim())
		.filter((value) => value !== '');
}

/** The chosen event types and the custom ones, each once. */
export function parseEvents(chosen: unknown, custom: unknown): string[] {
	return [...new Set([...splitCommas(chosen), ...splitCommas(custom)])];
}

/**
 * The fields of a group that appears once, which n8n keeps one level deeper: `{ values: { … } }`.
 *
 * @throws {Error} if it is empty or no group: a workflow that was written by hand can hold anything
 */
export function parseGroup(value: unknown, name: string): IDataObject {
	const fields = isObject(value) ? value.values : undefined;
	if (isObject(fields)) return fields;
	throw new Error(
		`'${name}' holds no values. Remove it, or write it as { "values": { … } } with its fields.`,
	);
}
