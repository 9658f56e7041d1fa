import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'crypto';
import { whySecretUnfit } from '../gateway/secrets';
import { Webhook } from '../libraries/standardWebhooks';
import { evictOldest } from '../processState';
import { isEvent, readEvent, type GatewayEvent } from './event';
import type { SignedRequest } from './respond';

/** `stale` is validly signed at another time (`sentAt`, Unix seconds); `unsigned` lacks well-formed headers. */
type SignatureVerdict =
	| { kind: 'genuine'; event: GatewayEvent }
	| { kind: 'stale'; sentAt: number }
	| { kind: 'forged' | 'unsigned' };

/** How far a time stamp may be from our clock (API document, "Limits"). */
const VALID_FOR_SECONDS = 300;

/** Verifies a delivery (API document, "Webhook delivery signing", rules 1 to 4), cheap checks first. Throws what `findSecret` throws. */
export async function verifyDelivery(
	request: SignedRequest,
	findSecret: () => string | undefined | Promise<string | undefined>,
): Promise<SignatureVerdict> {
	const headers = readSigningHeaders(request.rawHeaders);
	if (headers === undefined) return { kind: 'unsigned' };
	const verifier = verifierFor(await findSecret());
	const body = verifier && (await request.readBody());
	if (verifier === undefined || body === undefined) return { kind: 'forged' };
	const sentAt = Number(headers['webhook-timestamp']);
	if (Math.abs(Math.floor(Date.now() / 1000) - sentAt) > VALID_FOR_SECONDS)
		return verifier.isSigned(headers, body) ? { kind: 'stale', sentAt } : { kind: 'forged' };
	const content = verifier.readSigned(headers, body);
	if (!isEvent(content, headers['webhook-id'])) return { kind: 'forged' };
	return { kind: 'genuine', event: readEvent(content) };
}

type SigningHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

// The API document does not say how IDs look: printable ASCII, without spaces at the ends, which HTTP takes away.
const ID = /^[!-~](?:[ -~]{0,254}[!-~])?$/;
const TIMESTAMP = /^[1-9][0-9]{0,11}$/;
// 32 bytes in base64: 43 characters, of which the last carries only four bits, and the padding.
const SIGNATURE = /^v1,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const MAX_SIGNATURES = 16;
const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** The signing headers with the well-formed signatures alone; undefined if one is missing, doubled or of another shape. */
function readSigningHeaders(rawHeaders: readonly string[]): SigningHeaders | undefined {
	const [id, timestamp, signature] = NAMES.map((name) => findHeader(rawHeaders, name));
	const parts = signature.split(' ');
	const signatures = parts.filter((part) => SIGNATURE.test(part));
	if (!ID.test(id) || !TIMESTAMP.test(timestamp)) return undefined;
	if (signatures.length === 0 || parts.length > MAX_SIGNATURES) return undefined;
	return {
		'webhook-id': id,
		'webhook-timestamp': timestamp,
		'webhook-signature': signatures.join(' '),
	};
}

/** Empty unless the header comes exactly once. */
function findHeader(rawHeaders: readonly string[], name: string): string {
	const isIt = (index: number): boolean => rawHeaders[index].toLowerCase() === name;
	const values = rawHeaders.filter((_, index) => index % 2 === 1 && isIt(index - 1));
	return values.length === 1 ? values[0] : '';
}

/** The reference implementation. Only its hashing is replaced: it would hash decoded text, in JavaScript. */
class Verifier extends Webhook {
	private readonly hmacKey: KeyObject;

	constructor(secret: string) {
		super(secret);
		// A plain buffer would be imported again for every delivery.
		this.hmacKey = createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64'));
	}

	override sign(id: string, timestamp: Date, body: string | Buffer): string {
		const seconds = Math.floor(timestamp.getTime() / 1000);
		const hmac = createHmac('sha256', this.hmacKey).update(`${id}.${seconds}.`).update(body);
		return `v1,${hmac.digest('base64')}`;
	}

	/** Undefined if the signature is not valid or not fresh, or the body no JSON. */
	readSigned(headers: SigningHeaders, body: Buffer): unknown {
		// The library's error would carry a stack trace, which costs five times as much as finding the forgery.
		const { stackTraceLimit } = Error;
		Error.stackTraceLimit = 0;
		try {
			return this.verify(body, { ...headers });
		} catch {
			return undefined;
		} finally {
			Error.stackTraceLimit = stackTraceLimit;
		}
	}

	/** However old the signature is. */
	isSigned(headers: SigningHeaders, body: Buffer): boolean {
		const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
		const expected = Buffer.from(this.sign(headers['webhook-id'], sentAt, body));
		const signatures = headers['webhook-signature'].split(' ');
		return signatures.some((each) => timingSafeEqual(Buffer.from(each), expected));
	}
}

const MAX_VERIFIERS = 1_000;
// Each load of the package has its own: they hold code, and cost one import of the key to make again.
const cachedVerifiers = new Map<string, Verifier>();

function verifierFor(secret = ''): Verifier | undefined {
	const known = cachedVerifiers.get(secret);
	if (known !== undefined || whySecretUnfit(secret) !== undefined) return known;
	const verifier = new Verifier(secret);
	cachedVerifiers.set(secret, verifier);
	evictOldest(cachedVerifiers, MAX_VERIFIERS);
	return verifier;
}
