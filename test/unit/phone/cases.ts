import type { PhoneKind } from '../../../nodes/MessagingGateway/phone/brazil';

export const SOURCES = {
	api: 'API document, "Identifiers"',
	rgn: 'ANATEL, Resolução 749/2022 (numbering of telecommunication services)',
	ninth: 'ANATEL, Resolução 553/2010 (ninth digit) and Ato 6.305/2012 (its schedule)',
	e164: 'ITU-T E.164 (at most 15 digits, country code first)',
	e123: 'ITU-T E.123 (how numbers are printed)',
	nanp: 'NANPA (area codes begin with 2 to 9; 555-01xx is fictional)',
	ofcom: 'Ofcom, numbers for use in drama',
	acma: 'ACMA, numbers for use in creative works',
	arcep: 'ARCEP, numbers for audiovisual works',
	idd: 'ITU-T E.164 list of dialling prefixes',
	own: 'seen in spreadsheets, address books and chats',
} as const;

export type Source = keyof typeof SOURCES;

export interface AcceptedCase {
	text: string | number;
	phone: string;
	kind: PhoneKind;
	source: Source;
	/** For Brazilian numbers with a known area code. */
	areaCode?: string;
	/** Only where it differs from the digits. */
	key?: string;
	/** The other spelling of the line, where there is one. */
	otherSpelling?: string;
	/** Why libphonenumber sees this number otherwise. */
	divergence?: string;
}

export interface RefusedCase {
	text: unknown;
	says: RegExp;
	source: Source;
	/** Why we refuse what libphonenumber reads as a valid number. */
	divergence?: string;
}

const RETIRED =
	'It knows only numbers in service, and eight-digit mobile numbers left service; the network still shows them';

const mobile = (text: string | number, phone: string, source: Source): AcceptedCase => ({
	text,
	phone,
	kind: 'mobile',
	source,
	areaCode: phone.slice(2, 4),
	key: `55${phone.slice(2, 4)}${phone.slice(5)}`,
	otherSpelling: `55${phone.slice(2, 4)}${phone.slice(5)}`,
});

const newRangeMobile = (text: string, phone: string): AcceptedCase => ({
	text,
	phone,
	kind: 'mobile',
	source: 'ninth',
	areaCode: phone.slice(2, 4),
});

const oldForm = (
	text: string,
	phone: string,
	divergence: string | undefined = RETIRED,
): AcceptedCase => ({
	text,
	phone,
	kind: 'mobileOldForm',
	source: 'ninth',
	areaCode: phone.slice(2, 4),
	otherSpelling: `${phone.slice(0, 4)}9${phone.slice(4)}`,
	divergence,
});

const landline = (text: string, phone: string): AcceptedCase => ({
	text,
	phone,
	kind: 'landline',
	source: 'rgn',
	areaCode: phone.slice(2, 4),
});

const other = (
	text: string | number,
	phone: string,
	source: Source,
	areaCode?: string,
): AcceptedCase => ({
	text,
	phone,
	kind: 'other',
	source,
	areaCode,
});

