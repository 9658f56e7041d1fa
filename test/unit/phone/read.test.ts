import examples from 'libphonenumber-js/examples.mobile.json';
import {
	getCountries,
	getCountryCallingCode,
	getExampleNumber,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { AREA_CODES, type PhoneKind } from '../../../nodes/MessagingGateway/phone/brazil';
import { describePhone } from '../../../nodes/MessagingGateway/phone/describe';
import { readPhone } from '../../../nodes/MessagingGateway/phone/read';
import { ACCEPTED, REFUSED } from './cases';
import { drawDigits } from './draw';

/** It reads text only. */
const REFUSED_TEXTS = REFUSED.filter(({ text }) => typeof text === 'string');

const judge = (phone: string) => parsePhoneNumberFromString(`+${phone}`);

/** What libphonenumber calls the number, in our words; it knows no old form, only numbers that are not valid. */
function judgeKind(phone: string): PhoneKind {
	const verdict = judge(phone);
	if (verdict?.countryCallingCode !== '55' || !verdict.isValid()) return 'other';
	return (
		({ MOBILE: 'mobile', FIXED_LINE: 'landline' } as const)[
			verdict.getType() as 'MOBILE' | 'FIXED_LINE'
		] ?? 'other'
	);
}

describe('judged by libphonenumber', () => {
	it.each(ACCEPTED.filter(({ divergence }) => !divergence))(
		'agrees that $phone is $kind',
		({ phone, kind }) => {
			expect(judgeKind(phone)).toBe(kind);
			expect(judge(phone)?.country === 'BR').toBe(describePhone(`+${phone}`).country === 'BR');
		},
	);

	it.each(ACCEPTED.filter(({ divergence }) => divergence))(
		'differs on $phone: $divergence',
		({ phone, kind }) => {
			expect(judgeKind(phone)).not.toBe(kind);
		},
	);

	it.each(REFUSED_TEXTS.filter(({ divergence }) => !divergence))(
		'finds no valid number in $text either',
		({ text }) => {
			expect(parsePhoneNumberFromString(String(text))?.isValid() ?? false).toBe(false);
		},
	);

	it.each(REFUSED_TEXTS.filter(({ divergence }) => divergence))(
		'differs on $text: $divergence',
		({ text }) => {
			expect(parsePhoneNumberFromString(String(text))?.isValid()).toBe(true);
		},
	);
});

describe('every area code from 10 to 99', () => {
	const areaCodes = Array.from({ length: 90 }, (_, index) => String(index + 10));

	it('knows 67', () => {
		expect(AREA_CODES.size).toBe(67);
	});

	it.each(areaCodes)('%s', (areaCode) => {
		const known = AREA_CODES.has(areaCode);
		expect(judgeKind(`55${areaCode}31234567`)).toBe(known ? 'landline' : 'other');

		for (const first of '0123456789') {
			const local = `${first}${drawDigits(7)}`;
			const nineDigits = `55${areaCode}9${local}`;
			const eightDigits = `55${areaCode}${local}`;
			const bothSpellings = known && /[6-9]/u.test(first);

			expect(describePhone(nineDigits).kind).toBe(judgeKind(nineDigits));
			expect(describePhone(nineDigits).areaCode).toBe(known ? areaCode : undefined);
			expect(describePhone(nineDigits).variants).toEqual(
				bothSpellings ? [nineDigits, eightDigits] : [nineDigits],
			);
			expect(describePhone(eightDigits).kind).toBe(
				bothSpellings ? 'mobileOldForm' : judgeKind(eightDigits),
			);
			expect(describePhone(eightDigits).key === describePhone(nineDigits).key).toBe(bothSpellings);

			// Eleven digits that do not begin with 9 are no subscriber's number.
			const wrongNinth = `55${areaCode}${drawDigits(1).replace('9', '8')}${local}`;
			expect(describePhone(wrongNinth)).toMatchObject({
				kind: 'other',
				key: wrongNinth,
				variants: [wrongNinth],
			});
		}
	});
});

describe('every country of libphonenumber', () => {
	it.each(getCountries().filter((country) => country !== 'BR'))('%s is left alone', (country) => {
		const example = getExampleNumber(country, examples);
		const phone = example?.number.slice(1) ?? '';
		expect(phone.startsWith(getCountryCallingCode(country))).toBe(true);

		for (const text of [example?.number, example?.formatInternational()])
			expect(readPhone(text)).toBe(phone);
		expect(describePhone(`+${phone}`)).toEqual({
			phone,
			e164: `+${phone}`,
			rule: 'as given, since it has a +',
			kind: 'other',
			key: phone,
			variants: [phone],
		});
	});
});
