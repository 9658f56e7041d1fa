import { createHash, randomUUID } from 'crypto';
import type { GatewayEvent } from './event';
import { signDelivery } from './signature';

/** The type of the delivery that a trigger sends to itself, to see that deliveries reach it. No gateway has it. */
const TYPE = 'N8N.SELF_CHECK';
const ID_PREFIX = 'self-check_';
/** Far more than a self-test has: what a stranger sends is not hashed for nothing. */
const LARGEST_BYTES = 1_024;

export interface ProbeContent {
	headers: Record<string, string>;
	body: string;
	/** What `tellReceived` answers where the body has arrived as it was sent. */
	digest: string;
}

/** Makes a delivery like the gateway's, signed with the secret of the webhook, that starts nothing. */
export function makeProbe(secret: string): ProbeContent {
	const id = `${ID_PREFIX}${randomUUID()}`;
	const body = JSON.stringify({ id, type: TYPE, timestamp: new Date().toISOString(), data: {} });
	return { headers: signDelivery(secret, id, body), body, digest: digestOf(Buffer.from(body)) };
}

/** The message with which a self-test that arrived is answered. */
export const PROBE_ANSWER = 'Self-test received';

/** Whether an answer to a self-test is that of a trigger that took it. */
export function isProbeAnswer({ message }: Record<string, unknown>): boolean {
	return message === PROBE_ANSWER;
}

/** Whether a verified event is a self-test. It is remembered nowhere: whoever repeats it learns nothing new. */
export function isProbe(event: GatewayEvent): boolean {
	return event.type === TYPE;
}

/**
 * Tells the sender of a refused self-test what arrived, so that it can tell a wrong secret from a body that was
 * changed on the way. Undefined for every other delivery.
 *
 * @param rawHeaders names and values in turn, as they came
 */
export function tellReceived(
	rawHeaders: readonly string[],
	body: Buffer | undefined,
): string | undefined {
	const isOne = rawHeaders.some(
		(name, index) =>
			index % 2 === 0 &&
			name.toLowerCase() === 'webhook-id' &&
			rawHeaders[index + 1]?.startsWith(ID_PREFIX),
	);
	return isOne && body && body.length <= LARGEST_BYTES ? digestOf(body) : undefined;
}

function digestOf(body: Buffer): string {
	return createHash('sha256').update(body).digest('hex');
}
