/** The libraries that are bundled, with what they need in turn. */
export const BUNDLED = [
	'libphonenumber-js',
	'standardwebhooks',
	'@stablelib/base64',
	'fast-sha256',
];
