import { createHmac, createSecretKey } from 'crypto';
import { whySecretUnfit } from '../gateway/secrets';
import { Webhook } from '../libraries';
import type { SignedRequest } from '../n8n/respond';
import { isEvent, readEvent, type GatewayEvent } from './event';

/** `unsigned` lacks well-formed headers; `forged` has no valid signature of this time, or no event. */
type SignatureVerdict =
	{ kind: 'genuine'; event: GatewayEvent } | { kind: 'forged' } | { kind: 'unsigned' };

/** Verifies a delivery (API 8). Throws as `findSecret` does. */
export async function verifyDelivery(
	request: SignedRequest,
	findSecret: () => string | undefined | Promise<string | undefined>,
): Promise<SignatureVerdict> {
	const headers = readSigningHeaders(request.rawHeaders);
	if (headers === undefined) return { kind: 'unsigned' };

	const secret = (await findSecret()) ?? '';
	if (whySecretUnfit(secret) !== undefined) return { kind: 'forged' };

	const body = await request.readBody();
	const content = body && readSigned(secret, headers, body);
	if (!isEvent(content, headers['webhook-id'])) return { kind: 'forged' };
	return { kind: 'genuine', event: readEvent(content) };
}

/** The headers that sign a delivery, as the library reads them. */
interface SigningHeaders extends Record<string, string> {
	'webhook-id': string;
	'webhook-timestamp': string;
	'webhook-signature': string;
}

// The API does not say what an ID may consist of (API 9.1). HTTP takes spaces at their ends away.
const ID = /^[!-~](?:[ -~]{0,254}[!-~])?$/;
const TIMESTAMP = /^[1-9][0-9]{0,11}$/;
// 32 bytes in base64: 43 characters, of which the last carries only four bits, and the padding.
const SIGNATURE = /^v1,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const MAX_SIGNATURES = 16;

/** Reads the headers, and hashes nothing. Undefined if one is missing, repeated or malformed. */
function readSigningHeaders(rawHeaders: readonly string[]): SigningHeaders | undefined {
	const id = findHeader(rawHeaders, 'webhook-id');
	const timestamp = findHeader(rawHeaders, 'webhook-timestamp');
	if (!ID.test(id) || !TIMESTAMP.test(timestamp)) return undefined;

	const parts = findHeader(rawHeaders, 'webhook-signature').split(' ');
	if (parts.length > MAX_SIGNATURES) return undefined;

	const signatures = parts.filter((part) => SIGNATURE.test(part));
	if (signatures.length === 0) return undefined;

	return {
		'webhook-id': id,
		'webhook-timestamp': timestamp,
		'webhook-signature': signatures.join(' '),
	};
}

/** The value of a header; empty if it is missing, or comes twice: readers differ about that. */
function findHeader(rawHeaders: readonly string[], wanted: string): string {
	const values: string[] = [];
	for (let index = 0; index < rawHeaders.length; index += 2) {
		const name = rawHeaders[index];
		if (name.length === wanted.length && name.toLowerCase() === wanted)
			values.push(rawHeaders[index + 1]);
	}
	return values.length === 1 ? values[0] : '';
}

/** The signed JSON; undefined if no signature is valid at this time, or it is no JSON. */
function readSigned(secret: string, headers: SigningHeaders, body: Buffer): unknown {
	const library = new Webhook(secret);

	// The library checks the time and the signatures. Its hash alone is replaced, because it reads
	// the body as text: bytes that are no UTF-8 become the same sign, so a changed body would fit.
	// Node hashes the bytes as they came, and ten times as fast as the library does in JavaScript:
	// strangers cannot keep n8n busy with large bodies.
	library.sign = () => `v1,${hash(secret, headers, body)}`;

	try {
		return library.verify(body, headers);
	} catch {
		return undefined;
	}
}

function hash(secret: string, headers: SigningHeaders, body: Buffer): string {
	// If the key is no KeyObject, Node looks for one by an exception with a stack.
	const key = createSecretKey(secret.slice('whsec_'.length), 'base64');
	const hmac = createHmac('sha256', key);
	hmac.update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`);
	hmac.update(body);
	return hmac.digest('base64');
}
