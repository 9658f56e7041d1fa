import {
	comparePhones,
	describePhone,
	keyOf,
} from '../../../nodes/MessagingGateway/phone/describe';
import { readPhone } from '../../../nodes/MessagingGateway/phone/read';
import { PhoneNotUsable } from '../../../nodes/MessagingGateway/phone/strip';
import { ACCEPTED, REFUSED } from './cases';
import { draw, drawDigits } from './draw';

const ROUNDS = 2000;

describe('the table of cases', () => {
	it.each(ACCEPTED)('reads $text as $phone, $kind ($source)', (expected) => {
		const { text, phone, kind, areaCode, key = phone, otherSpelling } = expected;
		expect(describePhone(text)).toEqual({
			phone,
			e164: `+${phone}`,
			rule: expect.stringMatching(/^as given, /u),
			...(phone.startsWith('55') && { country: 'BR' }),
			kind,
			...(areaCode && { areaCode }),
			key,
			variants: otherSpelling
				? [phone, otherSpelling].sort((a, b) => b.length - a.length)
				: [phone],
		});
	});

	it.each(REFUSED)('refuses $text ($source)', ({ text, says }) => {
		expect(() => readPhone(text)).toThrow(PhoneNotUsable);
		expect(() => readPhone(text)).toThrow(says);
		expect(() => describePhone(text)).toThrow(says);
		expect(() => keyOf(text)).not.toThrow();
	});

	it('has no case twice', () => {
		const texts = [...ACCEPTED, ...REFUSED].map(({ text }) => text);
		expect(new Set(texts).size).toBe(texts.length);
	});
});

describe('keys', () => {
	it('are the same for two numbers only when they are spellings of one line', () => {
		for (let round = 0; round < ROUNDS; round++) {
			const local = drawDigits(8);
			const areaCode = draw(['11', '21', '47', '65', '99', '20', '10']);
			const nineDigits = `55${areaCode}9${local}`;
			const candidates = [
				nineDigits,
				`55${areaCode}${local}`,
				`${areaCode}${local}`,
				`55${areaCode}8${local}`,
			];
			const usable = candidates.filter((text) => !/^(?:1[01]|550)/u.test(text));
			for (const a of usable) {
				for (const b of usable) {
					const spelledTwice = /^[6-9]/u.test(local) && !['20', '10'].includes(areaCode);
					const oneLine = spelledTwice && [a, b].every((text) => candidates.indexOf(text) < 2);
					expect([a, b, keyOf(a) === keyOf(b)]).toEqual([a, b, a === b || oneLine]);
				}
			}
		}
	});

	it('are keys of themselves, and of every variant', () => {
		for (const { text } of ACCEPTED) {
			const { key, variants } = describePhone(text);
			expect(variants).toContain(readPhone(text));
			expect([key, ...variants].map(keyOf)).toEqual(Array(variants.length + 1).fill(key));
		}
	});

	it('fall back to the trimmed text for what is no phone number', () => {
		expect(keyOf(' 1234@lid ')).toBe('1234@lid');
		expect(keyOf('')).toBe('');
		expect(keyOf(undefined)).toBe('');
		expect(keyOf({})).toBe('');
		expect(keyOf(12)).toBe('12');
	});
});

describe('comparePhones', () => {
	it.each([
		['+55 11 98765-4321', '5511987654321', true, 'same number'],
		['551187654321', '+55 11 8765-4321', true, 'same number'],
		['+44 7700 900123', '447700900123', true, 'same number'],
		[
			'+55 11 98765-4321',
			'+55 11 8765-4321',
			true,
			'same Brazilian mobile line, written with and without the ninth digit',
		],
		['+55 11 98765-4321', '+55 21 98765-4321', false, 'different numbers'],
		['+55 11 93123-4567', '+55 11 3123-4567', false, 'different numbers'],
		['+55 47 98412-3456', '+47 84 12 34 56', false, 'different numbers'],
		['+55 65 99123-4567', '+65 9123 4567', false, 'different numbers'],
		['+55 20 98765-4321', '+55 20 8765-4321', false, 'different numbers'],
	])('%s and %s: %s, %s', (a, b, same, reason) => {
		expect(comparePhones(a, b)).toEqual({
			same,
			reason,
			first: describePhone(a),
			second: describePhone(b),
		});
		expect(comparePhones(b, a)).toMatchObject({ same, reason });
	});

	it('reads both as written in the country named', () => {
		expect(comparePhones('11 98765-4321', '0 41 11 8765-4321', 'BR')).toMatchObject({
			same: true,
			reason: 'same Brazilian mobile line, written with and without the ninth digit',
			first: { phone: '5511987654321', rule: expect.stringContaining('55 put in front') },
			second: { phone: '551187654321', rule: expect.stringContaining('carrier code left out') },
		});
		expect(() => comparePhones('+5511987654321', '11 98765-4321')).toThrow('Did you mean');
	});

	it('says which of the two cannot be used', () => {
		expect(() => comparePhones('+5511987654321', 'Maria')).toThrow('"Maria"');
		expect(() => comparePhones('Maria', '+5511987654321')).toThrow('"Maria"');
	});
});
