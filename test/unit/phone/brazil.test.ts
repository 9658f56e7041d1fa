import { AREA_CODES } from '../../../nodes/MessagingGateway/phone/brazil';
import { describePhone } from '../../../nodes/MessagingGateway/phone/describe';
import { drawDigits } from './draw';
import { judgeKind } from './judge';

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
