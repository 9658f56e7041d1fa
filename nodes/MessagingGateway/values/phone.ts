import {
	getCountryCallingCode,
	isSupportedCountry,
	parsePhoneNumberFromString,
} from '../libraries';
import { latinizeDigits } from './fold';

/** *Default Country* of people whose numbers without `+` have their country code. */
export const INTERNATIONAL = 'international';

/** A slash with few digits after it separates two numbers: `123456/57`. */
const FORMATTING = /[\p{Zs}\p{Cf}\p{Pd}\u2212.()[\]]|\/(?=(?:\D*\d){6})/gu;
const PREFIX = /^(?:['’]|(?:tel|whatsapp):)\s*/iu;
/** Decimals of a spreadsheet: without their dot, they would be digits of another number. */
const DECIMALS = /^\+?\d{7,}[.,](?:0+|\d{1,2})$/u;
/** The library refuses old mobile numbers of 8 digits, and accepts numbers without area code. */
const BRAZILIAN =
	/^55(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])(?:9\d{8}|[2-9]\d{7})$/u;
/** The network still shows the 1 that the library leaves out. */
const OLD_MEXICAN = /^521\d{10}$/u;
/** Numbers of Brazil and North America without country code. Chile groups +56 like Brazil. */
const NATIONAL_GROUPING =
	/^[([]|^[2-9]\d\d-[2-9]\d\d-\d{4}$|^(?!56)(?:\d\d)?[ .-]{0,3}(?:(?:9[ .-]?)?\d{4,5}-\d{4}|9[ .-]?\d{4}[ .]\d{4})$/u;
const MAX_DIGITS_WITHOUT_CODE = 11;
const MIN_DIGITS_WITH_CODE = 10;
const MAX_DIGITS = 15;
/** `FORMATTING` takes a time that grows with the square of the slashes. */
const MAX_LENGTH = 100;

/**
 * Reads a text or a number as a phone number (API document, "Identifiers").
 *
 * @param country of numbers without `+`: an ISO 3166 code, or `INTERNATIONAL`
 * @returns digits of E.164, without `+`
 * @throws {Error} if it cannot be a phone number, or has two readings
 */
export function readPhone(value: unknown, country = ''): string {
	const text = String(value ?? '').trim();
	if (text.length > MAX_LENGTH)
		throw new Error(`"${text.slice(0, 40)}…" is too long to be a phone number. Enter one number`);
	const typed = latinizeDigits(text).replace('＋', '+').replace(PREFIX, '');
	const compact = typed.replace(FORMATTING, '');
	const chosen = country.trim();
	const isOneNumber = /^(?:\+(?!1[01])|(?!00))\d+$/u.test(compact) && !DECIMALS.test(typed);
	const phone = isOneNumber ? readDigits(typed, compact, chosen) : undefined;
	if (phone !== undefined) return phone;

	const [foreign] = /[^+\d]+/u.exec(compact) ?? [];
	const without = foreign === undefined ? '' : ` without "${foreign.slice(0, 20)}",`;
	const advice = typed.includes('@')
		? "Choose 'By ID' for an ID"
		: `Enter one number${without} with + and its country code, e.g. +55 11 98765-4321`;
	const lacksCountry =
		['', INTERNATIONAL].includes(chosen) && isOneNumber && !compact.startsWith('+');
	const otherWay = lacksCountry ? ", or choose 'Default Country' in the credential" : '';
	throw new Error(`"${text.slice(0, 40)}" cannot be read as a phone number. ${advice}${otherWay}`);
}

/**
 * The key of a phone number with country code: two spellings in the network have one key (API
 * document, "Identifiers", rule 3). Text that is no phone number is its own key. Never throws.
 */
export function phoneKeyOf(phone: string): string {
	const text = phone.trim();
	if (text.length > MAX_LENGTH) return text;
	const compact = text.replace(FORMATTING, '');
	if (!/^\+?\d+$/u.test(compact)) return text;
	return compact
		.replace('+', '')
		.replace(/^(55\d\d)9([6-9]\d{7})$/u, '$1$2')
		.replace(/^(?:(52)1|(54)9)(\d{10})$/u, '$1$2$3');
}

/** The ISO 3166 code of a phone number in digits of E.164; undefined if it is not known. */
export function countryOf(phone: string): string | undefined {
	return parsePhoneNumberFromString(`+${phone}`)?.country;
}

function readDigits(typed: string, compact: string, country: string): string | undefined {
	if (compact.startsWith('+')) return readInternational(compact.slice(1), true);
	if (country === '') return undefined;
	if (country !== INTERNATIONAL) return readNational(compact, country.toUpperCase());
	const shape = typed
		.replace(/\p{Cf}/gu, '')
		.replace(/\p{Zs}+/gu, ' ')
		.replace(/[\p{Pd}\u2212]/gu, '-');
	const isNational = compact.length <= MAX_DIGITS_WITHOUT_CODE && NATIONAL_GROUPING.test(shape);
	if (isNational || compact.length < MIN_DIGITS_WITH_CODE) return undefined;
	return readInternational(compact, false);
}

// With a plus, a trunk prefix is left out, as in `+44 (0)20`.
function readInternational(digits: string, hasPlus: boolean): string | undefined {
	if (OLD_MEXICAN.test(digits)) return digits;
	const number = parsePhoneNumberFromString(`+${digits}`);
	if (number === undefined) return undefined;
	const phone = number.number.slice(1);
	const hasTrunkPrefix = hasPlus && digits.startsWith(`${number.countryCallingCode}0`);
	if (phone !== digits && !hasTrunkPrefix) return undefined;
	if (phone.startsWith('55')) return BRAZILIAN.test(phone) ? phone : undefined;
	const isFitting = hasPlus && !hasTrunkPrefix ? number.isPossible() : number.isValid();
	return isFitting ? phone : undefined;
}

function readNational(digits: string, iso: string): string | undefined {
	if (!isSupportedCountry(iso)) {
		throw new Error(`"${iso}" is no country. Enter the two letters of its ISO code, e.g. BR`);
	}
	const code = getCountryCallingCode(iso);
	const asInternational = digits.startsWith(code) ? readInternational(digits, false) : undefined;
	const asNational = readWithCode(code, digits);
	if (asNational === undefined || asInternational === undefined)
		return asNational ?? asInternational;
	return asNational === asInternational ? asNational : undefined;
}

function readWithCode(code: string, digits: string): string | undefined {
	const number = parsePhoneNumberFromString(`+${code}${digits}`);
	const phone = number?.number.slice(1) ?? '';
	const isFitting = code === '55' ? BRAZILIAN.test(phone) : number?.isValid();
	if (number === undefined || !isFitting || phone.length > MAX_DIGITS) return undefined;
	// Without the trunk prefix of its country, it may be an international number of another one.
	const national = number.formatNational({ nationalPrefix: false }).replace(/\D/gu, '');
	return national.length > digits.length ? undefined : phone;
}
