import { readPhone } from '../../../nodes/MessagingGateway/phone/read';
import { PhoneNotUsable } from '../../../nodes/MessagingGateway/phone/strip';
import { draw, drawDigits } from './draw';

const ROUNDS = 2000;

describe('what is typed', () => {
	it('quotes what was typed, but not at any length', () => {
		expect(() => readPhone('Maria')).toThrow('"Maria" cannot be used as a phone number. ');
		expect(() => readPhone('y'.repeat(10_000))).toThrow(`"${'y'.repeat(40)}…"`);
	});

	it('only ever takes formatting away from what has a +', () => {
		const formatting = [
			'',
			' ',
			'-',
			'.',
			'(',
			')',
			'[',
			']',
			'\u00a0',
			'\u2011',
			'\u2013',
			'\u200e',
		];
		for (let round = 0; round < ROUNDS; round++) {
			const phone = `${draw('23456789')}${drawDigits(6 + Math.floor(round % 9))}`.replace(
				/^550/u,
				'551',
			);
			// A zero after an opening bracket means a trunk prefix and is refused.
			const typed = [...phone]
				.map((digit) => `${digit === '0' ? '' : draw(formatting)}${digit}`)
				.join('');
			expect(readPhone(`${draw(['+', ' +'])}${typed}`)).toBe(phone);
		}
	});

	it('answers in good time whatever it is given', () => {
		const pieces = ['1', '+', '(', ' ', '1.', '1e', '-0', 'x', '\u200b', '(0', '( ', '0x', '9 '];
		for (const piece of pieces)
			expect(() => readPhone(piece.repeat(200_000), 'BR')).toThrow(PhoneNotUsable);
		for (const formatting of [' ', '(', '( ', '.', '-', '\u200b', '( -.\u200b'])
			expect(readPhone(`51${formatting.repeat(200_000)}987654321`, 'BR')).toBe('5551987654321');
	});
});
