import { describeBrazilian, type PhoneLine } from './brazil';
import { readComplete, readWithRule } from './read';

/** Far more characters than a number has, however it is written. A gateway may tell any, and it is compared with each question. */
export const LONGEST_PHONE = 100;

interface PhoneDescription extends PhoneLine {
	/** The digits as given, without formatting. */
	phone: string;
	/** The same digits with `+` in front. */
	e164: string;
	/** Which rule made these digits of what was given, in words. */
	rule: string;
	/** Only for numbers under +55: no other country's rules are known here. */
	country?: 'BR';
}

/**
 * Describes a phone number: its digits, and for Brazil its kind, area code and both spellings of a mobile
 * line ("Identifiers", rule 3). Numbers of other countries are of kind `other`, with one spelling.
 *
 * `phone` is what a send would go to. `key` and `variants` are for comparing and looking up, never for sending:
 * which spelling the network knows cannot be told from the digits.
 *
 * @param country as for `readWithRule`
 * @throws {PhoneNotUsable} when it cannot be a phone number, or could be that of somebody else
 */
export function describePhone(text: unknown, country?: unknown): PhoneDescription {
	const { phone, rule } = readWithRule(text, country);
	return {
		phone,
		e164: `+${phone}`,
		rule,
		...(isBrazilian(phone) && { country: 'BR' }),
		...describeLine(phone),
	};
}

const isBrazilian = (phone: string): boolean => phone.startsWith('55');

function describeLine(phone: string): PhoneLine {
	if (isBrazilian(phone)) return describeBrazilian(phone);
	return { kind: 'other', key: phone, variants: [phone] };
}

/**
 * One value per line, for numbers that have their country code, as in events: the same for both spellings of a Brazilian mobile
 * number. Never throws, because what an event carries is not the user's to correct: text that is no phone
 * number is its own key, trimmed, and a missing value gives an empty key.
 */
export function keyOf(text: unknown): string {
	if (typeof text === 'string' && text.length > LONGEST_PHONE) return text;
	try {
		return describeLine(readComplete(text)).key;
	} catch {
		return typeof text === 'string' || typeof text === 'number' ? String(text).trim() : '';
	}
}

/**
 * Compares two phone numbers and says why they are the same or not.
 *
 * @param country as for `readWithRule`
 * @throws {PhoneNotUsable} when one of them cannot be used; the message quotes it
 */
export function comparePhones(a: unknown, b: unknown, country?: unknown) {
	const first = describePhone(a, country);
	const second = describePhone(b, country);
	const same = first.key === second.key;
	const sameReason =
		first.phone === second.phone
			? 'same number'
			: 'same Brazilian mobile line, written with and without the ninth digit';
	return { same, reason: same ? sameReason : 'different numbers', first, second };
}
