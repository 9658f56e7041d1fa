import { adviseOnBracketedZero } from './writing';

/** Thrown for what cannot be a phone number. The message says what is wrong and what to do, in words for the person who typed it. */
export class PhoneNotUsable extends Error {
	override readonly name = 'PhoneNotUsable';
}

/** What must not be, and what to do about it. */
export type Rule = [matches: RegExp, advice: string];

export const EXAMPLE = 'e.g. +55 11 98765-4321';

/** `0xx21`: whoever dials puts a carrier's code in place of `xx`. */
const CARRIER_PLACE = /^[\s([]{0,3}0[\s([]{0,3}(?:xx|\*\*)/iu;

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
		/0[\s([]{0,3}xx/iu,
		'"0xx" stands for 0 and a carrier’s code, which are dialled inside Brazil only. Leave it out',
	],
	[
		/#|(?<!\p{L})(?:ramal|ext|x\.?\s*\d)/iu,
		'An extension cannot receive messages. Enter the number without it',
	],
	[/\p{L}/u, 'A phone number has no letters. Enter digits only, with the country code first'],
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
	[/^\+0/u, `No country code begins with 0. Enter the number as dialled from abroad, ${EXAMPLE}`],
	[
		/^\+550|^550\d{9}/u,
		'After 55 comes the area code without a zero or a carrier code in front of it, as in +55 11',
	],
	[/^\+?\d{16}/u, 'The number is too long: the longest have 15 digits. Enter one number only'],
];

/** What is left of a number once its formatting is gone. */
interface Stripped {
	/** As it was typed, to quote it. */
	typed: string;
	digits: string;
	hasPlus: boolean;
}

/**
 * Takes the formatting off what a person typed, or a spreadsheet holds, and not a single digit.
 *
 * @param value text, or a whole number from a spreadsheet cell
 * @throws {PhoneNotUsable} when it cannot be a phone number, however its digits are read
 */
export function strip(value: unknown): Stripped {
	const typed = toText(value);
	const text = typed.replace(CARRIER_PLACE, '0');
	refuseBy(text, typed, TEXT_RULES);
	const onZero = adviseOnBracketedZero(text);
	if (onZero !== undefined) refuseNumber(typed, onZero);
	const compact = text.replace(FORMATTING, '');
	refuseBy(compact, typed, COMPACT_RULES);
	return { typed, digits: compact.replace('+', ''), hasPlus: compact.startsWith('+') };
}

/** Throws the advice of the first rule that matches. */
export function refuseBy(judged: string, typed: string, rules: Rule[]): void {
	const broken = rules.find(([matches]) => matches.test(judged));
	if (broken) refuseNumber(typed, broken[1]);
}

/** Says why a number cannot be used, quoting it. */
export function refuseNumber(typed: string, reason: string): never {
	const shown = typed.length > 40 ? `${typed.slice(0, 40)}…` : typed;
	throw new PhoneNotUsable(
		shown === '' ? reason : `"${shown}" cannot be used as a phone number. ${reason}`,
	);
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
