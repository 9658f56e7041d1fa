/** What a number is, as far as its digits tell. */
export type PhoneKind = 'mobile' | 'mobileOldForm' | 'landline' | 'other';

export interface PhoneLine {
	kind: PhoneKind;
	/** Two digits, only when they are one of the 67 area codes and the number has the length of a subscriber's. */
	areaCode?: string;
	/** The same for both spellings of one line. */
	key: string;
	/** Every spelling of the line, the nine-digit one first. */
	variants: string[];
}

/** The 67 area codes ("códigos nacionais") of ANATEL's numbering plan. */
export const AREA_CODES: ReadonlySet<string> = new Set(
	(
		'11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55 ' +
		'61 62 63 64 65 66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99'
	).split(' '),
);

/**
 * A number of a line without its area code. The nationwide service numbers 300x and 400x have none, so they
 * are left out.
 */
export const BRAZILIAN_LOCAL = /^(?:9\d{8}|(?![34]00)[2-9]\d{7})$/u;

const SUBSCRIBER = /^55(?<areaCode>\d{2})(?<ninth>9?)(?<local>\d{8})$/u;

/**
 * Tells what a number under +55 is, by ANATEL's numbering rules.
 *
 * A mobile number has nine digits and begins with 9; a landline has eight and begins with 2 to 5. Until
 * the ninth digit came (Resolução 553/2010, area by area from 2012 to 2016) mobile numbers had eight and
 * began with 6 to 9. So only 9 followed by 6 to 9 has an old spelling. Numbers from 90 to 95 belong to
 * the nine-digit plan: without the first digit they would be somebody's landline or nobody's number, so
 * they have one spelling and must never be taken for that landline.
 *
 * The key of a line with two spellings is 55, the area code and the last eight digits. It keeps the 55
 * because area code and eight digits alone are also whole numbers elsewhere (47 is Joinville and Norway).
 *
 * @param phone digits of E.164 that begin with 55
 */
export function describeBrazilian(phone: string): PhoneLine {
	const { areaCode = '', ninth = '', local = '' } = SUBSCRIBER.exec(phone)?.groups ?? {};
	if (!AREA_CODES.has(areaCode)) return { kind: 'other', key: phone, variants: [phone] };

	const onlySpelling = { areaCode, key: phone, variants: [phone] };
	if (/^[6-9]/u.test(local)) {
		return {
			kind: ninth ? 'mobile' : 'mobileOldForm',
			areaCode,
			key: `55${areaCode}${local}`,
			variants: [`55${areaCode}9${local}`, `55${areaCode}${local}`],
		};
	}
	if (ninth) return { kind: 'mobile', ...onlySpelling };
	return { kind: /^[2-5]/u.test(local) ? 'landline' : 'other', ...onlySpelling };
}
