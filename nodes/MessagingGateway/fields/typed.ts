import type { IDataObject, INodePropertyTypeOptions } from 'n8n-workflow';
import { isObject } from '../api/answer';
import { quote } from '../api/plainText';

/**
 * Yes or no, also as the text that a spreadsheet or a language model writes: the text "false" is not yes.
 *
 * @throws Error in a person's words if it is neither
 */
export function readFlag(value: unknown): boolean {
	const text = String(value).trim().toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	throw new Error(`${quote(value)} is neither true nor false. Check the expression of the switch.`);
}

/**
 * The values in an array, in a text that separates them by commas, or in both: as the editor stores them, as
 * people type them and as expressions give them. What is neither text nor number is no value.
 */
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
export function readEvents(chosen: unknown, custom: unknown): string[] {
	return [...new Set([...splitCommas(chosen), ...splitCommas(custom)])];
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

/**
 * The fields of a group that appears once, which n8n keeps one level deeper: `{ values: { … } }`.
 *
 * @param name as a person sees it
 * @throws Error in a person's words if the value is no such group: whoever writes one by hand may mean anything
 */
export function readGroup(value: unknown, name: string): IDataObject {
	const fields = isObject(value) ? (value.values ?? {}) : undefined;
	if (isObject(fields)) return fields;
	throw new Error(`${name} holds no group of fields. Remove it, and add it again in the editor.`);
}

/** The bounds of a number field. */
interface Bounds {
	from: number;
	to: number;
	isWhole?: boolean;
}

/** What keeps a number field within its bounds: what somebody types in the editor, and what an expression gives. */
export function bounded(
	name: string,
	bounds: Bounds,
): { typeOptions: INodePropertyTypeOptions; clean: (value: unknown) => number } {
	return {
		typeOptions: { minValue: bounds.from, maxValue: bounds.to },
		clean: readNumber(name, bounds),
	};
}

/**
 * Reads a number within the bounds that the editor keeps to and an expression does not.
 *
 * @returns what throws an Error in a person's words for any other value
 */
function readNumber(
	name: string,
	{ from, to, isWhole = false }: Bounds,
): (value: unknown) => number {
	return (value) => {
		const isText = typeof value === 'string' && value.trim() !== '';
		const number = isText || typeof value === 'number' ? Number(value) : NaN;
		if (number >= from && number <= to && (!isWhole || Number.isInteger(number))) return number;
		throw new Error(
			`${quote(value)} cannot be ${name}. Enter a ${isWhole ? 'whole number' : 'number'} from ${from} to ${to}, or remove the option.`,
		);
	};
}
