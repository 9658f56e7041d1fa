import { deliver, makeEvent, refused, signatureOf, type BadDelivery, type Kit } from './delivery';

/**
 * Signed with the text as it stands and with the number that lax readers take it for, so that only the reading of the
 * timestamp decides.
 */
function deliverAt(kit: Kit, timestamp: string) {
	const event = makeEvent();
	const body = Buffer.from(JSON.stringify(event));
	const readings = new Set([
		timestamp,
		String(parseInt(timestamp, 10)),
		String(Math.trunc(Number(timestamp))),
	]);
	const signature = [...readings]
		.map((reading) => `v1,${signatureOf(kit.secret, event.id, reading, body)}`)
		.join(' ');
	return deliver(kit, { event, body, timestamp, signature });
}

const writings: Array<[what: string, write: (now: number) => string]> = [
	['a little older than five minutes', (now) => String(now - 302)],
	['a little newer than five minutes', (now) => String(now + 310)],
	['zero', () => '0'],
	['negative', (now) => `-${now}`],
	['hexadecimal', (now) => `0x${now.toString(16)}`],
	['in milliseconds', (now) => `${now}000`],
	['as a date', (now) => new Date(now * 1000).toISOString()],
	['a word', () => 'hello'],
	['Infinity', () => 'Infinity'],
	['of four hundred digits', () => '9'.repeat(400)],
	['as a list', (now) => `${now},${now}`],
	['in Arabic digits, percent-encoded', () => '%D9%A1%D9%A7'],
];

/** Timestamps stale, ahead, or not written as whole seconds. */
export const timestamps: BadDelivery[] = refused(
	'timestamps',
	writings.map(([what, write]) => ({
		name: `a timestamp ${what}`,
		make: (kit: Kit) => deliverAt(kit, write(kit.now)),
	})),
);
