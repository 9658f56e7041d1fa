/** The parts of `libphonenumber-js` that the package uses. The build bundles the library into this file. */
export {
	getCountries,
	getCountryCallingCode,
	isSupportedCountry,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
