import { getCountryCallingCode, parsePhoneNumberFromString, type CountryCode } from '../libraries';
import { readCountry } from './country';
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
/** Brazil's tax numbers of people and companies: no phone number is grouped like them. */
const TAX_NUMBER = /^(?:\d{3}\.\d{3}\.\d{3}|\d\d\.\d{3}\.\d{3}\/\d{4})-\d\d$/u;
/** A longer one without `+` is an ID: national numbers have at most 13 digits, with their prefix. */
const ID_OF_DIGITS = /^\d{14,}$/u;
const MAX_DIGITS_WITHOUT_CODE = 11;
const MIN_DIGITS_WITH_CODE = 10;
const MAX_DIGITS = 15;
/** `FORMATTING` takes a time that grows with the square of the slashes. */
const MAX_LENGTH = 100;
const MAX_SHOWN = 40;

/**
 * Reads a text or a number as a phone number (API 2.1).
 *
 * @param country of numbers without `+`, as `readCountry` takes it, or `INTERNATIONAL`
 * @returns digits of E.164, without `+`
 * @throws {Error} if it cannot be a phone number, or has two readings
 */
export function readPhone(value: unknown, country = ''): string {
	const text = String(value ?? '').trim();
	if (text.length > MAX_LENGTH) {
		const shown = text.slice(0, MAX_SHOWN);
		throw new Error(`"${shown}…" is too long to be a phone number. Enter one number`);
	}

	const typed = latinizeDigits(text).replace('＋', '+').replace(PREFIX, '');
	const compact = typed.replace(FORMATTING, '');
	const chosen = country.trim();

	const hasDigitsAlone = /^(?:\+(?!1[01])|(?!00))\d+$/u.test(compact);
	const isOneNumber = hasDigitsAlone && !DECIMALS.test(typed) && !TAX_NUMBER.test(typed);
	const phone = isOneNumber ? readDigits(typed, compact, chosen) : undefined;
	if (phone !== undefined) return phone;

	const shown = text.slice(0, MAX_SHOWN);
	const advice = adviseOn({ typed, compact, isOneNumber, chosen });
	throw new Error(`"${shown}" cannot be read as a phone number. ${advice}`);
}

interface Unreadable {
	typed: string;
	compact: string;
	isOneNumber: boolean;
	chosen: string;
}

function adviseOn({ typed, compact, isOneNumber, chosen }: Unreadable): string {
	if (typed.includes('@') || isIdOfDigits(typed)) return "Choose 'By ID' for an ID";

	const [foreign] = /[^+\d]+/u.exec(compact) ?? [];
	const without = foreign === undefined ? '' : ` without "${foreign.slice(0, 20)}",`;
	const advice = `Enter one number${without} with + and its country code, e.g. +55 11 98765-4321`;

	const lacksCode = isOneNumber && !compact.startsWith('+');
	if (lacksCode && chosen === '') {
		return `${advice}, or choose 'Default Country' in the credential`;
	}
	if (lacksCode && chosen === INTERNATIONAL) return `${advice}, or add the option 'Country'`;
	return advice;
}

/** Whether a text is an ID that looks like a number (API 2.2). */
export function isIdOfDigits(text: string): boolean {
	return ID_OF_DIGITS.test(text);
}

/**
 * The key of a phone number with country code: two spellings in the network have one key (API
 * 2.5). Text that is no phone number is its own key. Never throws.
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
	if (country !== INTERNATIONAL) return readNational(compact, readCountry(country));

	const shape = typed
		.replace(/\p{Cf}/gu, '')
		.replace(/\p{Zs}+/gu, ' ')
		.replace(/[\p{Pd}\u2212]/gu, '-');
	const isNational = compact.length <= MAX_DIGITS_WITHOUT_CODE && NATIONAL_GROUPING.test(shape);
	if (isNational || compact.length < MIN_DIGITS_WITH_CODE) return undefined;

	return readInternational(compact, false);
}

/** With a plus, a trunk prefix is left out, as in `+44 (0)20`. */
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

/** A number may have the code of its country without `+`. If both readings fit, neither counts. */
function readNational(digits: string, iso: CountryCode): string | undefined {
	const code = getCountryCallingCode(iso);
	const asInternational = digits.startsWith(code) ? readInternational(digits, false) : undefined;
	const asNational = readWithCode(code, digits);

	if (asNational === undefined) return asInternational;
	if (asInternational === undefined) return asNational;
	return asNational === asInternational ? asNational : undefined;
}

function readWithCode(code: string, digits: string): string | undefined {
	const number = parsePhoneNumberFromString(`+${code}${digits}`);
	if (number === undefined) return undefined;

	const phone = number.number.slice(1);
	const isFitting = code === '55' ? BRAZILIAN.test(phone) : number.isValid();
	if (!isFitting || phone.length > MAX_DIGITS) return undefined;

	// Without the trunk prefix of its country, it may be an international number of another one.
	const national = number.formatNational({ nationalPrefix: false }).replace(/\D/gu, '');
	return national.length > digits.length ? undefined : phone;
}
