import { describePhone, keyOf } from '../../../nodes/MessagingGateway/phone/describe';
import { readPhone } from '../../../nodes/MessagingGateway/phone/read';

const NO_CODE = /does not begin with a fitting country code/u;
const WRITTEN_INSIDE = /as people write numbers inside a country/u;

// Digits that just are, or just are not, what a rule speaks of.
it.each<[string, string, string | RegExp]>([
	// Numbers that belong to no country have their code only where they are longer than people write numbers inside one.
	['870773111222', '', '870773111222'],
	['87077311122', '', NO_CODE],
	['19995550123', '', NO_CODE],
	// A whole number of Brazil has 12 or 13 digits.
	['551131234567', '', '551131234567'],
	['5511987654321', '', '5511987654321'],
	['55113123456', '', NO_CODE],
	['55119876543211', '', NO_CODE],
	['55119876543211', 'BR', NO_CODE],
	['550119876543', '', /After 55/u],
	['55011987654321', '', /After 55/u],
	// Behind a country code, a 0 that is dialled inside makes no whole number.
	['4402079460958', 'GB', NO_CODE],
	['91123456789', 'AR', /first 0 is missing/u],
	['1012345678', '', NO_CODE],
	['+1012345678', '', /\+10 or \+11/u],
	['+1112345678', '', /\+10 or \+11/u],
	['+1212345678', '', '1212345678'],
	// Eleven digits are still written inside a country, twelve are not.
	['12 34567-8901', '', WRITTEN_INSIDE],
	['(351) 912 345 678', '', '351912345678'],
	// The service numbers of Brazil have no area code.
	['3003-1234', 'BR', /no number of this form/u],
	['3003-1234', '', /inside a country\. Write it/u],
	['112-555-0123', '', NO_CODE],
	['212-112-0123', '', NO_CODE],
	// 20 is no area code, but Egypt.
	['20 98765 4321', '', '20987654321'],
	['21 98765 4321', '', WRITTEN_INSIDE],
	['87654321', 'FR', /too short to begin with a country code\. If it is a number of another/u],
	['87654321', 'BR', /area code is missing/u],
	['1234567.0', '', /decimals/u],
	['123456789012345,0', '', /decimals/u],
	['+1 212 555 0123 x. 4', '', /extension/u],
	['+5511987654321|+5511987654322', '', /more than one/u],
	['+5511987654321&+5511987654322', '', /more than one/u],
	['+44 [0]20 7946 0958', '', /Leave it out/u],
	['+39 [06] 1234 5678', '', /belongs to the number\. .*: \+39 0612345678/u],
	// What stands before the bracket is more than a country code.
	['+225 07 (01) 02 03 04', '', /In some countries/u],
	['+39 06 (0)1234567', '', /In some countries/u],
	['+49 30 (0)1234567', '', /In some countries/u],
	['+999 (0)20 1234567', '', /In some countries/u],
])('%s, with the country "%s": %s', (text, country, expected) => {
	if (typeof expected === 'string') expect(readPhone(text, country)).toBe(expected);
	else expect(() => readPhone(text, country)).toThrow(expected);
});

it.each(['BR', 'br', 'Br', ' BR ', '\tbr\n'])('takes %j for Brazil', (country) => {
	expect(readPhone('51 98765-4321', country)).toBe('5551987654321');
});

it.each([
	['AR', '011 15-2345-6789', 'rewritten as it is dialled from abroad, 54 put in front'],
	['BR', '0 41 11 3123-4567', '0 and carrier code left out, 55 put in front'],
	['BR', '011 3123-4567', '0 left out, 55 put in front'],
	['BR', '11 3123-4567', '55 put in front'],
	['RU', '8 912 345-67-89', '8 left out, 7 put in front'],
])('in %s, %s becomes a whole number, in words: %s', (country, text, words) => {
	const name = { AR: 'Argentina', BR: 'Brazil', RU: 'Russia' }[country];
	expect(describePhone(text, country).rule).toBe(`number written as in ${name}: ${words}`);
});

it.each([
	['what is longer than any number is its own key', ' 5511987654321'.padEnd(101, '1')],
	['so is what is no number', '1@lid'],
])('%s', (_what, text) => {
	expect(keyOf(text)).toBe(text);
});
