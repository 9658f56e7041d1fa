import { deflateSync, gzipSync } from 'node:zlib';
import { deliver, makeEvent, refused, type BadDelivery, type Kit } from './delivery';

const forged = (kit: Kit, contentType: string | null) =>
	deliver(kit, { contentType, secret: kit.otherSecret });

const contentTypes: Array<[what: string, type: string | null]> = [
	['no content type', null],
	['an empty content type', ''],
	['the content type of bytes', 'application/octet-stream'],
	['the content type of a form', 'application/x-www-form-urlencoded'],
	['the content type of text', 'text/plain'],
	['the content type of JSON of a vendor', 'application/vnd.gateway+json'],
	['a content type that is none', 'nonsense'],
	['JSON as content type, in capitals', 'APPLICATION/JSON'],
	['JSON with a charset as content type', 'application/json; charset=utf-8'],
];

/** Forgeries in other wrappings. */
export const transport: BadDelivery[] = refused('transport', [
	...contentTypes.map(([what, type]) => ({
		name: `${what}, forged`,
		make: (kit: Kit) => forged(kit, type),
	})),
	{
		name: 'a forged body in gzip',
		make: (kit) => {
			const delivery = forged(kit, 'application/json');
			return {
				...delivery,
				headers: [...delivery.headers, ['content-encoding', 'gzip']],
				body: gzipSync(delivery.body),
			};
		},
	},
	{
		name: 'a forged body in deflate',
		make: (kit) => {
			const delivery = forged(kit, 'application/json');
			return {
				...delivery,
				headers: [...delivery.headers, ['content-encoding', 'deflate']],
				body: deflateSync(delivery.body),
			};
		},
	},
	{
		name: 'a forged body that unpacks to a thousand times its size',
		make: (kit) => {
			const delivery = forged(kit, 'application/json');
			const body = gzipSync(JSON.stringify(makeEvent({ data: { text: ' '.repeat(10_000_000) } })));
			return { ...delivery, headers: [...delivery.headers, ['content-encoding', 'gzip']], body };
		},
	},
	{
		name: 'bad gzip under an unknown content type',
		make: (kit) => {
			const delivery = forged(kit, 'application/octet-stream');
			return { ...delivery, headers: [...delivery.headers, ['content-encoding', 'gzip']] };
		},
	},
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
