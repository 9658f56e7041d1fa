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

interface Wrapping {
	name: string;
	wrap(body: Buffer): Buffer;
	contentType: string;
}

/** All say that they are in gzip. */
const wrappings: Wrapping[] = [
	{
		name: 'a forged body in gzip',
		wrap: gzipSync,
		contentType: 'application/json',
	},
	{
		name: 'a forged body that unpacks to a thousand times its size',
		wrap: () => gzipSync(JSON.stringify(makeEvent({ data: { text: ' '.repeat(10_000_000) } }))),
		contentType: 'application/json',
	},
	{
		name: 'bad gzip under an unknown content type',
		wrap: (body) => body,
		contentType: 'application/octet-stream',
	},
];

/** Forgeries in other wrappings. */
export const transport: BadDelivery[] = refused('transport', [
	...contentTypes.map(([what, type]) => ({
		name: `${what}, forged`,
		make: (kit: Kit) => forged(kit, type),
	})),
	...wrappings.map(({ name, wrap, contentType }) => ({
		name,
		make: (kit: Kit): Delivery => {
			const { headers, body } = forged(kit, contentType);
			return { headers: [...headers, ['content-encoding', 'gzip']], body: wrap(body) };
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
