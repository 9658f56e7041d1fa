import { gzipSync } from 'node:zlib';
import { deliver, makeEvent, refused, type BadDelivery, type Kit } from './delivery';

type Bytes = Buffer | string;

function tamper(kit: Kit, change: (body: Buffer) => Bytes) {
	const delivery = deliver(kit);
	return { ...delivery, body: Buffer.from(change(delivery.body)) };
}

function swap(body: Buffer, from: Bytes, to: Bytes): Buffer {
	const at = body.indexOf(from);
	if (at === -1) throw new Error('There is nothing to swap');
	return Buffer.concat([body.subarray(0, at), Buffer.from(to), body.subarray(at + from.length)]);
}

const afterSigning: Array<[what: string, change: (body: Buffer) => Bytes]> = [
	['with one letter changed', (body) => swap(body, 'RECEIVED', 'RECEIVEE')],
	['with a BOM in front', (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])],
	['written anew with spaces', (body) => JSON.stringify(JSON.parse(body.toString()), null, 2)],
	['of another delivery', () => JSON.stringify(makeEvent())],
	['with nothing in it', () => ''],
	['with 15 MB of spaces added', (body) => Buffer.concat([body, Buffer.alloc(15_000_000, 0x20)])],
];

const neverSigned: Array<[what: string, body: () => Bytes]> = [
	[
		'that would change every object',
		() => '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
	],
	['nested ten thousand times', () => `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
	['of 15 MB', () => JSON.stringify(makeEvent({ data: { text: 'x'.repeat(15_000_000) } }))],
	['with a number beyond all measure', () => `{"id":"evt","type":"X","n":1e${'9'.repeat(400)}}`],
];

/** Signed with the right secret, and still no event (API 9.1). */
const signedNonsense: Array<[what: string, body: Bytes]> = [
	['a list with an event', `[${JSON.stringify(makeEvent({ id: 'evt_signed' }))}]`],
	['a text', '"evt_signed"'],
	['an event without an id', JSON.stringify({ ...makeEvent(), id: undefined })],
	[
		'an event without a type',
		JSON.stringify({ ...makeEvent({ id: 'evt_signed' }), type: undefined }),
	],
	['an event with another id than the header', JSON.stringify(makeEvent({ id: 'evt_other' }))],
	['an event whose id is a number', '{"id":1,"type":"MESSAGE.RECEIVED"}'],
	['an event whose type is an object', '{"id":"evt_signed","type":{"a":1}}'],
	[
		'an event that is only in the prototype',
		'{"__proto__":{"id":"evt_signed","type":"MESSAGE.RECEIVED"}}',
	],
	[
		'an event after a BOM',
		Buffer.concat([
			Buffer.from([0xef, 0xbb, 0xbf]),
			Buffer.from(JSON.stringify(makeEvent({ id: 'evt_signed' }))),
		]),
	],
];

/** Bodies changed after signing, never signed, or signed and no event. */
export const bodies: BadDelivery[] = refused('bodies', [
	...afterSigning.map(([what, change]) => ({
		name: `a body ${what} after signing`,
		make: (kit: Kit) => tamper(kit, change),
	})),
	{
		name: 'bytes that are no UTF-8 where the signed body has their replacement',
		make: (kit) => {
			const replaced = makeEvent({ data: { text: '\ufffd' } });
			const delivery = deliver(kit, { event: replaced });
			return { ...delivery, body: swap(delivery.body, '\ufffd'.repeat(1), Buffer.from([0xff])) };
		},
	},
	{
		name: 'a compressed body whose signature is that of the compressed bytes',
		make: (kit) => {
			const event = makeEvent();
			const packed = gzipSync(JSON.stringify(event));
			return deliver(kit, { event, body: packed, headers: [['content-encoding', 'gzip']] });
		},
	},
	...neverSigned.map(([what, body]) => ({
		name: `an unsigned body ${what}`,
		make: (kit: Kit) => deliver(kit, { body: body(), secret: kit.otherSecret }),
	})),
	...signedNonsense.map(([what, body]) => ({
		name: `a signed body: ${what}`,
		make: (kit: Kit) => deliver(kit, { id: 'evt_signed', body }),
	})),
]);
