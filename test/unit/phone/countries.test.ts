import { COUNTRY_NAMES } from '../../../nodes/MessagingGateway/phone/countries';

/** What people call a country where Unicode's names are longer, or are no English words. */
const OTHERWISE: Record<string, string> = {
	CC: 'Cocos Islands',
	CD: 'Congo (Kinshasa)',
	CG: 'Congo (Brazzaville)',
	CI: 'Ivory Coast',
	HK: 'Hong Kong',
	MM: 'Myanmar',
	MO: 'Macao',
	TR: 'Turkey',
};

const spellOut = (name: string | undefined): string | undefined =>
	name
		?.replace(/^St\. /u, 'Saint ')
		.replace(/^U\.S\. /u, 'United States ')
		.replace(' & ', ' and ')
		.replace(' da ', ' Da ');

const unicode = new Intl.DisplayNames('en', { type: 'region' });

it.each([...COUNTRY_NAMES])('%s is %s', (iso, name) => {
	expect(name).toBe(OTHERWISE[iso] ?? spellOut(unicode.of(iso)));
});
