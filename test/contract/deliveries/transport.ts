import { gzipSync } from 'node:zlib';
import { deliver, makeEvent, refused, type BadDelivery, type Delivery, type Kit } from './delivery';

const forged = (kit: Kit, contentType: string | null) =>
	deliver(kit, { contentType, secret: kit.otherSecret });

const contentTypes: Array<[what: string, type: string | null]> = [
	['no content type', null],
	['the content type of bytes', 'application/octet-stream'],
	['the content type of a form', 'application/x-www-form-urlencoded'],
	['the content type of text', 'text/plain'],
	['JSON as content type, in capitals', 'APPLICATION/JSON'],
];

const wrappings: Array<[what: string, encoding: string, (body: Buffer) => Buffer, type?: string]> =
	[
		['a forged body in gzip', 'gzip', gzipSync],
		[
			'a forged body that unpacks to a thousand times its size',
			'gzip',
			() => gzipSync(JSON.stringify(makeEvent({ data: { text: ' '.repeat(10_000_000) } }))),
		],
		['bad gzip under an unknown content type', 'gzip', (body) => body, 'application/octet-stream'],
	];

/** Forgeries in other wrappings. */
export const transport: BadDelivery[] = refused('transport', [
	...contentTypes.map(([what, type]) => ({
		name: `${what}, forged`,
		make: (kit: Kit) => forged(kit, type),
	})),
	...wrappings.map(([what, encoding, wrap, type]) => ({
		name: what,
		make: (kit: Kit) => {
			const delivery = forged(kit, type ?? 'application/json');
			const { headers, body } = delivery;
			return {
				headers: [...headers, ['content-encoding', encoding]],
				body: wrap(body),
			} as Delivery;
		},
	})),
	{
		name: '17 MB under an unknown content type',
		make: (kit) => ({
			...forged(kit, 'application/octet-stream'),
			body: Buffer.alloc(17 * 1024 * 1024, 0x20),
		}),
	},
	{
		name: 'a form with parts that are no form',
		make: (kit) => forged(kit, 'multipart/related; boundary=x'),
	},
]);
