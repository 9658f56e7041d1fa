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
