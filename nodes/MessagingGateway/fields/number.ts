import { quote } from '../api/plainText';
import type { Field } from './field';

/**
 * Reads a number within the bounds that the editor keeps to and an expression does not.
 *
 * @returns what can be a field's `clean`, which throws an Error in a person's words
 */
export function readNumber(
	name: string,
	{ from, to, isWhole = false }: { from: number; to: number; isWhole?: boolean },
): NonNullable<Field['clean']> {
	return (value) => {
		const isText = typeof value === 'string' && value.trim() !== '';
		const number = isText || typeof value === 'number' ? Number(value) : NaN;
		if (number >= from && number <= to && (!isWhole || Number.isInteger(number))) return number;
		throw new Error(
			`${quote(value)} cannot be ${name}. Enter a ${isWhole ? 'whole number' : 'number'} from ${from} to ${to}, or remove the option.`,
		);
	};
}
