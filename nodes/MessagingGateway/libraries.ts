/** The parts of libraries that the package uses. The build bundles them into this file. */
export { parse as parseDisposition } from 'content-disposition';
export {
	getCountries,
	getCountryCallingCode,
	parsePhoneNumberFromString,
	type CountryCode,
} from 'libphonenumber-js/min';
export { Webhook } from 'standardwebhooks';
