import { createHmac, createSecretKey, type KeyObject } from 'crypto';
import { Webhook } from 'standardwebhooks';
import { isEvent, type GatewayEvent } from '../event';
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
		const encoded = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret;
		// A plain buffer would be imported anew for every delivery.
		this.hmacKey = createSecretKey(Buffer.from(encoded, 'base64'));
	}

	override sign(id: string, timestamp: Date, body: string | Buffer): string {
		const seconds = Math.floor(timestamp.getTime() / 1000);
		const hmac = createHmac('sha256', this.hmacKey).update(`${id}.${seconds}.`).update(body);
		return `v1,${hmac.digest('base64')}`;
	}
}

/** Verifies deliveries against one secret (API document, "Webhook delivery signing", rules 1 to 4). */
export interface Verifier {
	readonly secret: string;
	/** The event, or undefined if the delivery is not genuine, not fresh or not an event. Never throws. */
	verify(headers: SigningHeaders, body: Buffer): GatewayEvent | undefined;
}

/**
 * Prepares a secret for verification, to be kept as long as the secret is the same.
 *
 * @throws Error if it is not base64, with `whsec_` in front or without
 */
export function createVerifier(secret: string): Verifier {
	const webhook = new RawBodyWebhook(secret);
	return {
		secret,
		verify(headers, body) {
			if (body.length > LARGEST_BODY) return undefined;
			try {
				const event = withoutStackTrace(() => webhook.verify(body, { ...headers }));
				return isEvent(event, headers['webhook-id']) ? event : undefined;
			} catch {
				// Whatever the library objects to, and whatever cannot be parsed, is a delivery to refuse.
				return undefined;
			}
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
