import {
	deliver,
	headerOf,
	makeEvent,
	refused,
	withHeader,
	type BadDelivery,
	type Delivery,
	type Kit,
} from './delivery';

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

type Change = (delivery: Delivery, name: string, value: string) => Delivery;

const add = ({ headers, body }: Delivery, name: string, value: string): Delivery => ({
	headers: [...headers, [name, value]],
	body,
});

const changes: Array<[what: string, change: Change]> = [
	['missing', (delivery, name) => withHeader(delivery, name, null)],
	['empty', (delivery, name) => withHeader(delivery, name, '')],
	[
		'there twice, the second in capitals and different',
		(delivery, name) => add(delivery, name.toUpperCase(), 'other'),
	],
	['of 4,000 characters', (delivery, name) => withHeader(delivery, name, 'a'.repeat(4_000))],
	[
		'with the prefix of another product',
		(delivery, name, value) =>
			add(withHeader(delivery, name, null), name.replace('webhook', 'svix'), value),
	],
];

const perHeader = NAMES.flatMap((name) =>
	refused(
		'headers',
		changes.map(([what, change]) => ({
			name: `${name} ${what}`,
			make: (kit: Kit) => {
				const delivery = deliver(kit);
				return change(delivery, name, headerOf(delivery, name));
			},
		})),
	),
);

// The API does not say how ids look: any printable ASCII may be one. HTTP takes the spaces around a value away, so
// that an id with one there arrives as another.
const ids: Array<[what: string, id: string]> = [
	['with a space before it', ' evt_1'],
	['with a space behind it', 'evt_1 '],
	['with a tab', 'evt\t1'],
];

/** Headers missing, empty, doubled, oversized or not of the shape of genuine ones. */
export const headers: BadDelivery[] = [
	...perHeader,
	...refused('headers', [
		{ name: 'none of the three', make: () => ({ headers: [], body: Buffer.from('{}') }) },
		...ids.map(([what, id]) => ({
			name: `an id ${what}, signed with it`,
			make: (kit: Kit) => deliver(kit, { event: makeEvent({ id }) }),
		})),
		{
			name: 'id and time shifted at the dot between them, the signature unchanged',
			make: (kit) => {
				const event = makeEvent({ id: 'evt' });
				const delivery = deliver(kit, { event, id: `evt.${kit.now}` });
				return withHeader(delivery, 'webhook-id', 'evt');
			},
		},
		{
			name: 'id, time and body shifted at dots in a text of the body, the signature unchanged',
			make: (kit) => {
				const inner = JSON.stringify({ id: 'evt', type: 'MESSAGE.RECEIVED' });
				const event = makeEvent({ id: 'evt', data: { text: `.${kit.now}.${inner}` } });
				// What is left is no JSON, which n8n itself would refuse if it were called so.
				const delivery = deliver(kit, { event, contentType: 'application/octet-stream' });
				const [before, after] = delivery.body.toString().split(`.${kit.now}.`);
				const shifted = withHeader(delivery, 'webhook-id', `evt.${kit.now}.${before}`);
				return { ...shifted, body: Buffer.from(after) };
			},
		},
	]),
];
