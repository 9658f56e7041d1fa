import { deflateSync, gzipSync } from 'node:zlib';
import { deliver, makeEvent, refused, type BadDelivery, type Delivery, type Kit } from './delivery';

function answeredByN8n(name: string, answers: number[], make: (kit: Kit) => Delivery): BadDelivery {
	return { group: 'transport', name, answers, answeredBy: 'n8n', make };
}

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

const methods = ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

/** Requests that are wrong in their wrapping; much of it n8n answers before the trigger sees it. */
export const transport: BadDelivery[] = [
	...refused('transport', [
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
				const body = gzipSync(
					JSON.stringify(makeEvent({ data: { text: ' '.repeat(10_000_000) } })),
				);
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
	]),
	answeredByN8n('JSON that breaks off', [422], (kit) => deliver(kit, { body: '{"id":"evt' })),
	answeredByN8n('text that is no JSON', [422], (kit) => deliver(kit, { body: 'hello' })),
	answeredByN8n('bytes that are no text', [422], (kit) =>
		deliver(kit, { body: Buffer.from([0xff, 0xfe, 0, 1]) }),
	),
	answeredByN8n('a charset that does not exist', [422], (kit) =>
		deliver(kit, { contentType: 'application/json; charset=nonsense' }),
	),
	answeredByN8n('brotli', [422], (kit) =>
		deliver(kit, {
			headers: [['content-encoding', 'br']],
			body: Buffer.from('0b02807b7d03', 'hex'),
		}),
	),
	answeredByN8n('bad gzip', [500], (kit) =>
		deliver(kit, { headers: [['content-encoding', 'gzip']] }),
	),
	answeredByN8n('17 MB', [413, 500], (kit) =>
		deliver(kit, { body: Buffer.alloc(17 * 1024 * 1024, 0x20) }),
	),
	answeredByN8n('a form with a file, without its boundary', [400, 500], (kit) =>
		deliver(kit, { contentType: 'multipart/form-data' }),
	),
	answeredByN8n('20 KB of headers', [431], (kit) =>
		deliver(kit, { headers: [['x-padding', 'a'.repeat(20_000)]] }),
	),
	...methods.map((method) =>
		answeredByN8n(`the method ${method}`, [404], (kit) => ({
			...deliver(kit),
			method,
			body: method === 'GET' || method === 'HEAD' ? Buffer.alloc(0) : deliver(kit).body,
		})),
	),
	answeredByN8n('a path below the trigger’s', [404], (kit) => ({
		...deliver(kit),
		suffix: '/more',
	})),
	answeredByN8n('a path that leads upwards', [404], (kit) => ({
		...deliver(kit),
		suffix: '/../../other',
	})),
];
