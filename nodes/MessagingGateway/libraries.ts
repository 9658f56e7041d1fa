/** The parts of the libraries that the package uses. The build bundles the libraries into this file. */
export { parse as parseDisposition } from 'content-disposition';
export {
	getCountries,
	getCountryCallingCode,
	isSupportedCountry,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
export { Webhook } from 'standardwebhooks';
