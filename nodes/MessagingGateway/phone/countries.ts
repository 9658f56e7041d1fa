import { AREA_CODES, BRAZILIAN_LOCAL } from './brazil';

/** How numbers are written inside a country. `nsn` is what follows the country code, the "national (significant) number" of E.164. */
export interface Country {
	name: string;
	/** Calling code, without `+`. */
	code: string;
	/** The nsn of numbers that are written without any prefix. */
	bare?: RegExp;
	/** The nsn of numbers that are written behind a 0 which is dialled inside the country only. */
	behindZero?: RegExp;
	/** Whether two digits for the carrier may stand between that 0 and the nsn. */
	hasCarriers?: true;
	/** A number without its area code, where that can be told from others. */
	local?: RegExp;
}

const BRAZILIAN = new RegExp(`^(?:${[...AREA_CODES].join('|')})(?:9\\d{8}|[2-9]\\d{7})$`, 'u');
const NORTH_AMERICAN = /^[2-9][0-8]\d[2-9]\d{6}$/u;

/**
 * By ISO 3166 code, in the order of their names. Only countries whose way of writing leads to one number with
 * certainty. Argentina's does not: the 15 of a mobile number becomes a 9 in another place abroad.
 */
export const COUNTRIES: Record<string, Country> = {
	AO: { name: 'Angola', code: '244', bare: /^[29]\d{8}$/u },
	BO: { name: 'Bolivia', code: '591', bare: /^[2-467]\d{7}$/u },
	BR: {
		name: 'Brazil',
		code: '55',
		bare: BRAZILIAN,
		behindZero: BRAZILIAN,
		hasCarriers: true,
		local: BRAZILIAN_LOCAL,
	},
	CA: { name: 'Canada', code: '1', bare: NORTH_AMERICAN },
	CL: { name: 'Chile', code: '56', bare: /^[2-9]\d{8}$/u },
	CO: { name: 'Colombia', code: '57', bare: /^(?:3\d|60)\d{8}$/u },
	FR: { name: 'France', code: '33', behindZero: /^[1-79]\d{8}$/u },
	DE: { name: 'Germany', code: '49', behindZero: /^(?:1[2-9]\d{5,9}|[2-9]\d{6,10})$/u },
	IN: { name: 'India', code: '91', bare: /^[6-9]\d{9}$/u, behindZero: /^[1-9]\d{9}$/u },
	// The 0 of a landline is a part of its number, and so it is in Ivory Coast.
	IT: { name: 'Italy', code: '39', bare: /^(?:0[1-9]\d{6,9}|3\d{9})$/u },
	CI: { name: 'Ivory Coast', code: '225', bare: /^[02][157]\d{8}$/u },
	MX: { name: 'Mexico', code: '52', bare: /^[2-9]\d{9}$/u },
	MZ: { name: 'Mozambique', code: '258', bare: /^(?:8[2-7]\d{7}|2\d{7})$/u },
	PY: { name: 'Paraguay', code: '595', behindZero: /^9\d{8}$/u },
	PE: { name: 'Peru', code: '51', bare: /^9\d{8}$/u, behindZero: /^[14-8]\d{7}$/u },
	PT: { name: 'Portugal', code: '351', bare: /^[239]\d{8}$/u },
	ES: { name: 'Spain', code: '34', bare: /^[6-9]\d{8}$/u },
	GB: { name: 'United Kingdom', code: '44', behindZero: /^[1-37]\d{9}$/u },
	US: { name: 'United States', code: '1', bare: NORTH_AMERICAN },
	UY: { name: 'Uruguay', code: '598', bare: /^[24]\d{7}$/u, behindZero: /^9\d{7}$/u },
};
