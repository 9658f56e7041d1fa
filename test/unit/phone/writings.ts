/** Why a writing must come out as it does. */
export const PLANS = {
	BR: 'ANATEL, Resolução 749/2022: area code and 8 or 9 digits, behind 0 or 0 and a carrier code when dialled inside',
	PT: 'ANACOM, Plano Nacional de Numeração: nine digits, no prefix',
	ES: 'CNMC, Plan nacional de numeración: nine digits, no prefix',
	FR: 'ARCEP, plan de numérotation: 0 and nine digits',
	GB: 'Ofcom, National Telephone Numbering Plan: 0 and ten digits',
	DE: 'Bundesnetzagentur, Nummernraum: 0 and up to eleven digits',
	IT: 'AGCOM, Piano di numerazione: the 0 of a landline belongs to the number',
	CI: 'ARTCI, plan of 31 January 2021: ten digits, the 0 belongs to the number',
	US: 'NANPA: ten digits, area code and exchange begin with 2 to 9',
	CA: 'CNAC, as NANPA',
	MX: 'IFT, Plan de numeración of August 2019: ten digits, no prefix any more',
	CL: 'SUBTEL, plan of 2016: nine digits, no prefix',
	CO: 'CRC, Resolución 5826/2019: ten digits, landlines begin with 60',
	PE: 'MTC, Plan Técnico Fundamental de Numeración: mobiles of nine digits, landlines behind 0',
	IN: 'DoT, National Numbering Plan: ten digits, behind 0 for landlines and often for mobiles',
	AO: 'INACOM: nine digits, no prefix',
	BO: 'ATT: eight digits',
	MZ: 'INCM: mobiles of nine digits, no prefix',
	PY: 'CONATEL: mobiles of nine digits behind 0',
	UY: 'URSEC: mobiles of eight digits behind 0',
} as const;

export interface Writing {
	text: string | number;
	/** The country of the person who wrote it. */
	country: keyof typeof PLANS;
	/** What goes out where the credential names that country; words of the refusal if nothing may. */
	inCountry: string | RegExp;
	/** What goes out where it names none. */
	alone: string | RegExp;
	/** Why libphonenumber reads something else in it. */
	divergence?: string;
}

const TAKEN_FOR_NATIONAL =
	'It takes whatever could be a number of the country for one, in service or not';

const from =
	(country: Writing['country']) =>
	(
		text: Writing['text'],
		inCountry: Writing['inCountry'],
		alone: Writing['alone'],
		divergence?: string,
	): Writing => ({ text, country, inCountry, alone, divergence });

const br = from('BR');
const meant = (number: string): RegExp =>
	new RegExp(`Did you mean ${number.replace('+', '\\+')}\\?`, 'u');
const areaCodeMissing = /area code is missing\. Did you mean \+55 11 \d{4,5}-\d{4}/u;

