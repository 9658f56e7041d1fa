/** Thrown for what cannot be a phone number. The message says what is wrong and what to do, in words for the person who typed it. */
export class PhoneNotUsable extends Error {
	override readonly name = 'PhoneNotUsable';
}

type Rule = [matches: RegExp, advice: string];

const EXAMPLE = 'e.g. +55 11 98765-4321';

/**
 * Judged on the text as typed. The order matters: the first rule that matches gives the advice, so a
 * network address is named as such before its letters are.
 */
const TEXT_RULES: Rule[] = [
	[/^$/u, `The phone number is empty. Enter it with its country code, ${EXAMPLE}`],
	[
		/@/u,
		'An address with "@" is an ID, not a phone number. Choose "By ID" and enter it there exactly as received',
	],
	[
		/^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/iu,
		'A spreadsheet has shortened this number, so its last digits are lost. Format the column as plain text and enter the number in full',
	],
	// Taking this dot for formatting would append a digit and reach somebody else.
	[
		/^\+?\d{7,15}[.,]0+$/u,
		'The number ends in decimals, as spreadsheets write them. Remove them, or format the column as plain text',
	],
	[
		/[;,/|&\r\n\t]/u,
		'This looks like more than one number. Enter one number, and use one item for each recipient',
	],
	[
		/#|(?<!\p{L})(?:ramal|ext|x\.?\s*\d)/iu,
		'An extension cannot receive messages. Enter the number without it',
	],
	[/\p{L}/u, 'A phone number has no letters. Enter digits only, with the country code first'],
	// "+44 (0)20 …": the zero is dialled inside the country only, and kept it makes another number.
	[/[([]\s*0/u, 'The zero in brackets is not part of the international number. Leave it out'],
];

const FORMATTING = /[\p{Zs}\p{Cf}\p{Pd}\u2212.()[\]]/gu;

/** Judged once the formatting is gone. */
const COMPACT_RULES: Rule[] = [
	[
		/[^+\d]/u,
		'A phone number has digits, spaces, dots, dashes and brackets, with at most a "+" in front. Remove everything else',
	],
	[
		/\+.*\+/u,
		'This looks like more than one number. Enter one number, and use one item for each recipient',
	],
	[/.\+/u, 'The "+" belongs in front of the number'],
	// A prefix for dialling abroad is not formatting: it is 00 in many countries, 011 or 0014 in others.
	[/^\+?00/u, 'The number begins with the prefix for dialling abroad. Replace 00 with "+"'],
	[/^\+?0/u, `No country code begins with 0. Enter the number as dialled from abroad, ${EXAMPLE}`],
	[
		/^\+?\d{0,6}$/u,
		`The number is too short. Enter it with its country code and area code, ${EXAMPLE}`,
	],
	[
		/^\+?550/u,
		'After 55 comes the area code without a zero or a carrier code in front of it, as in +55 11',
	],
	[/^\+?\d{16}/u, 'The number is too long: the longest have 15 digits. Enter one number only'],
	// North American area codes begin with 2 to 9, so this is a number of São Paulo without its 55.
	[
		/^\+?1[01]/u,
		'No number begins with +10 or +11. Enter the country code first; for Brazil that is 55',
	],
];

/**
 * Reads what a person typed, or a spreadsheet holds, as a phone number ("Identifiers" in the API document:
 * E.164, with or without `+`, spaces or formatting).
 *
 * Takes away formatting and nothing else: no digit is ever added, removed or replaced. Whether the number
 * is in service is for the network to say.
 *
 * @param text the number as text, or as a whole number from a spreadsheet cell
 * @returns 7 to 15 digits, country code first, without `+`
 * @throws {PhoneNotUsable} when it cannot be a phone number
 */
export function readPhone(text: unknown): string {
	const typed = toText(text);
	refuse(typed, typed, TEXT_RULES);
	const compact = typed.replace(FORMATTING, '');
	refuse(compact, typed, COMPACT_RULES);
	return compact.replace('+', '');
}

function toText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	if (value === undefined || value === null) return '';
	if (typeof value !== 'number') {
		throw new PhoneNotUsable(
			`A phone number is text, but this is ${Array.isArray(value) ? 'a list' : `of type ${typeof value}`}. Choose the field that holds one number`,
		);
	}
	if (!Number.isSafeInteger(value) || value < 0) {
		throw new PhoneNotUsable(
			`${value} is not a whole number of at most 15 digits, so digits may be lost. Keep phone numbers as text`,
		);
	}
	return String(value);
}

function refuse(judged: string, typed: string, rules: Rule[]): void {
	const broken = rules.find(([matches]) => matches.test(judged));
	if (!broken) return;
	const shown = typed.length > 40 ? `${typed.slice(0, 40)}…` : typed;
	throw new PhoneNotUsable(
		shown === '' ? broken[1] : `"${shown}" cannot be used as a phone number. ${broken[1]}`,
	);
}
