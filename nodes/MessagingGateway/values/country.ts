import { getCountries, type CountryCode } from '../libraries';

/** No name of a country is longer. */
const MAX_LENGTH = 100;

/**
 * Names that people, shops and ISO's own list use, and `Intl.DisplayNames` does not. Each is written
 * as `toKey` gives it.
 */
const FURTHER_NAMES: Record<string, CountryCode> = {
	bolivarianrepublicofvenezuela: 'VE',
	boliviaplurinationalstateof: 'BO',
	bosnia: 'BA',
	britain: 'GB',
	bruneidarussalam: 'BN',
	burma: 'MM',
	caboverde: 'CV',
	congodemocraticrepublicofthe: 'CD',
	czechrepublic: 'CZ',
	democraticrepublicofthecongo: 'CD',
	drcongo: 'CD',
	easttimor: 'TL',
	england: 'GB',
	greatbritain: 'GB',
	holland: 'NL',
	holysee: 'VA',
	iranislamicrepublicof: 'IR',
	ivorycoast: 'CI',
	korearepublicof: 'KR',
	laopeoplesdemocraticrepublic: 'LA',
	macau: 'MO',
	macedonia: 'MK',
	micronesiafederatedstatesof: 'FM',
	moldovarepublicof: 'MD',
	northernireland: 'GB',
	palestinestateof: 'PS',
	republicofireland: 'IE',
	republicofkorea: 'KR',
	russianfederation: 'RU',
	scotland: 'GB',
	swaziland: 'SZ',
	syrianarabrepublic: 'SY',
	taiwanprovinceofchina: 'TW',
	tanzaniaunitedrepublicof: 'TZ',
	turkey: 'TR',
	turkiye: 'TR',
	uae: 'AE',
	unitedstatesofamerica: 'US',
	usa: 'US',
	venezuelabolivarianrepublicof: 'VE',
	wales: 'GB',
};

/** Each country whose numbers the library knows: ISO 3166 code and English name, sorted by name. */
export function listCountries(): Array<{ name: string; value: string }> {
	const names = new Intl.DisplayNames('en', { type: 'region' });

	return getCountries()
		.map((value) => ({ name: names.of(value) ?? value, value }))
		.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/**
 * Reads a country as an order or a form names it.
 *
 * @param value its ISO 3166 code of two letters, also `UK`, or its English name: `BR`, `Brazil`
 * @returns the ISO 3166 code
 * @throws {Error} with the text, if it names no country whose numbers are known
 */
export function readCountry(value: unknown): CountryCode {
	const text = String(value ?? '').trim();
	const key = text.length <= MAX_LENGTH ? toKey(text) : '';
	const code = codesByKey().get(key);
	if (code !== undefined) return code;

	throw new Error(
		`"${text.slice(0, 40)}" is no country whose numbers are known. Enter its ISO code of two letters, e.g. BR, or its English name`,
	);
}

let codes: Map<string, CountryCode> | undefined;

/** The codes of all countries by code and name. They are read once: `Intl` is slow to begin. */
function codesByKey(): Map<string, CountryCode> {
	codes ??= makeCodes();
	return codes;
}

function makeCodes(): Map<string, CountryCode> {
	const made = new Map(Object.entries(FURTHER_NAMES));

	for (const style of ['long', 'short'] as const) {
		const names = new Intl.DisplayNames('en', { type: 'region', style });
		for (const code of getCountries()) made.set(toKey(names.of(code) ?? code), code);
	}

	for (const code of getCountries()) made.set(toKey(code), code);
	return made;
}

/** Letters alone, in lower case and without accents, so that `St. Lucia` is `Saint Lucia`. */
function toKey(name: string): string {
	return name
		.normalize('NFD')
		.toLowerCase()
		.replace(/^the /u, '')
		.replace(/\bst\b/gu, 'saint')
		.replace(/&/gu, 'and')
		.replace(/[^a-z]/gu, '');
}
