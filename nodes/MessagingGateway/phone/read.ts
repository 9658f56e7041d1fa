import { BRAZILIAN_LOCAL } from './brazil';
import {
	asGiven,
	findCountry,
	isWholeNumberOf,
	mayBeWholeNumber,
	readNational,
	type ChosenCountry,
	type Reading,
} from './numbering';
import { EXAMPLE, PhoneNotUsable, refuseBy, refuseNumber, strip, type Rule } from './strip';
import { askForAreaCode, BRAZIL, guessNumber, isWrittenInside } from './writing';

/** Whole numbers of fewer digits than that could as well be written as inside a country. */
const SHORTEST_WITHOUT_PLUS = 10;
const TAKEN_AS_WHOLE = 'assumed to begin with a country code';

const TOO_SHORT: Rule = [
	/^\d{0,6}$/u,
	`The number is too short. Enter it with its country code and area code, ${EXAMPLE}`,
];

/** For what has its country code. */
const COMPLETE_RULES: Rule[] = [
	TOO_SHORT,
	// North American area codes begin with 2 to 9, so this is a number of São Paulo without its 55.
	[
		/^1[01]/u,
		'No number begins with +10 or +11. Enter the country code first; for Brazil that is 55',
	],
];

/**
 * Reads what a person typed, or a spreadsheet holds, as a phone number ("Identifiers" in the API document:
 * E.164, with or without `+`, spaces or formatting). What is complete loses its formatting and nothing else;
 * only what is written as inside the country named gets its country code. What is written as inside some country
 * goes nowhere if none is named, since its first digits would be taken for the code of another one. Whether the
 * number is in service is for the network to say.
 *
 * @param text the number as text, or as a whole number from a spreadsheet cell
 * @param country ISO 3166 code of the country that numbers without `+` are written in; empty if they are always complete
 * @throws {PhoneNotUsable} when it cannot be a phone number, or could be that of somebody else
 */
export function readWithRule(text: unknown, country: unknown = ''): Reading {
	const { typed, digits, hasPlus } = strip(text);
	if (hasPlus) {
		refuseBy(digits, typed, COMPLETE_RULES);
		return asGiven(digits, 'since it has a +');
	}
	const chosen = chooseCountry(country);
	const inside = chosen && readInside(typed, digits, chosen);
	if (inside) return inside;
	refuseBy(digits, typed, [TOO_SHORT]);
	const trouble = whyNoCountryCode(typed, digits, chosen);
	if (trouble !== undefined)
		refuseNumber(typed, `${trouble} ${adviseOnCountry(typed, digits, chosen)}`);
	return asGiven(digits, TAKEN_AS_WHOLE);
}

/** The digits that go out; for the rest see `readWithRule`. */
export function readPhone(text: unknown, country?: unknown): string {
	return readWithRule(text, country).phone;
}

/**
 * Reads a number that is known to have its country code, as events carry it.
 *
 * @throws {PhoneNotUsable} when it cannot be a phone number
 */
export function readComplete(text: unknown): string {
	const { typed, digits } = strip(text);
	refuseBy(digits, typed, COMPLETE_RULES);
	return digits;
}

/**
 * Reads digits without `+` where the country is known in which they were written.
 *
 * @returns undefined if they are not written as inside that country; then they may be a number of another one
 * @throws {PhoneNotUsable} if they could be two numbers, or their first 0 is missing
 */
function readInside(typed: string, digits: string, country: ChosenCountry): Reading | undefined {
	const { name, code } = country;
	const national = readNational(digits, country);
	const isWhole = isWholeNumberOf(country, digits);
	if (national && !national.missing && national.phone !== digits) {
		if (isWhole) {
			refuseNumber(
				typed,
				`It has two readings: +${national.phone} if it is written as in ${name}, +${digits} if it begins with the country code ${code}. Write the one you mean, with "+"`,
			);
		}
		return national;
	}
	if (isWhole) return asGiven(digits, TAKEN_AS_WHOLE);
	const meant = national ?? readNational(`0${digits}`, country);
	if (meant) {
		refuseNumber(
			typed,
			`Its first ${meant.missing || '0'} is missing. Did you mean +${code} ${meant.phone.slice(code.length)}? Write it like that, and keep phone numbers as text`,
		);
	}
	return undefined;
}

function chooseCountry(value: unknown): ChosenCountry | undefined {
	const iso = String(value ?? '')
		.trim()
		.toUpperCase();
	const country = findCountry(iso);
	if (country !== undefined || iso === '') return country;
	throw new PhoneNotUsable(
		`"${iso}" is none of the countries of Default Country. Enter the two letters of its ISO code, e.g. BR`,
	);
}

/** Why digits without `+` cannot be taken to begin with a country code. */
function whyNoCountryCode(
	typed: string,
	digits: string,
	chosen?: ChosenCountry,
): string | undefined {
	if (chosen?.code === BRAZIL.code && BRAZILIAN_LOCAL.test(digits)) return askForAreaCode(digits);
	if (isWrittenInside(typed, digits)) {
		if (chosen) return `${chosen.name} has no number of this form.`;
		return digits.startsWith('0')
			? 'It begins with 0, as people dial numbers inside a country.'
			: 'It has no country code, as people write numbers inside a country.';
	}
	if (digits.length < SHORTEST_WITHOUT_PLUS) return 'It is too short to begin with a country code.';
	return mayBeWholeNumber(digits) ? undefined : 'It does not begin with a fitting country code.';
}

function adviseOnCountry(typed: string, digits: string, chosen?: ChosenCountry): string {
	if (chosen) return 'If it is a number of another country, write it with "+" and its country code';
	const advice =
		'Write it with "+" and its country code, or choose its country as Default Country (for sending: in the credential)';
	return [guessNumber(typed, digits), advice].filter(Boolean).join(' ');
}
