/** Every character as a number, written as told. */
const each = (write: (hex: string, code: number, index: number) => string) => (header: string) =>
	[...header]
		.map((character, index) => {
			const code = character.charCodeAt(0);
			return write(code.toString(16).padStart(2, '0'), code, index);
		})
		.join('');

/** The bytes in base64, behind so many others of the same group of three. */
const inBase64 = (bytesBefore: number, encoding: BufferEncoding) => (header: string) =>
	Buffer.from('{"a'.slice(0, bytesBefore) + header).toString(encoding);

/**
 * Forms in which services, proxies and frameworks write down a header that they have got, as text between the quotation
 * marks of JSON.
 */
export const ECHO_FORMS = {
	plain: (header: string) => header,
	'JSON-escaped': each((hex) => `\\u00${hex}`),
	'JSON-escaped twice': each((hex) => `\\\\u00${hex}`),
	'percent-encoded': each((hex) => `%${hex}`),
	'percent-encoded in part and twice': each((hex, code, index) => {
		const character = String.fromCharCode(code);
		return [character, `%25${hex.toUpperCase()}`, `%${hex}`, character][index % 4];
	}),
	base64: inBase64(0, 'base64'),
	'base64, one byte later': inBase64(1, 'base64'),
	'base64 for URLs, two bytes later': inBase64(2, 'base64url'),
	hexadecimal: each((hex) => hex),
	'HTML entities': each((hex, code, index) => (index % 2 ? `&#x${hex};` : `&#${code};`)),
};

/** All forms, one after another. */
export const echoInAllForms = (header: string): string =>
	Object.values(ECHO_FORMS)
		.map((write) => write(header))
		.join(' ');

export type EchoForm = keyof typeof ECHO_FORMS;

export const echoForms = Object.keys(ECHO_FORMS) as EchoForm[];