export const WRITINGS: Writing[] = [
	// As people in Brazil write them, seen to reach Peru, the Netherlands and Australia
	br('51 98765-4321', '5551987654321', meant('+55 51 98765-4321')),
	br('(31) 98765-4321', '5531987654321', meant('+55 31 98765-4321')),
	br('(21) 98765-4321', '5521987654321', meant('+55 21 98765-4321')),
	br('61 98765-4321', '5561987654321', meant('+55 61 98765-4321')),
	br('47 98765-4321', '5547987654321', meant('+55 47 98765-4321')),
	br('55 98765-4321', '5555987654321', meant('+55 55 98765-4321')),
	br('98765-4321', areaCodeMissing, areaCodeMissing),
	br('11 98765-4321', '5511987654321', meant('+55 11 98765-4321')),
	br('(51) 9 8765-4321', '5551987654321', meant('+55 51 98765-4321')),
	br('51 9 8765-4321', '5551987654321', meant('+55 51 98765-4321')),
	br('51 98765 4321', '5551987654321', meant('+55 51 98765-4321')),
	br('51.98765.4321', '5551987654321', meant('+55 51 98765-4321')),
	br('51-98765-4321', '5551987654321', meant('+55 51 98765-4321')),
	br('5198765-4321', '5551987654321', meant('+55 51 98765-4321')),
	br('[51] 98765 4321', '5551987654321', meant('+55 51 98765-4321')),
	br('51\u00a098765\u20114321', '5551987654321', meant('+55 51 98765-4321')),
	br('51 \u200b98765\u22124321', '5551987654321', meant('+55 51 98765-4321')),
	// By their digits alone: some are whole numbers elsewhere, some are none anywhere
	br('51987654321', '5551987654321', '51987654321'),
	br(51987654321, '5551987654321', '51987654321'),
	br('51 987 654 321', '5551987654321', '51987654321'),
	br('31987654321', '5531987654321', '31987654321'),
	br('21987654321', '5521987654321', meant('+55 21 98765-4321')),
	br(21987654321, '5521987654321', meant('+55 21 98765-4321')),
	br('11987654321', '5511987654321', meant('+55 11 98765-4321')),
	br('12987654321', '5512987654321', meant('+55 12 98765-4321')),
	br('55987654321', '5555987654321', meant('+55 55 98765-4321')),
	br('71987654321', '5571987654321', meant('+55 71 98765-4321')),
	br('987654321', areaCodeMissing, areaCodeMissing),
	br(987654321, areaCodeMissing, areaCodeMissing),
	// With the 0 that is dialled inside the country, the carrier's code, or a place for it
	br('0 21 98765-4321', '5521987654321', meant('+55 21 98765-4321')),
	br('021 98765-4321', '5521987654321', meant('+55 21 98765-4321')),
	br('(021) 98765-4321', '5521987654321', meant('+55 21 98765-4321')),
	br('0xx21 98765-4321', '5521987654321', meant('+55 21 98765-4321'), 'It knows no 0xx'),
	br('(0XX21) 98765-4321', '5521987654321', meant('+55 21 98765-4321'), 'It knows no 0xx'),
	br('0 (xx21) 98765-4321', '5521987654321', meant('+55 21 98765-4321'), 'It knows no 0xx'),
	br('0**21 98765-4321', '5521987654321', meant('+55 21 98765-4321'), 'It knows no 0**'),
	br('041 21 98765-4321', '5521987654321', meant('+55 21 98765-4321')),
	br('0 15 11 3123-4567', '551131234567', meant('+55 11 3123-4567')),
	br('055 98765-4321', '5555987654321', meant('+55 55 98765-4321')),
	br('0 55 11 98765-4321', '5511987654321', meant('+55 11 98765-4321')),
	// Landlines, and mobiles from before the ninth digit: never a digit more than the 55
	br('(11) 3123-4567', '551131234567', meant('+55 11 3123-4567')),
	br('11 3123 4567', '551131234567', meant('+55 11 3123-4567')),
	br('3123-4567', areaCodeMissing, areaCodeMissing),
	br('8765-4321', areaCodeMissing, areaCodeMissing),
	br('(31) 8412-3456', '553184123456', meant('+55 31 8412-3456')),
	br('65 9123-4567', '556591234567', meant('+55 65 9123-4567')),
	br('65 9123 4567', '556591234567', '6591234567'),
	br('(11) 95123-4567', '5511951234567', meant('+55 11 95123-4567')),
	// What cannot receive a message, or is no number of the plan
	br('190', /too short/u, /too short/u),
	br('0800 123 4567', /no number of this form/u, /begins with 0/u),
	br('4004-1234', /no number of this form/u, /as people write numbers inside a country/u),
	br('(20) 98765-4321', /no number of this form/u, /as people write numbers inside a country/u),
	br('11 88765-4321', /no number of this form/u, /as people write numbers inside a country/u),
	br('11 1234-5678', /no number of this form/u, /as people write numbers inside a country/u),
	// Complete already
	br('+55 51 98765-4321', '5551987654321', '5551987654321'),
	br('+51 987 654 321', '51987654321', '51987654321'),
	br('+51 98765-4321', '51987654321', '51987654321'),
	br('5551987654321', '5551987654321', '5551987654321'),
	br(5551987654321, '5551987654321', '5551987654321'),
	br('55 51 98765-4321', '5551987654321', '5551987654321'),
	br('55 (51) 98765-4321', '5551987654321', '5551987654321'),
	br('(55) 51 98765-4321', '5551987654321', '5551987654321'),
	br('55 51 8765-4321', '555187654321', '555187654321'),
	br('351 912 345 678', '351912345678', '351912345678', TAKEN_FOR_NATIONAL),
	br('1 (212) 555-0123', '12125550123', '12125550123', TAKEN_FOR_NATIONAL),
	br('+55 (021) 98765-4321', /Leave it out/u, /Leave it out/u),
	br('+55 0 21 98765-4321', /After 55/u, /After 55/u),
	br('+55 0xx21 98765-4321', /carrier/u, /carrier/u),
	br('00 55 21 98765-4321', /dialling abroad/u, /dialling abroad/u),

	from('PT')('912 345 678', '351912345678', /too short/u),
	from('PT')('21 234 5678', '351212345678', /too short/u),
	from('PT')('351912345678', '351912345678', '351912345678'),
	from('PT')('(21) 98765-4321', /no number of this form/u, meant('+55 21 98765-4321')),

	from('ES')('612 34 56 78', '34612345678', /too short/u),
	from('ES')('91 123 45 67', '34911234567', /too short/u),
	from('ES')('+34 612 34 56 78', '34612345678', '34612345678'),

	from('FR')('06 12 34 56 78', '33612345678', /begins with 0/u),
	from('FR')('01 23 45 67 89', '33123456789', /begins with 0/u),
	from('FR')('6 12 34 56 78', meant('+33 612345678'), /too short/u),
	from('FR')('+33 (0)6 12 34 56 78', /Leave it out/u, /Leave it out/u),
	from('FR')('33 6 12 34 56 78', '33612345678', '33612345678'),

	from('GB')('07400 123456', '447400123456', /begins with 0/u),
	from('GB')('(020) 7946 0958', '442079460958', /begins with 0/u),
	from('GB')(7400123456, meant('+44 7400123456'), /begin with a fitting country code/u),
	from('GB')('+44 (0)20 7946 0958', /Leave it out/u, /Leave it out/u),
	from('GB')('44 20 7946 0958', '442079460958', '442079460958'),

	from('DE')('01512 3456789', '4915123456789', /begins with 0/u),
	from('DE')('030 123456', '4930123456', /begins with 0/u),
	// Without its 0, it is a number in Texas.
	from('DE')('1512 3456789', meant('+49 15123456789'), '15123456789'),
	from('DE')('49 1512 3456789', '4915123456789', '4915123456789', TAKEN_FOR_NATIONAL),

	from('IT')('06 1234 5678', '390612345678', /begins with 0/u),
	from('IT')('(06) 1234 5678', '390612345678', /begins with 0/u),
	from('IT')('312 345 6789', '393123456789', '3123456789'),
	from('IT')('6 1234 5678', meant('+39 0612345678'), /too short/u),
	from('IT')('39 06 1234 5678', '390612345678', '390612345678'),
	// A mobile number of Italy, or a short one of Rome with its country code
	from('IT')('3906123456', /two readings/u, '3906123456'),
	from('IT')('+39 (06) 1234 5678', /belongs to the number/u, /belongs to the number/u),

	from('CI')('07 01 02 03 04', '2250701020304', /begins with 0/u),
	from('CI')('27 20 21 22 23', '2252720212223', '2720212223'),
	from('CI')('+225 (07) 01 02 03 04', /belongs to the number/u, /belongs to the number/u),
	from('CI')('+225 07 01 02 03 04', '2250701020304', '2250701020304'),

	from('US')('(212) 555-0123', '12125550123', /as people write numbers inside a country/u),
	from('US')('212-555-0123', '12125550123', meant('+1 212-555-0123')),
	// No number of Morocco has seven digits behind 212, nor one of Iran eight behind 98.
	from('US')('212 555 0123', '12125550123', /begin with a fitting country code/u),
	from('US')('1-212-555-0123', '12125550123', '12125550123'),
	from('US')('555-0123', /too short/u, /too short/u),
	from('CA')('(506) 234-5678', '15062345678', /as people write numbers inside a country/u),

	from('MX')('55 1234 5678', '525512345678', /begin with a fitting country code/u),
	from('MX')('55 1234-5678', '525512345678', /as people write numbers inside a country/u),
	from('MX')('52 55 1234 5678', '525512345678', '525512345678'),
	from('MX')('521 55 1234 5678', '5215512345678', '5215512345678'),
	from('MX')('01 55 1234 5678', /no number of this form/u, /begins with 0/u),
	from('MX')('044 55 1234 5678', /no number of this form/u, /begins with 0/u),

	from('CL')('9 8765 4321', '56987654321', areaCodeMissing),
	from('CL')('(2) 2123 4567', '56221234567', /as people write numbers inside a country/u),
	from('CL')('56 9 8765 4321', '56987654321', '56987654321'),

	from('CO')('321 123 4567', '573211234567', '3211234567'),
	from('CO')('(601) 234 5678', '576012345678', /as people write numbers inside a country/u),

	from('PE')('987 654 321', '51987654321', /too short/u),
	from('PE')('51 987 654 321', '51987654321', '51987654321'),
	from('PE')('01 234 5678', '5112345678', /begins with 0/u),

	from('IN')('98765 43210', '919876543210', /begin with a fitting country code/u),
	from('IN')('098765 43210', '919876543210', /begins with 0/u),
	from('IN')('91 98765 43210', '919876543210', '919876543210'),
	from('IN')('022 2345 6789', '912223456789', /begins with 0/u),

	from('AO')('923 123 456', '244923123456', /too short/u),
	from('BO')('7123 4567', '59171234567', /too short/u),
	from('MZ')('82 123 4567', '258821234567', /too short/u),
	from('PY')('0961 456789', '595961456789', /begins with 0/u),
	from('UY')('094 231 234', '59894231234', /begins with 0/u),
];
