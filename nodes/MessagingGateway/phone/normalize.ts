import { describeBrazilian, type PhoneLine } from './brazil';
import { readPhone } from './read';

export interface PhoneDescription extends PhoneLine {
	/** The digits as given, without formatting. */
	phone: string;
	/** The same digits with `+` in front. */
	e164: string;
	/** Only for numbers under +55: no other country's rules are known here. */
	country?: 'BR';
}

export type ComparisonReason =
	| 'same number'
	| 'same Brazilian mobile line, written with and without the ninth digit'
	| 'different numbers';

export interface PhoneComparison {
	same: boolean;
	reason: ComparisonReason;
	first: PhoneDescription;
	second: PhoneDescription;
}

/**
 * Describes a phone number: its digits, and for Brazil its kind, area code and both spellings of a mobile
 * line ("Identifiers", rule 3). Numbers of other countries are of kind `other`, with one spelling.
 *
 * `phone` is the number as given. `key` and `variants` are for comparing and looking up, never for sending:
 * which spelling the network knows cannot be told from the digits.
 *
 * @throws {PhoneNotUsable} when it cannot be a phone number
 */
export function describePhone(text: unknown): PhoneDescription {
	const phone = readPhone(text);
	const written = { phone, e164: `+${phone}` };
	if (phone.startsWith('55')) return { ...written, country: 'BR', ...describeBrazilian(phone) };
	return { ...written, kind: 'other', key: phone, variants: [phone] };
}

/**
 * One value per line, for the `phone` fields of events: the same for both spellings of a Brazilian mobile
 * number. Never throws, because what an event carries is not the user's to correct: text that is no phone
 * number is its own key, trimmed, and a missing value gives an empty key.
 */
export function keyOf(text: unknown): string {
	try {
		return describePhone(text).key;
	} catch {
		return typeof text === 'string' || typeof text === 'number' ? String(text).trim() : '';
	}
}

/**
 * Compares two phone numbers and says why they are the same or not.
 *
 * @throws {PhoneNotUsable} when one of them cannot be a phone number; the message quotes it
 */
export function comparePhones(a: unknown, b: unknown): PhoneComparison {
	const first = describePhone(a);
	const second = describePhone(b);
	const same = first.key === second.key;
	return { same, reason: explain(first, second, same), first, second };
}

function explain(
	first: PhoneDescription,
	second: PhoneDescription,
	same: boolean,
): ComparisonReason {
	if (!same) return 'different numbers';
	if (first.phone === second.phone) return 'same number';
	return 'same Brazilian mobile line, written with and without the ninth digit';
}
