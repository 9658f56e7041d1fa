import { createHmac } from 'crypto';
import { whySecretUnfit } from '../gateway/secrets';
import { Webhook } from '../libraries';
import type { SignedRequest } from '../n8n/respond';
import { isEvent, readEvent, type GatewayEvent } from './event';

/** `stale` is signed at another time (Unix seconds); `unsigned` lacks well-formed headers. */
type SignatureVerdict =
	| { kind: 'genuine'; event: GatewayEvent }
	| { kind: 'stale'; sentAt: number }
	| { kind: 'forged' | 'unsigned' };

const unixNow = (): number => Math.floor(Date.now() / 1000);

/** How far a time stamp may be from our clock (API document, "Limits"). */
const VALID_FOR_SECONDS = 300;

/** Verifies a delivery (API document, "Webhook delivery signing"). Throws as `findSecret` does. */
export async function verifyDelivery(
	request: SignedRequest,
	findSecret: () => string | undefined | Promise<string | undefined>,
): Promise<SignatureVerdict> {
	const headers = readSigningHeaders(request.rawHeaders);
	if (headers === undefined) return { kind: 'unsigned' };
	const secret = (await findSecret()) ?? '';
	const body = whySecretUnfit(secret) === undefined ? await request.readBody() : undefined;
	const content = body && readSigned(secret, headers, body);
	if (content === undefined) return { kind: 'forged' };
	const { id, sentAt } = headers;
	if (Math.abs(unixNow() - sentAt) > VALID_FOR_SECONDS) return { kind: 'stale', sentAt };
	return isEvent(content, id) ? { kind: 'genuine', event: readEvent(content) } : { kind: 'forged' };
}

// The API document does not say how IDs look. HTTP takes spaces at their ends away.
const ID = /^[!-~](?:[ -~]{0,254}[!-~])?$/;
const TIMESTAMP = /^[1-9][0-9]{0,11}$/;
// 32 bytes in base64: 43 characters, of which the last carries only four bits, and the padding.
const SIGNATURE = /^v1,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const MAX_SIGNATURES = 16;

type SigningHeaders = NonNullable<ReturnType<typeof readSigningHeaders>>;

function readSigningHeaders(rawHeaders: readonly string[]) {
	const id = findHeader(rawHeaders, 'webhook-id');
	const timestamp = findHeader(rawHeaders, 'webhook-timestamp');
	const parts = findHeader(rawHeaders, 'webhook-signature').split(' ');
	const signatures = parts.filter((part) => SIGNATURE.test(part)).join(' ');
	if (!ID.test(id) || !TIMESTAMP.test(timestamp)) return undefined;
	if (signatures === '' || parts.length > MAX_SIGNATURES) return undefined;
	return { id, sentAt: Number(timestamp), signatures };
}

function findHeader(rawHeaders: readonly string[], name: string): string {
	const isIt = (index: number): boolean => rawHeaders[index].toLowerCase() === name;
	const values = rawHeaders.filter((_, index) => index % 2 === 1 && isIt(index - 1));
	return values.length === 1 ? values[0] : '';
}

/** The signed JSON, however old it is; undefined if no signature is valid, or it is no JSON. */
function readSigned(secret: string, { id, sentAt, signatures }: SigningHeaders, body: Buffer) {
	const library = new Webhook(secret);
	// The library would hash decoded text, in JavaScript.
	library.sign = () => {
		const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
		return `v1,${hmac.update(`${id}.${sentAt}.`).update(body).digest('base64')}`;
	};
	try {
		return library.verify(body, {
			'webhook-id': id,
			// With `sentAt`, the library would not tell a stale delivery from a forged one.
			'webhook-timestamp': String(unixNow()),
			'webhook-signature': signatures,
		});
	} catch {
		return undefined;
	}
}
