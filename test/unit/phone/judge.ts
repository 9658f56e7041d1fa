import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { PhoneKind } from '../../../nodes/MessagingGateway/phone/brazil';

export const judge = (phone: string) => parsePhoneNumberFromString(`+${phone}`);

/** What libphonenumber calls the number, in our words; it knows no old form, only numbers that are not valid. */
export function judgeKind(phone: string): PhoneKind {
	const verdict = judge(phone);
	if (verdict?.countryCallingCode !== '55' || !verdict.isValid()) return 'other';
	return (
		({ MOBILE: 'mobile', FIXED_LINE: 'landline' } as const)[
			verdict.getType() as 'MOBILE' | 'FIXED_LINE'
		] ?? 'other'
	);
}
