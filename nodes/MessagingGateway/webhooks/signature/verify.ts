import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'crypto';
import { Webhook } from 'standardwebhooks';
import { whySecretUnfit } from '../../api/token';
import type { SigningHeaders } from './headers';

// What n8n reads by default; a body beyond it would only keep n8n's one thread busy.
const LARGEST_BODY = 16 * 1024 * 1024;

/**
 * The reference implementation, with the hashing done by Node over the bytes as they came: on its own it hashes
 * in JavaScript, and over decoded text, in which different bytes can look the same.
 */
class RawBodyWebhook extends Webhook {
	private readonly hmacKey: KeyObject;

	constructor(secret: string) {
		super(secret);
		// A plain buffer would be imported anew for every delivery.
		this.hmacKey = createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64'));
	}

	override sign(id: string, timestamp: Date, body: string | Buffer): string {
		const seconds = Math.floor(timestamp.getTime() / 1000);
		const hmac = createHmac('sha256', this.hmacKey).update(`${id}.${seconds}.`).update(body);
		return `v1,${hmac.digest('base64')}`;
	}
}

/** Signs and verifies with one secret. */
export interface Verifier {
	/** The signature of a delivery of this moment, as the gateway makes it. */
	sign(id: string, timestamp: Date, body: string): string;
	/** What was signed, parsed; undefined if the signature is not genuine or not fresh. Never throws. */
	verify(headers: SigningHeaders, body: Buffer): unknown;
	/** Whether the signature is genuine, however old it is. */
	fits(headers: SigningHeaders, body: Buffer): boolean;
}

/**
 * Prepares a secret for verification (API document, "Webhook delivery signing", rules 1 to 4).
 *
 * @throws Error if it cannot be one
 */
export function createVerifier(secret: string): Verifier {
	const unfit = whySecretUnfit(secret);
	if (unfit !== undefined) throw new Error(unfit);
	const webhook = new RawBodyWebhook(secret);
	return {
		sign: (id, timestamp, body) => webhook.sign(id, timestamp, body),
		verify(headers, body) {
			if (body.length > LARGEST_BODY) return undefined;
			try {
				return withoutStackTrace(() => webhook.verify(body, { ...headers }));
			} catch {
				// Whatever the library objects to, and whatever cannot be parsed, is a delivery to refuse.
				return undefined;
			}
		},
		fits(headers, body) {
			if (body.length > LARGEST_BODY) return false;
			const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
			const expected = Buffer.from(webhook.sign(headers['webhook-id'], sentAt, body));
			const signatures = headers['webhook-signature'].split(' ');
			return signatures.some((each) => timingSafeEqual(Buffer.from(each), expected));
		},
	};
}

/** The library's error carries a stack trace, which takes n8n five times as long as finding the forgery and is never read. */
function withoutStackTrace<T>(verify: () => T): T {
	const { stackTraceLimit } = Error;
	Error.stackTraceLimit = 0;
	try {
		return verify();
	} finally {
		Error.stackTraceLimit = stackTraceLimit;
	}
}
