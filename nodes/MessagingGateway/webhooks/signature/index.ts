import { isEvent, type GatewayEvent } from '../event';
import type { SignedRequest } from '../http';
import { readSigningHeaders } from './headers';
import { createVerifier, type Verifier } from './verify';

/** A genuine delivery: the event, and when this attempt to deliver it was sent, in Unix seconds. */
export interface Genuine {
	event: GatewayEvent;
	sentAt: number;
}

/**
 * What became of a signature: `stale`, it fits, but was made more than five minutes before or after now; `unsigned`, it has
 * not even the form of one; `unheld`, there is no secret to judge it by.
 */
export type SignatureVerdict =
	| ({ kind: 'genuine' } & Genuine)
	| ({ kind: 'stale' } & Pick<Genuine, 'sentAt'>)
	| { kind: 'forged' | 'unsigned' | 'unheld' };

/** For so many seconds before and after its time stamp a signature is good (API document, "Limits"). */
export const SIGNATURE_LASTS = 300;

// A secret is prepared once: of as many as this there is no more than one for each trigger in use.
const MOST_VERIFIERS = 1_000;
const cachedVerifiers = new Map<string, Verifier>();

/**
 * Judges a delivery (API document, "Webhook delivery signing", rules 1 to 4), the cheapest first: whatever a stranger
 * sends without the form of a signature costs no secret, no reading and no hashing. Never throws.
 *
 * @param findSecret gives the secret, or undefined if none is held; one that cannot be a secret counts as none
 */
export async function verifyDelivery(
	request: SignedRequest,
	findSecret: () => Promise<string | undefined>,
): Promise<SignatureVerdict> {
	const headers = readSigningHeaders(request.rawHeaders);
	if (headers === undefined) return { kind: 'unsigned' };
	const secret = await findSecret();
	if (secret === undefined || !isUsableSecret(secret)) return { kind: 'unheld' };
	const body = await request.readBody();
	if (body === undefined) return { kind: 'forged' };
	const verifier = verifierFor(secret);
	const sentAt = Number(headers['webhook-timestamp']);
	if (Math.abs(Math.floor(Date.now() / 1000) - sentAt) > SIGNATURE_LASTS)
		return verifier.fits(headers, body) ? { kind: 'stale', sentAt } : { kind: 'forged' };
	const signed = verifier.verify(headers, body);
	return isEvent(signed, headers['webhook-id'])
		? { kind: 'genuine', event: signed, sentAt }
		: { kind: 'forged' };
}

/** Whether a text can be a secret at all. */
export function isUsableSecret(secret: string): boolean {
	try {
		verifierFor(secret);
		return true;
	} catch {
		return false;
	}
}

/** The headers with which the gateway would send a body now. */
export function signDelivery(secret: string, id: string, body: string): Record<string, string> {
	const now = new Date();
	return {
		'content-type': 'application/json',
		'webhook-id': id,
		'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
		'webhook-signature': verifierFor(secret).sign(id, now, body),
	};
}

function verifierFor(secret: string): Verifier {
	const known = cachedVerifiers.get(secret);
	if (known !== undefined) return known;
	const verifier = createVerifier(secret);
	if (cachedVerifiers.size >= MOST_VERIFIERS) cachedVerifiers.clear();
	cachedVerifiers.set(secret, verifier);
	return verifier;
}
