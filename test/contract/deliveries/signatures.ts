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
	['without its padding', (signature) => signature.replace(/=+$/, '')],
	[
		'with its last character changed',
		(signature) => signature.replace(/.=$/, (end) => (end === 'A=' ? 'E=' : 'A=')),
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
	['without a version', (signature) => signature.slice(3)],
	['with version v1a', (signature) => signature.replace('v1', 'v1a')],
	['with version V1', (signature) => signature.replace('v1', 'V1')],
	['with a space after the comma', (signature) => signature.replace(',', ', ')],
	[
		'in the base64 of web addresses',
		(signature) => signature.replace(/\+/g, '-').replace(/\//g, '_').replace(/=$/, ''),
	],
	['in quotation marks', (signature) => `"${signature}"`],
	['twice without a space', (signature) => signature + signature],
	['joined to another by a comma', (signature) => `${WRONG},${signature}`],
	['repeated wrongly three hundred times', () => Array(300).fill(WRONG).join(' ')],
	[
		'right, between hundreds of empty ones',
		(signature) => `${' '.repeat(300)}${'v1, '.repeat(200)}${signature}`,
	],
];

/** Signatures wrong, misspelt, of other versions, or made with something else than the secret. */
export const signatures: BadDelivery[] = refused('signatures', [
	...rewritings.map(([what, rewrite]) => ({
		name: `a signature ${what}`,
		make: (kit: Kit) => resign(kit, rewrite),
	})),
	{
		name: 'a signature over the body alone',
		make: (kit) => {
			const event = makeEvent();
			const hmac = createHmac('sha256', Buffer.from(kit.secret.slice(6), 'base64'));
			const signature = `v1,${hmac.update(JSON.stringify(event)).digest('base64')}`;
			return deliver(kit, { event, signature });
		},
	},
]);
