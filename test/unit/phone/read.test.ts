import examples from 'libphonenumber-js/examples.mobile.json';
import {
	getCountries,
	getCountryCallingCode,
	getExampleNumber,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { describePhone } from '../../../nodes/MessagingGateway/phone/describe';
import { readPhone } from '../../../nodes/MessagingGateway/phone/read';
import { ACCEPTED, REFUSED } from './cases';
import { judge, judgeKind } from './judge';

/** It reads text only. */
const REFUSED_TEXTS = REFUSED.filter(({ text }) => typeof text === 'string');

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
