import { COUNTRIES, type Country } from './countries';
import { asGiven, guessBrazilian, readInside, type Reading } from './national';
import { fail, PhoneNotUsable, refuseBy, strip, type Rule } from './strip';
import { isNorthAmerican, isWrittenInside, mayBeBrazilian } from './writing';

// North American area codes begin with 2 to 9, so this is a number of São Paulo without its 55.
const NO_AREA_CODE: Rule[] = [
	[
		/^1[01]/u,
		'No number begins with +10 or +11. Enter the country code first; for Brazil that is 55',
	],
];

/**
 * What no country code is, or what is too short or too long behind one (ITU-T E.164, list of country codes). The
 * list grows: whoever knows better writes a `+`.
 */
const NO_COUNTRY = new RegExp(
	`^(?:${[
		'1(?![2-9][0-8]\\d[2-9]\\d{6}$)',
		'21[04579]|259|28|29[2-6]|38[48]|42[24-9]|671|684|69[3-9]|80[1-79]|83|85[14789]|87[1-79]|88[4579]|89|969|978|99[09]',
		'55\\d{0,9}$',
		'7(?![346-9]\\d{9}$)',
	].join('|')})`,
	'u',
);

/** Judged on digits without `+`, which are not written as inside the country named. */
const WITHOUT_PLUS_RULES: Rule[] = [
	[/^\d{0,9}$/u, 'It is too short to begin with a country code.'],
	[NO_COUNTRY, 'No country has such a number with its country code in front.'],
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
		refuseBy(digits, typed, NO_AREA_CODE);
		return asGiven(digits, 'since it has a +');
	}
	const known = findCountry(country);
	const inside = known && readInside(digits, known, (reason) => fail(typed, reason));
	if (inside) return inside;
	const trouble = findTrouble(typed, digits, known);
	if (trouble !== undefined)
		fail(typed, known ? `${trouble} ${OF_ANOTHER}` : adviseOnCountry(trouble, typed, digits));
	return asGiven(digits, 'taken to begin with a country code');
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
	refuseBy(digits, typed, NO_AREA_CODE);
	return digits;
}

function findCountry(code: unknown): Country | undefined {
	const wanted = String(code ?? '')
		.trim()
		.toUpperCase();
	if (wanted === '') return undefined;
	if (Object.hasOwn(COUNTRIES, wanted)) return COUNTRIES[wanted];
	throw new PhoneNotUsable(
		`"${wanted}" is none of the countries of Country of Numbers: ${Object.keys(COUNTRIES).join(', ')}`,
	);
}

/** Why digits without `+` cannot be taken to begin with a country code. */
function findTrouble(typed: string, digits: string, country?: Country): string | undefined {
	if (isWrittenInside(typed, digits)) {
		if (country) return `${country.name} has no number of this form.`;
		return digits.startsWith('0')
			? 'It begins with 0, as numbers are dialled inside a country.'
			: 'It is written as inside a country, without a country code.';
	}
	return WITHOUT_PLUS_RULES.find(([matches]) => matches.test(digits))?.[1];
}

const OF_ANOTHER = 'If it is a number of another country, write it with "+" and its country code';

function adviseOnCountry(trouble: string, typed: string, digits: string): string {
	const guess = mayBeBrazilian(typed, digits)
		? guessBrazilian(digits)
		: isNorthAmerican(typed)
			? `Did you mean +1 ${typed}?`
			: undefined;
	const advice =
		'Write it with "+" and its country code, or choose its country as Country of Numbers (for sending: in the credential)';
	return [trouble, guess, advice].filter(Boolean).join(' ');
}
