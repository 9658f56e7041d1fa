import type { INodePropertyTypeOptions } from 'n8n-workflow';
import { quote } from '../api/plainText';

/** The bounds of a number field. */
export interface Bounds {
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
