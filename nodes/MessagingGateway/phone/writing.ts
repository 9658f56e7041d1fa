import { AREA_CODES } from './brazil';
import { COUNTRIES } from './countries';

/** The longest number that is written with its area code in brackets and nothing in front of them. */
const LONGEST_INSIDE = 11;

const BRACKETS_FIRST = /^ ?[([]/u;
/** `98765-4321`, with at most an area code before it. */
const HYPHENATED = /^ ?(?:\d\d)?[ .-]{0,3}(?:9[ .-]?)?\d{4,5}-\d{4}$/u;
/** `98765 4321`, grouped as in Brazil only. */
const GROUPED_BY_FIVE = /^ ?(?<areaCode>\d\d)?[ .-]{0,3}9[ .-]?\d{4}[ .]\d{4}$/u;
const TWO_DIGITS_IN_BRACKETS = /^ ?[([] ?\d\d ?[)\]]/u;
const IN_THREE_GROUPS = /^ ?\d\d[ .-]{1,3}\d{4,5}[ .]\d{4}$/u;
const NORTH_AMERICAN = /^ ?[2-9]\d\d-[2-9]\d\d-\d{4}$/u;

/**
 * Whether a number without `+` looks as numbers do inside a country, where nobody writes the country code. What
 * can as well be a whole number of another country does not count.
 *
 * @param digits the number without formatting
 */
export function isWrittenInside(typed: string, digits: string): boolean {
	if (digits.startsWith('0')) return true;
	if (digits.length > LONGEST_INSIDE) return false;
	const shape = simplify(typed);
	return BRACKETS_FIRST.test(shape) || isHyphenated(shape) || NORTH_AMERICAN.test(shape);
}

/** Whether somebody in Brazil may have written it, as far as its formatting tells. */
export function mayBeBrazilian(typed: string, digits: string): boolean {
	const shape = simplify(typed);
	return (
		digits.startsWith('0') ||
		/^\d*$/u.test(shape) ||
		TWO_DIGITS_IN_BRACKETS.test(shape) ||
		IN_THREE_GROUPS.test(shape) ||
		isHyphenated(shape)
	);
}

/** Whether it is grouped as in North America, and with hyphens only: with spaces, Icelanders write so too. */
export function isNorthAmerican(typed: string): boolean {
	return NORTH_AMERICAN.test(simplify(typed));
}

/**
 * What to do about a zero in brackets behind a country code, as in `+44 (0)20 …`. In most countries it is dialled
 * inside only, in some it belongs to the number: taken for the wrong one, it makes another number.
 */
export function adviseOnBracketedZero(typed: string): string | undefined {
	const bracket = typed.search(/[([]\s*0/u);
	const code = keepDigits(typed.slice(0, Math.max(bracket, 0)));
	if (code === '') return undefined;
	const country = Object.values(COUNTRIES).find((each) => each.code === code);
	const nsn = keepDigits(typed.slice(bracket));
	if (country?.bare?.test(nsn))
		return `In ${country.name} the zero belongs to the number. Write it without brackets: +${code} ${nsn}`;
	if (country?.behindZero)
		return `The zero in brackets is dialled inside ${country.name} only. Leave it out`;
	return 'Some countries leave out a zero in brackets, in others it belongs to the number. Write the number as it is dialled from abroad, without brackets';
}

function isHyphenated(shape: string): boolean {
	if (HYPHENATED.test(shape)) return true;
	const grouped = GROUPED_BY_FIVE.exec(shape);
	const areaCode = grouped?.groups?.areaCode;
	return grouped !== null && (areaCode === undefined || AREA_CODES.has(areaCode));
}

/** One kind of space and one kind of hyphen. */
function simplify(typed: string): string {
	return typed
		.replace(/\p{Cf}/gu, '')
		.replace(/\p{Zs}+/gu, ' ')
		.replace(/[\p{Pd}\u2212]/gu, '-');
}

function keepDigits(text: string): string {
	return text.replace(/\D/gu, '');
}
