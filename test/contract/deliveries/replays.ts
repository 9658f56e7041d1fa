import {
	deliver,
	makeEvent,
	withHeader,
	type BadDelivery,
	type Delivery,
	type Kit,
} from './delivery';

// What was captured is the same object on both calls: the delivery that came first.
function replay(
	name: string,
	answers: number[],
	repeat: (kit: Kit, captured: Delivery) => Delivery,
): BadDelivery {
	const captured = new WeakMap<Kit, Delivery>();

	const capture = (kit: Kit): Delivery => {
		const delivery = captured.get(kit) ?? deliver(kit);
		captured.set(kit, delivery);
		return delivery;
	};

	return {
		group: 'replays',
		name,
		answers,
		before: (kit) => [capture(kit)],
		make: (kit) => repeat(kit, capture(kit)),
	};
}

const eventIn = ({ body }: Delivery) => JSON.parse(body.toString()) as ReturnType<typeof makeEvent>;

/** Deliveries that were genuine once: acknowledged without running again, or refused. */
export const replays: BadDelivery[] = [
	replay('the same delivery byte for byte', [200], (_kit, captured) => captured),
	replay('the same event, signed anew with a later time', [200], (kit, captured) =>
		deliver(kit, { event: eventIn(captured), timestamp: String(kit.now + 1) }),
	),
	replay('the same event id with another content, signed anew', [200], (kit, captured) =>
		deliver(kit, { event: makeEvent({ id: eventIn(captured).id }) }),
	),
	replay('the same delivery under another id', [401], (_kit, captured) =>
		withHeader(captured, 'webhook-id', 'evt_fresh'),
	),
	replay('the same delivery with a later time', [401], (kit, captured) =>
		withHeader(captured, 'webhook-timestamp', String(kit.now + 60)),
	),
];
