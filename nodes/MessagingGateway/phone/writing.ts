import { AREA_CODES, BRAZILIAN_LOCAL } from './brazil';
import { judgeBracketedZero, LONGEST_INSIDE, readNational, type ChosenCountry } from './numbering';

export const BRAZIL: ChosenCountry = { name: 'Brazil', code: '55' };

const BRACKETS_FIRST = /^ ?[([]/u;
/** `98765-4321`, with at most an area code before it. */
const HYPHENATED = /^ ?(?:\d\d)?[ .-]{0,3}(?:9[ .-]?)?\d{4,5}-\d{4}$/u;
/** `98765 4321`, grouped as in Brazil only. */
const GROUPED_BY_FIVE = /^ ?(?<areaCode>\d\d)?[ .-]{0,3}9[ .-]?\d{4}[ .]\d{4}$/u;
/** As somebody in Brazil may write it, or in digits alone. */
const BRAZILIAN = /^ ?(?:[([]? ?\d\d ?[)\]]?[ .-]{0,3})?(?:9[ .-]?)?\d{4,5}[ .-]?\d{4}$/u;
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
	const shape = unifySpelling(typed);
	return BRACKETS_FIRST.test(shape) || isHyphenated(shape) || NORTH_AMERICAN.test(shape);
}

/** What may be meant by digits that are written as inside an unknown country, as a question; undefined if nothing tells. */
export function guessNumber(typed: string, digits: string): string | undefined {
	const shape = unifySpelling(typed);
	if (digits.startsWith('0') || BRAZILIAN.test(shape)) return guessBrazilian(digits);
	// With spaces in place of the hyphens, Icelanders write so too.
	return NORTH_AMERICAN.test(shape) ? `Did you mean +1 ${typed}?` : undefined;
}

/** The question for somebody in Brazil who left out the area code. */
export function askForAreaCode(local: string): string {
	return `The area code is missing. Did you mean +55 11 ${hyphenate(local)}, with your own area code in place of 11?`;
}

/**
 * What to do about a zero in brackets behind a country code, as in `+44 (0)20 …`. In most countries it is dialled
 * inside only, in some it belongs to the number: taken for the wrong one, it makes another number.
 */
export function adviseOnBracketedZero(typed: string): string | undefined {
	const bracket = typed.search(/[([]\s*0/u);
	const code = keepDigits(typed.slice(0, Math.max(bracket, 0)));
	if (code === '') return undefined;
	const rest = keepDigits(typed.slice(bracket));
	const zero = judgeBracketedZero(code, rest);
	if (zero?.belongs)
		return `In ${zero.name} the zero belongs to the number. Write it without brackets: +${code} ${rest}`;
	if (zero) return `The zero in brackets is dialled inside ${zero.name} only. Leave it out`;
	return 'In some countries a zero in brackets is left out. In others it belongs to the number. Write the number as it is dialled from abroad, without brackets';
}

function guessBrazilian(digits: string): string | undefined {
	const { phone } = readNational(digits, BRAZIL) ?? {};
	if (phone !== undefined)
		return `Did you mean +55 ${phone.slice(2, 4)} ${hyphenate(phone.slice(4))}?`;
	return BRAZILIAN_LOCAL.test(digits) ? askForAreaCode(digits) : undefined;
}

function hyphenate(local: string): string {
	return `${local.slice(0, -4)}-${local.slice(-4)}`;
}

function isHyphenated(shape: string): boolean {
	if (HYPHENATED.test(shape)) return true;
	const grouped = GROUPED_BY_FIVE.exec(shape);
	const areaCode = grouped?.groups?.areaCode;
	return grouped !== null && (areaCode === undefined || AREA_CODES.has(areaCode));
}

/** One kind of space and one kind of hyphen. */
function unifySpelling(typed: string): string {
	return typed
		.replace(/\p{Cf}/gu, '')
		.replace(/\p{Zs}+/gu, ' ')
		.replace(/[\p{Pd}\u2212]/gu, '-');
}

function keepDigits(text: string): string {
	return text.replace(/\D/gu, '');
}
