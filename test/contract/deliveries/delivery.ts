import { createHmac, randomUUID } from 'node:crypto';
import type { GatewayEvent } from '../../../lab/simulator';

/** A request, as bytes on the wire would have it: header names may repeat and keep their case. */
export interface Delivery {
	headers: Array<[name: string, value: string]>;
	body: Buffer;
}

/** What an attacker or a broken sender may know. */
export interface Kit {
	/** The secret of the trigger that is attacked. */
	secret: string;
	/** The secret of the same trigger before it was registered anew. */
	oldSecret: string;
	/** The secret of another workflow's trigger. */
	otherSecret: string;
	/** Unix seconds. */
	now: number;
}

/** One bad delivery and what must come of it: this answer, and no execution. */
export interface BadDelivery {
	group: string;
	name: string;
	/** The statuses that are right. */
	answers: number[];
	/** What the trigger holds at the time; the secret of the kit unless given. */
	holds?: 'nothing' | 'a malformed secret' | 'a short secret';
	make(kit: Kit): Delivery;
	/** Genuine deliveries that come first, each of which starts an execution. */
	before?(kit: Kit): Delivery[];
}

/** Entries of one group that the trigger itself refuses, as a table. */
export function refused(
	group: string,
	entries: Array<Omit<BadDelivery, 'group' | 'answers'>>,
): BadDelivery[] {
	return entries.map((entry) => ({ group, answers: [401], ...entry }));
}

export function makeEvent(change: Partial<GatewayEvent> = {}): GatewayEvent {
	return {
		id: `evt_${randomUUID()}`,
		type: 'MESSAGE.RECEIVED',
		instanceId: 'inst_1',
		timestamp: new Date().toISOString(),
		data: {
			messageId: `msg_${randomUUID()}`,
			fromMe: false,
			text: 'Olá! 👋',
			messageType: 'TEXT',
			chat: { id: '5511987654321@s.person', type: 'CONTACT', phone: '5511987654321' },
			sender: { id: '5511987654321@s.person', phone: '5511987654321' },
		},
		...change,
	};
}

/** Base64 of the HMAC over `id.timestamp.body`, from nothing but the rules (API 8.2 to 8.4). */
export function signatureOf(secret: string, id: string, timestamp: string, body: Buffer): string {
	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

/** What may differ from a genuine delivery; the signature is made to fit the rest unless it is given. */
export interface Change {
	event?: GatewayEvent;
	body?: Buffer | string;
	id?: string;
	timestamp?: string;
	signature?: string;
	secret?: string;
	contentType?: string | null;
	headers?: Array<[string, string]>;
}

/** A delivery that is genuine in everything but the change, of this moment unless the kit says when. */
export function deliver(
	{ secret, now = Math.floor(Date.now() / 1000) }: Pick<Kit, 'secret'> & Partial<Kit>,
	change: Change = {},
): Delivery {
	const event = change.event ?? makeEvent();
	const body = Buffer.from(change.body ?? JSON.stringify(event));
	const id = change.id ?? event.id;

	const timestamp = change.timestamp ?? String(now);

	const signature =
		change.signature ?? `v1,${signatureOf(change.secret ?? secret, id, timestamp, body)}`;

	const { contentType = 'application/json' } = change;

	return {
		headers: [
			...(contentType === null ? [] : [['content-type', contentType] as [string, string]]),
			['webhook-id', id],
			['webhook-timestamp', timestamp],
			['webhook-signature', signature],
			...(change.headers ?? []),
		],
		body,
	};
}

/** The same delivery with one header changed in every place; null takes it away. */
export function withHeader(delivery: Delivery, name: string, value: string | null): Delivery {
	const headers = delivery.headers.flatMap(([key, old]): Array<[string, string]> => {
		if (key !== name) return [[key, old]];
		return value === null ? [] : [[key, value]];
	});
	return { ...delivery, headers };
}

export function headerOf(delivery: Delivery, name: string): string {
	return delivery.headers.find(([key]) => key === name)?.[1] ?? '';
}