export const ACCEPTED: AcceptedCase[] = [
	// Brazilian mobiles as people write them
	mobile('5511987654321', '5511987654321', 'api'),
	mobile('+5511987654321', '5511987654321', 'api'),
	mobile('+55 11 98765-4321', '5511987654321', 'api'),
	mobile('+55 (11) 98765-4321', '5511987654321', 'e123'),
	mobile('(+55) 11 98765 4321', '5511987654321', 'own'),
	mobile('[55] [11] 9 8765 4321', '5511987654321', 'own'),
	mobile('55.11.98765.4321', '5511987654321', 'own'),
	mobile('  +55 11 98765-4321\n', '5511987654321', 'own'),
	mobile('+55\u00a011\u00a098765\u20114321', '5511987654321', 'own'),
	mobile('+55\u202f11\u200998765\u20134321', '5511987654321', 'own'),
	mobile('+55 11 98765\u20144321', '5511987654321', 'own'),
	mobile('+55 11 98765\u22124321', '5511987654321', 'own'),
	mobile('\u202a+55 11 98765-4321\u202c', '5511987654321', 'own'),
	mobile('\ufeff+55 11 98765\u200b-4321', '5511987654321', 'own'),
	mobile(5511987654321, '5511987654321', 'own'),
	// One mobile per region and per first digit that has both spellings
	mobile('+55 21 99876-5432', '5521998765432', 'ninth'),
	mobile('+55 27 96123-4567', '5527961234567', 'ninth'),
	mobile('+55 31 97123-4567', '5531971234567', 'ninth'),
	mobile('+55 47 98412-3456', '5547984123456', 'ninth'),
	mobile('+55 55 99912-3456', '5555999123456', 'ninth'),
	mobile('+55 61 98123-4567', '5561981234567', 'ninth'),
	mobile('+55 71 99123-4567', '5571991234567', 'ninth'),
	mobile('+55 85 98765-4321', '5585987654321', 'ninth'),
	mobile('+55 92 99123-4567', '5592991234567', 'ninth'),
	// Handed out with nine digits from the start
	newRangeMobile('+55 11 95123-4567', '5511951234567'),
	newRangeMobile('+55 11 94123-4567', '5511941234567'),
	newRangeMobile('+55 21 93123-4567', '5521931234567'),
	newRangeMobile('+55 11 92123-4567', '5511921234567'),
	newRangeMobile('+55 11 91234-5678', '5511912345678'),
	// The old form
	oldForm('+55 11 8765-4321', '551187654321'),
	oldForm('55 21 9876 5432', '552198765432'),
	oldForm('+55 (31) 8412-3456', '553184123456'),
	oldForm('55 47 6123-4567', '554761234567'),
	oldForm('+55 85 9999-0000', '558599990000'),
	oldForm('+55 92 9123-4567', '559291234567'),
	{
		...oldForm('+55 11 7812-3456', '551178123456'),
		divergence:
			'It keeps eight digits beginning with 7 as mobile: the trunked radio service had them; this kind names the form only',
	},
	// Landlines
	landline('+55 11 3123-4567', '551131234567'),
	landline('+55 (11) 2345-6789', '551123456789'),
	landline('55 11 5123 4567', '551151234567'),
	landline('+55.21.4123.4567', '552141234567'),
	landline('+55 61 3312-3456', '556133123456'),
	landline('+55 99 3521-0000', '559935210000'),
	// Brazilian numbers that are neither
	other('+55 800 123 4567', '558001234567', 'rgn'),
	other('+55 4004-1234', '5540041234', 'rgn'),
	other('+55 300 123 4567', '553001234567', 'rgn'),
	other('+55 11 1234-5678', '551112345678', 'rgn', '11'),
	other('+55 11 0234-5678', '551102345678', 'rgn', '11'),
	other('+55 20 98765-4321', '5520987654321', 'rgn'),
	other('+55 23 98765-4321', '5523987654321', 'rgn'),
	other('+55 76 3123-4567', '557631234567', 'rgn'),
	other('+55 11 88765-4321', '5511887654321', 'ninth'),
	other('+55 11 9876-543', '55119876543', 'ninth'),
	// Other countries are left alone
	other('+1 (212) 555-0123', '12125550123', 'nanp'),
	other('1-800-555-0199', '18005550199', 'nanp'),
	other('+44 7700 900123', '447700900123', 'ofcom'),
	other('+44 20 7946 0958', '442079460958', 'ofcom'),
	other('+61 491 570 006', '61491570006', 'acma'),
	other('+33 6 39 98 12 34', '33639981234', 'arcep'),
	other('+351 912 345 678', '351912345678', 'e164'),
	other('+54 9 11 2345-6789', '5491123456789', 'e164'),
	other('+595 961 234567', '595961234567', 'e164'),
	other('+47 98 41 23 45', '4798412345', 'e164'),
	other('+65 9123 4567', '6591234567', 'e164'),
	other('+39 06 1234 5678', '390612345678', 'e164'),
	other('+49 1512 3456789', '4915123456789', 'e164'),
	other('+86 131 2345 6789', '8613123456789', 'e164'),
	other('+883 5100 1234 5678', '883510012345678', 'e164'),
	other('+683 4002', '6834002', 'e164'),
	other('+123456789012345', '123456789012345', 'e164'),
	other(12125550123, '12125550123', 'own'),
];

