import {
	getCountryCallingCode,
	isSupportedCountry,
	parsePhoneNumberFromString,
	type PhoneNumber,
} from '../libraries/phoneNumbers';
import { describeBrazilian } from './brazil';
import { COUNTRY_NAMES } from './countries';

/** The country that a person chose. */
export interface ChosenCountry {
	name: string;
	/** Calling code, without `+`. */
	code: string;
}

/** A number as it goes out, and the rule that made it so. */
export interface Reading {
	/** Digits of E.164, without `+`. */
	phone: string;
	/** In words, for whoever wonders. */
	rule: string;
}

/** A number that was written without its country code. */
interface NationalReading extends Reading {
	/** What people in that country dial first, but what was written lacks; empty if nothing is missing. */
	missing: string;
}

/** Mexico's mobile numbers had a 1 behind the country code until 2019, and the network still shows them with it. */
const OLD_MEXICAN_MOBILE = /^521(?=\d{10}$)/u;

/** The longest number that people write without its country code, with few exceptions. */
export const LONGEST_INSIDE = 11;

/** Judged by us: the library has none of the mobile numbers from before the ninth digit, and takes service numbers for whole ones. */
const WHOLE_BRAZILIAN = /^55\d{10,11}$/u;

/** The country of an ISO 3166 code in capital letters; undefined if there is none. */
export function findCountry(iso: string): ChosenCountry | undefined {
	const name = COUNTRY_NAMES.get(iso);
	if (name === undefined || !isSupportedCountry(iso)) return undefined;
	return { name, code: getCountryCallingCode(iso) };
}

/** Digits with their country code in front. */
export const asGiven = (phone: string, rule: string): Reading => ({
	phone,
	rule: `as given, ${rule}`,
});

/** Whether digits are a number of a country with its code in front, as far as the library knows its numbers. */
export function isWholeNumberOf({ code }: ChosenCountry, digits: string): boolean {
	if (code === '55') return WHOLE_BRAZILIAN.test(digits);
	const number = parseValid(digits);
	return number?.countryCallingCode === code && number.number === `+${digits}`;
}

/**
 * Whether digits have the length and beginning of some country's numbers with its code in front. Which of them exist is not asked:
 * countries hand out new ones sooner than the library learns of them.
 */
export function mayBeWholeNumber(digits: string): boolean {
	if (digits.startsWith('55')) return WHOLE_BRAZILIAN.test(digits);
	const known = `+${digits.replace(OLD_MEXICAN_MOBILE, '52')}`;
	const number = parsePhoneNumberFromString(known);
	if (number?.number !== known || !number.isPossible()) return false;
	return number.country !== undefined || digits.length > LONGEST_INSIDE;
}

/**
 * Reads digits as a number written inside a country: the country code in front, without the 0 and the carrier's
 * code that are dialled inside only. The library knows what is dialled where.
 *
 * @returns undefined if the country has no such number
 */
export function readNational(
	digits: string,
	{ name, code }: ChosenCountry,
): NationalReading | undefined {
	const number = parseValid(code + digits);
	if (number?.countryCallingCode !== code) return undefined;
	const phone = number.number.slice(1);
	if (code === '55' && describeBrazilian(phone).kind === 'other') return undefined;
	return {
		phone,
		rule: `number written as in ${name}: ${tellWhatIsLeftOut(digits, number)}${code} put in front`,
		missing: findMissing(digits, number),
	};
}

/**
 * What becomes of a zero in brackets behind a country code, as in `+44 (0)20 …`.
 *
 * @param code the digits before the bracket
 * @param rest all others
 * @returns whether the zero belongs to the number, and the country's name; undefined if the library cannot tell
 */
export function judgeBracketedZero(
	code: string,
	rest: string,
): { belongs: boolean; name: string } | undefined {
	const number = parseValid(code + rest);
	const name = COUNTRY_NAMES.get(number?.country ?? '');
	if (number?.countryCallingCode !== code || name === undefined) return undefined;
	return { belongs: number.nationalNumber === rest, name };
}

function parseValid(digits: string): PhoneNumber | undefined {
	const number = parsePhoneNumberFromString(`+${digits}`);
	return number?.isValid() ? number : undefined;
}

function tellWhatIsLeftOut(digits: string, { nationalNumber, carrierCode }: PhoneNumber): string {
	if (digits === nationalNumber) return '';
	// In Argentina, the 15 of a mobile number becomes a 9 in another place.
	if (!digits.endsWith(nationalNumber)) return 'rewritten as it is dialled from abroad, ';
	if (carrierCode !== undefined) return '0 and carrier code left out, ';
	return `${digits.slice(0, -nationalNumber.length)} left out, `;
}

/** Spreadsheets lose a first 0. What is left could be a whole number elsewhere. */
function findMissing(digits: string, number: PhoneNumber): string {
	const { nationalNumber } = number;
	if (digits !== nationalNumber) return '';
	const dialled = number.formatNational({ nationalPrefix: false }).replace(/\D/gu, '');
	if (dialled === nationalNumber) return '';
	return dialled.endsWith(nationalNumber) ? dialled.slice(0, -nationalNumber.length) : '0';
}
