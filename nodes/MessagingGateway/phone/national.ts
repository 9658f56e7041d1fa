import { COUNTRIES, type Country } from './countries';

/** A number as it goes out, and the rule that made it so. */
export interface Reading {
	/** Digits of E.164, without `+`. */
	phone: string;
	/** In words, for whoever wonders. */
	rule: string;
}

/** Digits with their country code in front. */
export const asGiven = (phone: string, rule: string): Reading => ({
	phone,
	rule: `as given, ${rule}`,
});

/**
 * Reads digits as a number written inside a country: the country code in front, without the 0 and the carrier's
 * code that are dialled inside only, and never another digit more or less.
 *
 * @returns undefined if they have not the length and form of one
 */
export function readNational(digits: string, country: Country): Reading | undefined {
	const { name, code, bare, behindZero, hasCarriers } = country;
	const put = (nsn: string, leftOut: string): Reading => ({
		phone: code + nsn,
		rule: `number written as in ${name}: ${leftOut}${code} put in front`,
	});
	if (bare?.test(digits)) return put(digits, '');
	if (!digits.startsWith('0')) return undefined;
	const behind = digits.slice(1);
	if (behindZero?.test(behind)) return put(behind, '0 left out, ');
	const behindCarrier = behind.slice(2);
	return hasCarriers && behindZero?.test(behindCarrier)
		? put(behindCarrier, '0 and carrier code left out, ')
		: undefined;
}

/**
 * Reads digits without `+` where the country is known in which they were written.
 *
 * @returns undefined if they are not written as inside that country; then they may be a number of another one
 * @throws what `refuse` throws, with the reason, if they could be two numbers or are not complete
 */
export function readInside(
	digits: string,
	country: Country,
	refuse: (reason: string) => never,
): Reading | undefined {
	const { name, code, bare, behindZero } = country;
	const whole = isWhole(digits, country);
	const national = readNational(digits, country);
	if (national && whole) {
		refuse(
			`It has two readings: a number written as in ${name}, or one that begins with its country code ${code}. Write it with "+" and its country code`,
		);
	}
	if (national) return national;
	// Spreadsheets lose it. What is left could be a whole number elsewhere.
	if (behindZero?.test(digits) || bare?.test(`0${digits}`)) {
		const nsn = behindZero?.test(digits) ? digits : `0${digits}`;
		refuse(
			`Its first 0 is missing. Did you mean +${code} ${nsn}? Write it like that, and keep phone numbers as text`,
		);
	}
	if (whole) return asGiven(digits, 'taken to begin with a country code');
	if (country.local?.test(digits)) refuse(`${askForAreaCode(digits)} Write the number with it`);
	return undefined;
}

/** Whether digits are a whole number of a country, its code in front. */
function isWhole(digits: string, { code, bare, behindZero }: Country): boolean {
	if (!digits.startsWith(code)) return false;
	const nsn = digits.slice(code.length);
	return Boolean(bare?.test(nsn) || behindZero?.test(nsn));
}

/** What somebody in Brazil would mean by digits that have no country code, as a question. */
export function guessBrazilian(digits: string): string | undefined {
	const { phone } = readNational(digits, COUNTRIES.BR) ?? {};
	if (phone !== undefined)
		return `Did you mean +55 ${phone.slice(2, 4)} ${hyphenate(phone.slice(4))}?`;
	return COUNTRIES.BR.local?.test(digits) ? askForAreaCode(digits) : undefined;
}

function askForAreaCode(local: string): string {
	return `The area code is missing. Did you mean +55 11 ${hyphenate(local)}, with your own area code in place of 11?`;
}

function hyphenate(local: string): string {
	return `${local.slice(0, -4)}-${local.slice(-4)}`;
}
