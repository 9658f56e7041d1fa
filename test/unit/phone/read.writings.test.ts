import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import examples from 'libphonenumber-js/examples.mobile.json';
import {
	getCountries,
	getExampleNumber,
	parsePhoneNumberFromString,
	type CountryCode,
} from 'libphonenumber-js/max';
import { projectFolder } from '../../../host/places';
import { COUNTRY_NAMES } from '../../../nodes/MessagingGateway/phone/countries';
import { describePhone, keyOf } from '../../../nodes/MessagingGateway/phone/describe';
import { readPhone } from '../../../nodes/MessagingGateway/phone/read';
import { PhoneNotUsable } from '../../../nodes/MessagingGateway/phone/strip';
import { draw, drawDigits } from './draw';
import { PLANS, WRITINGS, type Writing } from './writings';

/** What goes out, or the words of the refusal. */
function read(text: Writing['text'], country?: string): string {
	try {
		return readPhone(text, country);
	} catch (refusal) {
		if (!(refusal instanceof PhoneNotUsable)) throw refusal;
		return refusal.message;
	}
}

const expectWhat = (outcome: string, expected: string | RegExp): void => {
	if (typeof expected === 'string') expect(outcome).toBe(expected);
	else expect(outcome).toMatch(expected);
};

describe('ways to write a number', () => {
	it.each(WRITINGS)('$text, in $country: $inCountry', ({ text, country, inCountry }) => {
		expectWhat(read(text, country), inCountry);
	});

	it.each(WRITINGS)('$text, with no country named: $alone', ({ text, alone }) => {
		expectWhat(read(text), alone);
		expectWhat(read(text, ''), alone);
	});

	it('are at least 40 of Brazil, and some of other countries', () => {
		const ofBrazil = WRITINGS.filter(({ country }) => country === 'BR');
		expect(ofBrazil.length).toBeGreaterThanOrEqual(40);
		expect(new Set(WRITINGS.map(({ country }) => country))).toEqual(new Set(Object.keys(PLANS)));
		const cases = WRITINGS.map(({ text, country }) => [text, country]);
		expect(new Set(cases.map((each) => JSON.stringify(each))).size).toBe(cases.length);
	});

	it('are those of every country that the library knows, in the order of their names', () => {
		expect([...COUNTRY_NAMES.keys()].sort()).toEqual([...getCountries()].sort());
		const names = [...COUNTRY_NAMES.values()].map((name) => name.normalize('NFD'));
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
		expect(new Set(names).size).toBe(names.length);
	});

	it('with a + mean the same in every country, and are never changed', () => {
		for (const { text } of WRITINGS) {
			if (!String(text).startsWith('+')) continue;
			const outcomes = ['', ...Object.keys(PLANS)].map((country) => read(text, country));
			expect(new Set(outcomes).size).toBe(1);
		}
	});

	it('with two readings are refused, and both are named', () => {
		expect(read('3906123456', 'IT')).toBe(
			'"3906123456" cannot be used as a phone number. It has two readings: +393906123456 if it is written as in Italy, ' +
				'+3906123456 if it begins with the country code 39. Write the one you mean, with "+"',
		);
	});

	it.each([
		['AR', '011 15-2345-6789', '5491123456789'],
		['AR', '11 2345-6789', '541123456789'],
		['AD', '312 345', '376312345'],
		['RU', '8 912 345-67-89', '79123456789'],
		['HU', '06 20 123 4567', '36201234567'],
		['JP', '090-1234-5678', '819012345678'],
		['ZA', '071 123 4567', '27711234567'],
		['GG', '07781 123456', '447781123456'],
		['IN', '91234 56789', '919123456789'],
	])('go by the rules of %s: %s', (country, text, expected) => {
		expectWhat(read(text, country), expected);
	});

	it.each([
		['BR', '０１１ ９８７６５-４３２１', /Remove everything else/u],
		['US', '1-800-FLOWERS', /no letters/u],
		['US', '(212) 555-0123 ext. 5', /extension/u],
		['US', 'tel:212-555-0123;phone-context=+1', /more than one/u],
		['US', '011 44 20 7946 0958', /no number of this form/u],
		['BR', '9'.repeat(300), /too long/u],
		['DE', '0'.repeat(10), /dialling abroad/u],
		['GB', '999', /too short/u],
		['DE', '110', /too short/u],
	])('of nobody are refused in %s, though a library may read them: %s', (country, text, says) => {
		expect(read(text, country)).toMatch(says);
	});

	it('say what to do about a refusal', () => {
		expect(read('51 98765-4321')).toBe(
			'"51 98765-4321" cannot be used as a phone number. It has no country code, as people write numbers inside a country. ' +
				'Did you mean +55 51 98765-4321? ' +
				'Write it with "+" and its country code, or choose its country as Default Country (for sending: in the credential)',
		);
	});

	it('name a country that is not known', () => {
		expect(() => readPhone('51 98765-4321', 'XX')).toThrow(/"XX" is none of the countries/u);
		expect(() => readPhone('+5551987654321', 'XX')).not.toThrow();
		expect(readPhone('51 98765-4321', ' br ')).toBe('5551987654321');
	});

	it('have one key for each line', () => {
		for (const { text, country, inCountry } of WRITINGS) {
			if (typeof inCountry !== 'string') continue;
			const { key, phone } = describePhone(text, country);
			expect([text, keyOf(phone), keyOf(`+${phone}`)]).toEqual([text, key, key]);
		}
	});

	it('say which rule decided', () => {
		const ruleOf = (text: Writing['text'], country?: string) => describePhone(text, country).rule;
		expect(ruleOf('+55 51 98765-4321', 'BR')).toBe('as given, since it has a +');
		expect(ruleOf('51987654321')).toBe('as given, assumed to begin with a country code');
		expect(ruleOf('51987654321', 'BR')).toBe('number written as in Brazil: 55 put in front');
		expect(ruleOf('0 51 98765-4321', 'BR')).toBe(
			'number written as in Brazil: 0 left out, 55 put in front',
		);
		expect(ruleOf('0 41 51 98765-4321', 'BR')).toBe(
			'number written as in Brazil: 0 and carrier code left out, 55 put in front',
		);
		expect(ruleOf('06 1234 5678', 'IT')).toBe('number written as in Italy: 39 put in front');
		expect(ruleOf('5551987654321', 'BR')).toBe('as given, assumed to begin with a country code');
	});
});

