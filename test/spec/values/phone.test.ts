import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import { defaultCountry } from '../../../credentials/MessagingGatewayInstanceApi.credentials';
import { projectFolder } from '../../../lab/host/places';
import { INTERNATIONAL, phoneKeyOf, readPhone } from '../../../nodes/MessagingGateway/values/phone';

const REFUSED = 'refused';

function read(text: unknown, country?: string): string {
	try {
		return readPhone(text, country);
	} catch (refusal) {
		expect((refusal as Error).message).toMatch(/^".*" cannot be read as a phone number\. /su);
		return REFUSED;
	}
}

const page = readFileSync(join(projectFolder, 'docs', 'sending.md'), 'utf8');
/** The table of the page, in its words: `sent to <digits>` or `refused`. */
const documented = [
	...page.matchAll(
		/^\| `(.+?)`.* \| (?:sent to )?(refused|\d+).* \| (?:sent to )?(refused|\d+).* \|$/gmu,
	),
].map(([, text, inBrazil, alone]) => [text, inBrazil, alone]);

it('reads a page with a table', () => expect(documented).toHaveLength(10));

/** Number as typed, what goes out with Default Country Brazil, and with None: Numbers Have Their Country Code. */
it.each<(string | number | null | undefined)[]>([
	...documented,
	// Mobile numbers
	['21987654321', '5521987654321', REFUSED],
	['041 51 98765-4321', '5551987654321', REFUSED],
	['51\u00a0\u200b98765\u20114321', '5551987654321', REFUSED],
	[51987654321, '5551987654321', '51987654321'],
	['55 98765-4321', '5555987654321', REFUSED],
	['(021) 98765-4321', '5521987654321', REFUSED],
	['0 15 11 3123-4567', '551131234567', REFUSED],
	['(55) 51 98765-4321', '5551987654321', '5551987654321'],
	['(+55) 51 98765-4321', '5551987654321', '5551987654321'],
	['65 9123 4567', '556591234567', '6591234567'],
	['65 9123-4567', '556591234567', REFUSED],
	['+39 (06) 1234 5678', '390612345678', '390612345678'],
	// No numbers of Brazil's plan
	['(20) 98765-4321', REFUSED, REFUSED],
	['11 88765-4321', REFUSED, REFUSED],
	['4004-1234', REFUSED, REFUSED],
	['190', REFUSED, REFUSED],
	['+55 800 123 4567', REFUSED, REFUSED],
	['+55 98765-4321', REFUSED, REFUSED],
	['0xx21 98765-4321', REFUSED, REFUSED],
	// With +, whatever the country
	['+55 (0)21 98765-4321', '5521987654321', '5521987654321'],
	['+55 0 15 11 98765-4321', '5511987654321', '5511987654321'],
	['+55 51 8765-4321', '555187654321', '555187654321'],
	['+521 55 1234 5678', '5215512345678', '5215512345678'],
	['+225 (07) 01 02 03 04', '2250701020304', '2250701020304'],
	['+683 4002', '6834002', '6834002'],
	['44 020 7946 0958', REFUSED, REFUSED],
	// Of an area that the library does not know
	['+1 555 123 4567', '15551234567', '15551234567'],
	['+11 98765-4321', REFUSED, REFUSED],
	['+351 912 345 67', REFUSED, REFUSED],
	['+055 11 98765-4321', REFUSED, REFUSED],
	['00 55 11 98765-4321', REFUSED, REFUSED],
	// Other scripts and programs
	['＋55 11 98765-4321', '5511987654321', '5511987654321'],
	['+٥٥١١٩٨٧٦٥٤٣٢١', '5511987654321', '5511987654321'],
	['۵۵۱۱۹۸۷۶۵۴۳۲۱', '5511987654321', '5511987654321'],
	["'+5511987654321", '5511987654321', '5511987654321'],
	['WhatsApp:+5511987654321', '5511987654321', '5511987654321'],
	['Tel: 55-11-98765-4321', '5511987654321', '5511987654321'],
	['55/11/98765/4321', REFUSED, REFUSED],
	['11/987654321', '5511987654321', REFUSED],
	['5511987654321/5511987654322', REFUSED, REFUSED],
	['wa.me/5511987654321', REFUSED, REFUSED],
	// Tax numbers of Brazil, from the wrong column
	['123.456.789-09', REFUSED, REFUSED],
	['119.876.543-21', REFUSED, REFUSED],
	['551.198.765-43', REFUSED, REFUSED],
	['12.345.678/0001-95', REFUSED, REFUSED],
	['49.151.234/5678-90', REFUSED, REFUSED],
	// No single number
	['5,51E+12', REFUSED, REFUSED],
	['4930123456.0', REFUSED, REFUSED],
	['+4930123456,00', REFUSED, REFUSED],
	['+4930123456.000', REFUSED, REFUSED],
	['+4930123456.25', REFUSED, REFUSED],
	[5511987654321.5, REFUSED, REFUSED],
	[1e21, REFUSED, REFUSED],
	['+5511987654321+5511987654322', REFUSED, REFUSED],
	['5511987654321 5511987654322', REFUSED, REFUSED],
	['+1 800 FLOWERS', REFUSED, REFUSED],
	['Maria', REFUSED, REFUSED],
	['', REFUSED, REFUSED],
	[null, REFUSED, REFUSED],
	['7@lid', REFUSED, REFUSED],
])(
	'reads %j as %s in Brazil, as %s with None, and nothing chosen if it has a +',
	(text, ...sent) => {
		const [, alone] = sent;
		expect([read(text, 'BR'), read(text, INTERNATIONAL)]).toEqual(sent);
		expect(read(text)).toBe(/^[(']?(whatsapp:)?[+＋]/iu.test(String(text)) ? alone : REFUSED);
	},
);

it('sends no Brazilian number to another country, whatever is between its groups', () => {
	for (const area of ['51', '(51)', '[51]', '51 ', '51.', '51-', '51 - '])
		for (const nine of ['9', '9 ', '9.', '9-'])
			for (const end of ['8765-4321', '8765 4321', '8765.4321']) {
				const text = area + nine + end;
				const sent = [text, '5551987654321', REFUSED];
				expect([text, read(text, 'BR'), read(text, INTERNATIONAL)]).toEqual(sent);
			}
});

it('refuses each sign that could separate two numbers, or a number and its extension', () => {
	const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code));
	const signs = all.filter((sign) => /^[\p{P}\p{S}\p{L}/](?<![\p{Pd}\u2212.()[\]])$/u.test(sign));
	const taken = signs.filter((sign) => read(`+49 30 123456${sign}57`) !== REFUSED);
	expect([signs.length > 5000, taken]).toEqual([true, []]);
});

it.each([
	['DE', '030 123456', '4930123456'],
	['DE', '0151/12345678', '4915112345678'],
	['DE', '030 123456/654321', REFUSED],
	['DE', '49 1512 3456789', '4915123456789'],
	// Without its 0, it is a whole number in Texas.
	['DE', '1512 3456789', REFUSED],
	['DE', '351 912 345 678', REFUSED],
	['DE', '0541115370444149', REFUSED],
	['GB', '7400123456', REFUSED],
	['IT', '(06) 1234 5678', '390612345678'],
	['IT', '312 345 6789', '393123456789'],
	// A mobile number of Italy, or a short one of Rome behind its country code
	['IT', '3906123456', REFUSED],
	['US', '1-212-555-0123', '12125550123'],
	['US', '011 44 20 7946 0958', REFUSED],
	[INTERNATIONAL, '323-555-0123', REFUSED],
	[INTERNATIONAL, '1 (212) 555-0123', '12125550123'],
	['MX', '55 1234 5678', '525512345678'],
	['MX', '521 55 1234 5678', '5215512345678'],
	['AR', '011 15-2345-6789', '5491123456789'],
	['PT', '351912345678', '351912345678'],
	[INTERNATIONAL, '56 9 8765 4321', '56987654321'],
	// National numbers that are whole numbers of New Zealand and of the USA
	['', '646 555 1212', REFUSED],
	['', '15123456789', REFUSED],
	['', '12125550123', REFUSED],
	[' br ', '51 98765-4321', '5551987654321'],
])('reads, with Default Country %j, %s as %s', (country, text, expected) => {
	expect(read(text, country)).toBe(expected);
});

it('knows the 67 area codes of Brazil', () => {
	const typed = Array.from({ length: 90 }, (_, area) => `+55 ${area + 10} 98765-4321`);
	expect(typed.filter((text) => read(text) !== REFUSED)).toHaveLength(67);
});

it.each(getCountries())('reads a number of %s in each spelling of the library', (country) => {
	const example = getExampleNumber(country, examples);
	const spellings = [example?.formatNational(), example?.formatInternational(), example?.number];
	expect(spellings.map((text) => `+${readPhone(text, country)}`)).toEqual(
		Array(3).fill(example?.number),
	);
	const digits = String(example?.number).slice(1);
	expect(read(digits, INTERNATIONAL)).toBe(digits.length < 10 ? REFUSED : digits);
});

it.each([
	['51 98765-4321', '', / \+55 11 98765-4321, or choose 'Default Country' in the credential$/u],
	['98765-4321', INTERNATIONAL, /, or add the option 'Country'$/u],
	['11 98765-4321/22', '', /^"11 98765-4321\/22" cannot .* one number without "\/", with \+ and /u],
	['sms:+5511987654321', '', / without "sms:", with \+ /u],
	['+54 11 15-2345-6789', '', / \+55 11 98765-4321$/u],
	['(+55) 11 1234', '', / \+55 11 98765-4321$/u],
	[
		'98765-4321',
		'BR',
		/Enter one number with \+ and its country code, e\.g\. \+55 11 98765-4321$/u,
	],
	['7@lid', '', /Choose 'By ID' for an ID$/u],
	['98765432101234', 'BR', /Choose 'By ID' for an ID$/u],
	['51 98765-4321', 'XX', /^"XX" is no country/u],
])('says about %s, with Default Country %j, what to do', (text, country, advice) => {
	expect(() => readPhone(text, country)).toThrow(advice);
});

it('offers no country first, and each one by its name', () => {
	const values = (defaultCountry.options ?? []).map((option) => 'value' in option && option.value);
	expect(values[0]).toBe(INTERNATIONAL);
	// A number without its country code is a whole number of another country.
	expect(read('51987654321', String(defaultCountry.default))).toBe(REFUSED);
	expect(values).toEqual(expect.arrayContaining([defaultCountry.default, ...getCountries()]));
});

it.each([
	['5511987654321', '+55 11 8765-4321', true],
	['5511987654321', '551187654321', true],
	['5511965432100', '551165432100', true],
	['5511955432100', '551155432100', false],
	['5511912345678', '551112345678', false],
	['5511987654321', '5521987654321', false],
	['551131234567', '5511931234567', false],
	['4798765432', '554798765432', false],
	['5215512345678', '+52 55 1234 5678', true],
	['5491123456789', '54 11 2345-6789', true],
	['5491123456789', '5491123456780', false],
	['5215512345678', '5491512345678', false],
	// No other country has two
	['5715512345678', '575512345678', false],
	['12125550123', '2125550123', false],
	['7@lid', ' 7@lid', true],
	['', '5511987654321', false],
])('takes %j and %j for the same line: %j', (one, other, isSame) => {
	expect(phoneKeyOf(one) === phoneKeyOf(other)).toBe(isSame);
});

it('reads what it has read, with its +, as the same number', () => {
	const typed = fc.oneof(
		fc.stringMatching(/^\+(1|44|49|52|54|55|57|351)[ -]?[1-9][0-9]{7,10}$/),
		fc.stringMatching(/^[+(]?[0-9]{2,3}[) .-]{0,2}[0-9]{4,5}[ -]?[0-9]{4}$/),
	);
	const readTwice = (text: string, country: string) => {
		const once = read(text, country);
		if (once !== REFUSED) expect(read(`+${once}`, country)).toBe(once);
	};
	const countries = fc.constantFrom('', INTERNATIONAL, 'BR', 'DE', 'MX', 'US');
	fc.assert(fc.property(typed, countries, readTwice), { numRuns: 1_000, seed: 1 });
});
