import { getCountries } from 'libphonenumber-js/min';
import { listCountries, readCountry } from '../../../nodes/MessagingGateway/values/country';

it.each([
	['BR', 'BR'],
	[' br\n', 'BR'],
	['Brazil', 'BR'],
	['BRAZIL', 'BR'],
	['GB', 'GB'],
	['UK', 'GB'],
	['United Kingdom', 'GB'],
	['Great Britain', 'GB'],
	['England', 'GB'],
	['US', 'US'],
	['USA', 'US'],
	['U.S.A.', 'US'],
	['United States of America', 'US'],
	['UAE', 'AE'],
	['The Netherlands', 'NL'],
	['Holland', 'NL'],
	['Turkey', 'TR'],
	['Türkiye', 'TR'],
	['Czech Republic', 'CZ'],
	['Czechia', 'CZ'],
	['Korea, Republic of', 'KR'],
	['South Korea', 'KR'],
	['Russian Federation', 'RU'],
	['Viet Nam', 'VN'],
	['Côte d’Ivoire', 'CI'],
	["Cote d'Ivoire", 'CI'],
	['Ivory Coast', 'CI'],
	['Saint Lucia', 'LC'],
	['Bosnia and Herzegovina', 'BA'],
	['Hong Kong', 'HK'],
	['Kosovo', 'XK'],
])('reads the country %j as %s', (text, code) => {
	expect(readCountry(text)).toBe(code);
});

it.each([
	'Atlantis',
	'XX',
	// Two countries have this name.
	'Congo',
	'Korea',
	'Virgin Islands',
	// The name of another country is a part of it.
	'Guinea, Equatorial',
	'Ireland, Northern',
	'China, Republic of',
	'55',
	'+55',
	'international',
	'',
	null,
	'B'.repeat(70_000),
])('refuses %j by its name', (value) => {
	const shown = String(value ?? '').slice(0, 40);
	expect(() => readCountry(value)).toThrow(`"${shown}" is no country whose numbers are known.`);
});

it('reads each country of its list by code and name', () => {
	const countries = listCountries();
	expect(countries.map(({ value }) => value).sort()).toEqual([...getCountries()].sort());

	for (const { name, value } of countries) {
		expect([name, readCountry(name), readCountry(value)]).toEqual([name, value, value]);
	}
});
