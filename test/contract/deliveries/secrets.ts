import { createHmac } from 'node:crypto';
import { deliver, makeEvent, refused, type BadDelivery, type Kit } from './delivery';

function signWithKey(kit: Kit, key: Buffer | string) {
	const event = makeEvent();
	const hmac = createHmac('sha256', key).update(`${event.id}.${kit.now}.${JSON.stringify(event)}`);
	return deliver(kit, { event, signature: `v1,${hmac.digest('base64')}` });
}

const keys: Array<[what: string, key: (kit: Kit) => Buffer | string]> = [
	['the text of the secret', (kit) => kit.secret],
	['the text of the secret without its prefix', (kit) => kit.secret.slice(6)],
	['zero bytes', () => Buffer.alloc(32)],
	['the word undefined', () => 'undefined'],
	['the base64 reading of the word undefined', () => Buffer.from('undefined', 'base64')],
];

/** Of one byte, where Standard Webhooks asks for 24. */
export const SHORT_SECRET = 'whsec_YQ==';

/** Signed properly, but with a secret that is not the one held, or while none is held. */
export const secrets: BadDelivery[] = refused('secrets', [
	{
		name: 'signed with the secret before the last one',
		make: (kit) => deliver(kit, { secret: kit.oldSecret }),
	},
	{
		name: 'signed with the secret of another workflow',
		make: (kit) => deliver(kit, { secret: kit.otherSecret }),
	},
	...keys.map(([what, key]) => ({
		name: `signed with ${what} as key`,
		make: (kit: Kit) => signWithKey(kit, key(kit)),
	})),
	{
		name: 'signed with the right secret while none is held',
		holds: 'nothing',
		make: (kit) => deliver(kit),
	},
	{
		name: 'signed with an empty key while none is held',
		holds: 'nothing',
		make: (kit) => signWithKey(kit, ''),
	},
	{
		name: 'signed with the right secret while a malformed one is held',
		holds: 'a malformed secret',
		make: (kit) => deliver(kit),
	},
	{
		name: 'signed with a secret of one byte, which is held',
		holds: 'a short secret',
		make: (kit) => deliver(kit, { secret: SHORT_SECRET }),
	},
]);
