import { createHmac } from 'node:crypto';
import {
	deliver,
	headerOf,
	makeEvent,
	refused,
	withHeader,
	type BadDelivery,
	type Kit,
} from './delivery';

// Well formed, and right for nothing here.
const WRONG = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';

function resign(kit: Kit, rewrite: (signature: string) => string) {
	const delivery = deliver(kit);
	return withHeader(
		delivery,
		'webhook-signature',
		rewrite(headerOf(delivery, 'webhook-signature')),
	);
}

const rewritings: Array<[what: string, rewrite: (signature: string) => string]> = [
	['that is well formed and wrong', () => WRONG],
	['of plain words', () => 'invalid signature'],
	['without its padding', (signature) => signature.replace(/=+$/, '')],
	[
		'with its last character changed',
		(signature) => signature.replace(/.=$/, (end) => (end === 'A=' ? 'E=' : 'A=')),
	],
	[
		'with its first character changed',
		(signature) => signature.replace(/^v1,./, (start) => (start === 'v1,A' ? 'v1,B' : 'v1,A')),
	],
	[
		'that stands for the same bytes in other characters',
		(signature) =>
			signature.replace(
				/(.)=$/,
				(_all, last: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}=`,
			),
	],
	['in lower case', (signature) => signature.toLowerCase()],
	[
		'as other services write it',
		(signature) => `sha256=${Buffer.from(signature.slice(3), 'base64').toString('hex')}`,
	],
	['without a version', (signature) => signature.slice(3)],
	['with version v0', (signature) => signature.replace('v1', 'v0')],
	['with version v1a', (signature) => signature.replace('v1', 'v1a')],
	['with version V1', (signature) => signature.replace('v1', 'V1')],
	['with a space after the comma', (signature) => signature.replace(',', ', ')],
	['with something after another comma', (signature) => `${signature},x`],
	[
		'in the base64 of web addresses',
		(signature) => signature.replace(/\+/g, '-').replace(/\//g, '_').replace(/=$/, ''),
	],
	['in quotation marks', (signature) => `"${signature}"`],
	['twice without a space', (signature) => signature + signature],
	['joined to another by a comma', (signature) => `${WRONG},${signature}`],
	['repeated wrongly three hundred times', () => Array(300).fill(WRONG).join(' ')],
	[
		'right, after sixteen others',
		(signature) => [...Array<string>(16).fill(WRONG), signature].join(' '),
	],
	[
		'right, between hundreds of empty ones',
		(signature) => `${' '.repeat(300)}${'v1, '.repeat(200)}${signature}`,
	],
	['of nothing but zero bytes', () => `v1,${Buffer.alloc(32).toString('base64')}`],
];

const digests: Array<[what: string, sign: (key: Buffer, signed: string, body: string) => string]> =
	[
		[
			'a signature over the body alone',
			(key, _signed, body) => `v1,${createHmac('sha256', key).update(body).digest('base64')}`,
		],
		[
			'a right signature for version v2 beside a wrong one for v1',
			(key, signed) => `${WRONG} v2,${createHmac('sha256', key).update(signed).digest('base64')}`,
		],
	];

/** Signatures wrong, misspelt, of other versions, or made with something else than the secret. */
export const signatures: BadDelivery[] = refused('signatures', [
	...rewritings.map(([what, rewrite]) => ({
		name: `a signature ${what}`,
		make: (kit: Kit) => resign(kit, rewrite),
	})),
	...digests.map(([name, signWith]) => ({
		name,
		make: (kit: Kit) => {
			const event = makeEvent();
			const body = JSON.stringify(event);
			const key = Buffer.from(kit.secret.slice(6), 'base64');
			return deliver(kit, {
				event,
				signature: signWith(key, `${event.id}.${kit.now}.${body}`, body),
			});
		},
	})),
]);
