import { createHmac, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { GatewayEvent } from '../event';

export interface SigningOptions {
	/** `webhook-id`; else the event's id, or a new one for a raw body. */
	id?: string;
	/** Unix seconds, or a date; else now. */
	timestamp?: number | Date;
}

/**
 * Headers of a signed delivery (API 8). Text is signed by the reference
 * library; bytes are signed as they are, which the library cannot do.
 */
export function signDelivery(
	payload: GatewayEvent | string | Buffer,
	secret: string,
	{ id, timestamp = new Date() }: SigningOptions = {},
): Record<string, string> {
	const isRaw = typeof payload === 'string' || Buffer.isBuffer(payload);
	const body = isRaw ? payload : JSON.stringify(payload);
	const deliveryId = id ?? (isRaw ? `evt_${randomUUID()}` : payload.id);
	const date = typeof timestamp === 'number' ? new Date(timestamp * 1000) : timestamp;
	return {
		'content-type': 'application/json',
		'webhook-id': deliveryId,
		'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
		'webhook-signature': Buffer.isBuffer(body)
			? signBytes(body, secret, deliveryId, date)
			: new Webhook(secret).sign(deliveryId, date, body),
	};
}

function signBytes(body: Buffer, secret: string, id: string, date: Date): string {
	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	const hmac = createHmac('sha256', key)
		.update(`${id}.${Math.floor(date.getTime() / 1000)}.`)
		.update(body);
	return `v1,${hmac.digest('base64')}`;
}
