/** The three headers of a delivery, looked at but not yet verified (API document, "Webhook delivery signing"). */
export interface SigningHeaders {
	'webhook-id': string;
	'webhook-timestamp': string;
	/** Only the parts that are well-formed signatures of version v1. */
	'webhook-signature': string;
}

// The document does not say how ids look: any printable ASCII, but for spaces at the ends, which HTTP takes away. The
// border between id, time and body cannot be shifted with it: a body that begins elsewhere would have to hold
// what it was cut off from as its id.
const ID = /^[!-~](?:[ -~]{0,254}[!-~])?$/;
const TIMESTAMP = /^[1-9][0-9]{0,11}$/;
// 32 bytes in base64: 43 characters, of which the last carries only four bits, and the padding.
const SIGNATURE = /^v1,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const LONGEST_SIGNATURES = 2048;
const MOST_SIGNATURES = 16;

const NAMES = new Set(['webhook-id', 'webhook-timestamp', 'webhook-signature']);

/**
 * Takes the signing headers out of a request, cheaply and before anything is hashed or even read.
 *
 * @param rawHeaders names and values in turn, as Node received them: a header that came twice is there twice
 * @returns undefined if one is missing, doubled or of a shape that no genuine delivery has
 */
export function readSigningHeaders(rawHeaders: readonly string[]): SigningHeaders | undefined {
	const found = new Map<string, string>();
	for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
		const name = rawHeaders[index].toLowerCase();
		if (!NAMES.has(name)) continue;
		if (found.has(name)) return undefined;
		found.set(name, rawHeaders[index + 1]);
	}
	const id = found.get('webhook-id') ?? '';
	const timestamp = found.get('webhook-timestamp') ?? '';
	const signatures = found.get('webhook-signature') ?? '';
	if (!ID.test(id) || !TIMESTAMP.test(timestamp) || signatures.length > LONGEST_SIGNATURES) {
		return undefined;
	}
	const parts = signatures.split(' ');
	if (parts.length > MOST_SIGNATURES) return undefined;
	const wellFormed = parts.filter((part) => SIGNATURE.test(part));
	if (wellFormed.length === 0) return undefined;
	return {
		'webhook-id': id,
		'webhook-timestamp': timestamp,
		'webhook-signature': wellFormed.join(' '),
	};
}