export const REFUSED: RefusedCase[] = [
	{ text: '', says: /empty/u, source: 'own' },
	{ text: '   ', says: /empty/u, source: 'own' },
	{ text: undefined, says: /empty/u, source: 'own' },
	{ text: null, says: /empty/u, source: 'own' },
	{ text: '\u200b', says: /too short/u, source: 'own' },
	{ text: '+', says: /too short/u, source: 'own' },
	{ text: '()', says: /too short/u, source: 'own' },
	{ text: '120363040000000000@g.us', says: /"By ID"/u, source: 'api' },
	{ text: '5511987654321@example.net', says: /"By ID"/u, source: 'api' },
	{
		text: '+55 11 98765-4321 @',
		says: /"By ID"/u,
		source: 'api',
		divergence: 'It cuts off what follows',
	},
	{ text: 'a1b2c3@lid', says: /"By ID"/u, source: 'api' },
	{ text: 'Maria', says: /no letters/u, source: 'own' },
	{ text: '55 11 9876S-4321', says: /no letters/u, source: 'own' },
	{
		text: 'tel:+5511987654321',
		says: /no letters/u,
		source: 'own',
		divergence: 'It reads URIs; here they are not formatting',
	},
	{ text: '+1 800 FLOWERS', says: /no letters/u, source: 'own' },
	{ text: '+55 11 3123-4567 ramal 12', says: /extension/u, source: 'own' },
	{
		text: '+1 212 555 0123 ext. 4',
		says: /extension/u,
		source: 'nanp',
		divergence: 'It keeps the extension apart; a message cannot reach it',
	},
	{
		text: '+1 212 555 0123x4',
		says: /extension/u,
		source: 'nanp',
		divergence: 'It keeps the extension apart; a message cannot reach it',
	},
	{
		text: '+1 212 555 0123 #4',
		says: /extension/u,
		source: 'nanp',
		divergence: 'It keeps the extension apart; a message cannot reach it',
	},
	{ text: '5511987654321, 5511987654322', says: /more than one/u, source: 'own' },
	{ text: '+5511987654321;+5511987654322', says: /more than one/u, source: 'own' },
	{ text: '+55 11 3123-4567/4568', says: /more than one/u, source: 'own' },
	{ text: '+5511987654321\n+5511987654322', says: /more than one/u, source: 'own' },
	{ text: '+5511987654321\t+5511987654322', says: /more than one/u, source: 'own' },
	{ text: '+5511987654321+5511987654322', says: /more than one/u, source: 'own' },
	{ text: '5511987654321 5511987654322', says: /too long/u, source: 'e164' },
	{ text: '1234567890123456', says: /too long/u, source: 'e164' },
	{ text: '190', says: /too short/u, source: 'rgn' },
	{ text: '+55 11', says: /too short/u, source: 'e164' },
	{ text: '+683 400', says: /too short/u, source: 'e164' },
	{
		text: '0 11 98765-4321',
		says: /begins with 0.*Did you mean \+55 11 98765-4321\?/u,
		source: 'e164',
	},
	{ text: '011 98765-4321', says: /begins with 0/u, source: 'rgn' },
	{ text: '+055 11 98765-4321', says: /begins with 0/u, source: 'e164' },
	{ text: '00 55 11 98765-4321', says: /dialling abroad/u, source: 'idd' },
	{ text: '+0055 11 98765-4321', says: /dialling abroad/u, source: 'idd' },
	{
		text: '+44 (0)20 7946 0958',
		says: /zero in brackets/u,
		source: 'ofcom',
		divergence: 'It drops the zero; we remove no digit',
	},
	{
		text: '+55 (011) 98765-4321',
		says: /zero in brackets/u,
		source: 'rgn',
		divergence: 'It drops the zero; we remove no digit',
	},
	{
		text: '+55 011 98765-4321',
		says: /After 55/u,
		source: 'rgn',
		divergence: 'It drops the zero; we remove no digit',
	},
	{
		text: '+55 0 15 11 98765-4321',
		says: /After 55/u,
		source: 'rgn',
		divergence: 'It drops the carrier code; we remove no digit',
	},
	{ text: '11 98765-4321', says: /55/u, source: 'nanp' },
	{ text: '(11) 98765-4321', says: /55/u, source: 'nanp' },
	{ text: '55+11987654321', says: /in front/u, source: 'e123' },
	{ text: '+55_11_98765_4321', says: /Remove everything else/u, source: 'own' },
	{ text: '+55 11 98765*4321', says: /Remove everything else/u, source: 'own' },
	{
		text: '+٥٥ ١١ ٩٨٧٦٥ ٤٣٢١',
		says: /Remove everything else/u,
		source: 'own',
		divergence: 'It reads the digits of every script',
	},
	{ text: "'5511987654321", says: /Remove everything else/u, source: 'own' },
	{ text: '5.51199E+12', says: /spreadsheet has shortened/u, source: 'own' },
	{ text: '5,51199e12', says: /spreadsheet has shortened/u, source: 'own' },
	{ text: '5511987654321.0', says: /decimals/u, source: 'own' },
	{ text: '5511987654321,00', says: /decimals/u, source: 'own' },
	{ text: 5511987654321.5, says: /whole number/u, source: 'own' },
	{ text: -5511987654321, says: /whole number/u, source: 'own' },
	{ text: 1e21, says: /whole number/u, source: 'own' },
	{ text: NaN, says: /whole number/u, source: 'own' },
	{ text: 1234567890123456, says: /too long/u, source: 'e164' },
	{ text: ['+5511987654321'], says: /a list/u, source: 'own' },
	{ text: { phone: '+5511987654321' }, says: /of type object/u, source: 'own' },
	{ text: true, says: /of type boolean/u, source: 'own' },
];