describe('the table in the documentation', () => {
	const page = readFileSync(
		join(projectFolder, 'docs', 'under-the-hood', 'phone-numbers.md'),
		'utf8',
	);
	const rows = [
		...page.matchAll(/^\| `([^`]+)`[^|]* \| ((?:refused|\d+)[^|]*) \| ([^|]+) \|$/gmu),
	].map(([, text, inBrazil, alone]) => ({ text, inBrazil, alone }));

	/** Its words are shorter than those of the message, except for the question. */
	const expectAsTold = (outcome: string, told: string): void => {
		const [, digits] = /^(\d+)/u.exec(told) ?? [];
		const [question] = /Did you mean [^*]+/u.exec(told) ?? [];
		if (digits !== undefined) return expect(outcome).toBe(digits);
		expect(outcome).toContain(question ?? 'cannot be used as a phone number');
	};

	it('has fifteen ways at least', () => {
		expect(rows.length).toBeGreaterThanOrEqual(15);
	});

	it.each(rows)('is right about $text', ({ text, inBrazil, alone }) => {
		expectAsTold(read(text, 'BR'), inBrazil);
		expectAsTold(read(text), alone);
	});
});

describe('judged by libphonenumber', () => {
	const sent = WRITINGS.filter(({ inCountry }) => typeof inCountry === 'string');

	it.each(sent.filter(({ divergence }) => !divergence))(
		'$text is +$inCountry in $country',
		({ text, country, inCountry }) => {
			expect(parsePhoneNumberFromString(String(text), country)?.number).toBe(`+${inCountry}`);
		},
	);

	it.each(sent.filter(({ divergence }) => divergence))(
		'$text is something else to it: $divergence',
		({ text, country, inCountry }) => {
			expect(parsePhoneNumberFromString(String(text), country)?.number).not.toBe(`+${inCountry}`);
		},
	);

	it.each(getCountries())(
		'a number of %s, written as there, gets its country code and no other digit',
		(country) => {
			const example = getExampleNumber(country, examples);
			const written = [example?.formatNational(), example?.formatInternational(), example?.number];
			expect(written.map((text) => `+${readPhone(text, country)}`)).toEqual(
				Array(3).fill(example?.number),
			);
		},
	);

	it.each(Object.keys(PLANS) as CountryCode[])(
		'whatever digits are read as a number of %s, it reads the same number in them',
		(country) => {
			let found = 0;
			const wrong: string[] = [];
			for (let round = 0; round < 4000; round++) {
				const digits = `${draw(['', '0'])}${drawDigits(7 + (round % 6))}`;
				const outcome = read(digits, country);
				if (!/^\d+$/u.test(outcome) || outcome === digits) continue;
				found++;
				const judged = parsePhoneNumberFromString(digits, country);
				// It tells a carrier's code from an area code by what is in service.
				if (judged?.isValid() && judged.number !== `+${outcome}`) wrong.push(digits);
				if (!parsePhoneNumberFromString(`+${outcome}`)?.isPossible()) wrong.push(digits);
			}
			expect(wrong).toEqual([]);
			expect(found).toBeGreaterThan(10);
		},
	);

	// Those that are shorter need their "+".
	const whole = getCountries()
		.map((country) => getExampleNumber(country, examples))
		.filter((example) => (example?.number.length ?? 0) > 10);

	it.each(whole.map((example) => [example?.country, example?.formatInternational().slice(1)]))(
		'a whole number of %s goes out as given without its +: %s',
		(_country, text) => {
			expect(readPhone(text)).toBe(text?.replace(/\D/gu, ''));
		},
	);
});
