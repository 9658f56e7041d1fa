/** The three headers of a delivery, looked at but not yet verified (API document, "Webhook delivery signing"). */
export interface SigningHeaders {
	'webhook-id': string;
	'webhook-timestamp': string;
	'webhook-signature': string;
}

// A record and not a list, so that one lookup tells whether a header is one of the three.
const SHAPES: Record<string, RegExp> = {
	// The document does not say how ids look; whatever it may be, it is short and printable.
	'webhook-id': /^[A-Za-z0-9_\-.:~]{1,256}$/,
	'webhook-timestamp': /^[1-9][0-9]{0,11}$/,
	'webhook-signature': /^[!-~]+(?: [!-~]+){0,15}$/,
};
const LONGEST_SIGNATURE = 2048;
// 32 bytes in base64: 43 characters, the last of which carries only four bits, and the padding.
const SIGNATURE = /(?:^| )v1,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=(?: |$)/;

/**
 * Takes the signing headers out of a request, cheaply and before anything is hashed or even read.
 *
 * @param rawHeaders names and values in turn, as Node received them: a header that came twice is there twice
 * @returns undefined if one is missing, doubled or of a shape that no genuine delivery has
 */
export function readSigningHeaders(rawHeaders: readonly string[]): SigningHeaders | undefined {
	const found: Record<string, string> = {};
	for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
		const name = rawHeaders[index].toLowerCase();
		if (!Object.hasOwn(SHAPES, name)) continue;
		if (Object.hasOwn(found, name)) return undefined;
		found[name] = rawHeaders[index + 1];
	}
	const signature = found['webhook-signature'];
	if (signature === undefined || signature.length > LONGEST_SIGNATURE) return undefined;
	for (const name in SHAPES) {
		if (found[name] === undefined || !SHAPES[name].test(found[name])) return undefined;
	}
	return SIGNATURE.test(signature) ? (found as unknown as SigningHeaders) : undefined;
}
