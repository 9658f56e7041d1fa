import { createHmac, randomUUID } from 'node:crypto';
import type { Shot } from './load';

/** A signed delivery of a new event. */
export function shoot(secret: string, size = 1_000): Shot {
	const id = `evt_${randomUUID()}`;
	return sign(id, makeBody(id, size), secret);
}

/** Signs a body as the gateway does (API document, "Webhook delivery signing"). */
export function sign(id: string, body: Buffer, secret: string): Shot {
	const timestamp = String(Math.floor(Date.now() / 1000));
	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	const signature = createHmac('sha256', key)
		.update(`${id}.${timestamp}.`)
		.update(body)
		.digest('base64');
	return {
		headers: {
			'webhook-id': id,
			'webhook-timestamp': timestamp,
			'webhook-signature': `v1,${signature}`,
		},
		body,
	};
}

/** A received message whose text fills the body up to `size` bytes; the smallest has about 300. */
export function makeBody(id: string, size: number): Buffer {
	const event = (text: string) =>
		JSON.stringify({
			id,
			type: 'MESSAGE.RECEIVED',
			instanceId: 'inst_1',
			timestamp: new Date().toISOString(),
			data: {
				messageId: 'msg_1',
				fromMe: false,
				messageType: 'TEXT',
				chat: { id: '5511987654321@lid', phone: '5511987654321' },
				text,
			},
		});
	return Buffer.from(event('x'.repeat(Math.max(0, size - event('').length))));
}
