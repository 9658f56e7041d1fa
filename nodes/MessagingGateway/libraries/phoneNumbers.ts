/** The parts of `libphonenumber-js` that the package uses. The build bundles the library into this file. */
export {
	getCountryCallingCode,
	isSupportedCountry,
	parsePhoneNumberFromString,
	type PhoneNumber,
} from 'libphonenumber-js/min';
