import {
	StatusOrder,
	statusRankOf,
} from '../../../../nodes/MessagingGateway/trigger/memory/statusOrder';
import type { Settlement } from '../../../../nodes/MessagingGateway/webhooks/http';
import { makeDeferred } from '../../../../nodes/MessagingGateway/webhooks/patience';
import { createRandom } from '../../../random';
import { makeEvent } from '../event';

const RANKS = { SENT: 1, DELIVERED: 2, READ: 3 };

function makeStatus(status: string, ...messageIds: string[]) {
	return makeEvent({ type: 'MESSAGE.STATUS_UPDATED', data: { messageIds, status } });
}

/** Judges an event and lets it start; the message ids it went on with, or what else became of it. */
async function pass(
	order: StatusOrder,
	event: ReturnType<typeof makeEvent>,
	outcome: Settlement = 'accepted',
) {
	const verdict = order.judge(event);
	if (verdict.kind !== 'advances') return verdict.kind;
	verdict.follow(Promise.resolve(outcome));
	await new Promise(setImmediate);
	return (verdict.event.data as { messageIds?: string[] }).messageIds;
}

it.each(Object.entries(RANKS))('ranks %s as %i', (status, rank) => {
	expect(statusRankOf(makeStatus(status, 'm'))).toBe(rank);
});

it.each([
	['another type', makeEvent()],
	['an unknown status', makeStatus('PLAYED', 'm')],
	['a status from the prototype', makeStatus('constructor', 'm')],
	['no status', makeEvent({ type: 'MESSAGE.STATUS_UPDATED', data: { messageIds: ['m'] } })],
])('has no rank for %s, and lets it pass', async (_what, event) => {
	expect(statusRankOf(event)).toBeUndefined();
	const order = new StatusOrder();
	await pass(order, event);
	expect(order.judge(event).kind).toBe('advances');
});

it('lets each status of a message pass once, in order', async () => {
	const order = new StatusOrder();
	for (const status of ['SENT', 'DELIVERED', 'READ']) {
		expect(await pass(order, makeStatus(status, 'm'))).toEqual(['m']);
		expect(await pass(order, makeStatus(status, 'm'))).toBe('overtaken');
	}
});

it('drops what a further status has overtaken', async () => {
	const order = new StatusOrder();
	await pass(order, makeStatus('READ', 'm'));
	expect(await pass(order, makeStatus('DELIVERED', 'm'))).toBe('overtaken');
	expect(await pass(order, makeStatus('SENT', 'm'))).toBe('overtaken');
});

it('goes on with only those messages that have advanced, and leaves the rest of the event alone', async () => {
	const order = new StatusOrder();
	await pass(order, makeStatus('READ', 'a', 'c'));
	const event = makeStatus('DELIVERED', 'a', 'b', 'c', 'd');
	const verdict = order.judge(event);

	expect(verdict).toMatchObject({
		event: { ...event, data: { messageIds: ['b', 'd'], status: 'DELIVERED' } },
	});
	expect(event.data).toMatchObject({ messageIds: ['a', 'b', 'c', 'd'] });
});

it('never drops a MESSAGE.SENT, but counts it as the first status', async () => {
	const order = new StatusOrder();
	const sent = makeEvent({ type: 'MESSAGE.SENT', data: { messageId: 'm', fromMe: true } });
	await pass(order, makeStatus('DELIVERED', 'm'));
	expect(order.judge(sent).kind).toBe('advances');

	const other = new StatusOrder();
	await pass(other, sent);
	expect(await pass(other, makeStatus('SENT', 'm'))).toBe('overtaken');
	expect(await pass(other, makeStatus('DELIVERED', 'm'))).toEqual(['m']);
});

it.each([
	['none at all', undefined],
	['one alone', 'm'],
	['an empty list', []],
	['numbers', [1, 2]],
	['a number among them', ['m', 2]],
	['nothing', null],
])(
	'lets pass untouched what it cannot judge, since its message ids are %s',
	(_what, messageIds) => {
		const order = new StatusOrder();
		const event = makeEvent({
			type: 'MESSAGE.STATUS_UPDATED',
			data: { status: 'READ', ...(messageIds !== undefined && { messageIds }) },
		});
		for (let time = 1; time <= 2; time++) {
			const verdict = order.judge(event);
			expect(verdict).toMatchObject({ kind: 'advances', event });
			if (verdict.kind === 'advances') verdict.follow(Promise.resolve('accepted'));
		}
	},
);

it('keeps the messages of two numbers apart', async () => {
	const order = new StatusOrder();
	await pass(order, { ...makeStatus('READ', 'm'), instanceId: 'one' });
	expect(await pass(order, { ...makeStatus('DELIVERED', 'm'), instanceId: 'two' })).toEqual(['m']);
});

it('takes no notice of an event that could not be started', async () => {
	const order = new StatusOrder();
	await pass(order, makeStatus('READ', 'm'), 'deferred');
	expect(await pass(order, makeStatus('DELIVERED', 'm'))).toEqual(['m']);
});

it.each<[Settlement, string]>([
	['accepted', 'overtaken'],
	['deferred', 'advances'],
])('waits for a further status that is under way: %s makes it %s', async (outcome, kind) => {
	const order = new StatusOrder();
	const answer = makeDeferred<Settlement>();
	const read = order.judge(makeStatus('READ', 'm'));
	if (read.kind === 'advances') read.follow(answer.promise);
	const delivered = makeStatus('DELIVERED', 'm');
	expect(order.judge(delivered).kind).toBe('undecided');

	answer.resolve(outcome);
	await new Promise(setImmediate);
	expect(order.judge(delivered).kind).toBe(kind);
});

it('lets no second event of the same status pass while the first is under way', () => {
	const order = new StatusOrder();
	const read = order.judge(makeStatus('READ', 'm'));
	if (read.kind === 'advances') read.follow(makeDeferred<Settlement>().promise);
	expect(order.judge(makeStatus('READ', 'm')).kind).toBe('undecided');
	expect(order.judge(makeStatus('READ', 'other')).kind).toBe('advances');
});

it.each<Settlement>(['accepted', 'deferred'])(
	'still waits for a further status when the one before was %s',
	async (outcome) => {
		const order = new StatusOrder();
		const [first, further] = [makeDeferred<Settlement>(), makeDeferred<Settlement>()];
		for (const [status, { promise }] of [
			['SENT', first],
			['READ', further],
		] as const) {
			const verdict = order.judge(makeStatus(status, 'm'));
			if (verdict.kind === 'advances') verdict.follow(promise);
		}
		first.resolve(outcome);
		await new Promise(setImmediate);
		expect(order.judge(makeStatus('DELIVERED', 'm')).kind).toBe('undecided');
	},
);

it('goes on after an update of the package with what older code has seen', async () => {
	const older = new StatusOrder();
	await pass(older, makeStatus('READ', 'm'));
	const newer = new StatusOrder(older.handOver());
	expect(newer.judge(makeStatus('DELIVERED', 'm')).kind).toBe('overtaken');
	expect(newer.judge(makeStatus('DELIVERED', 'other')).kind).toBe('advances');
});

it('never goes back, over random orders and repeats, and always reaches the furthest', async () => {
	const random = createRandom(5);
	const order = new StatusOrder();
	const messages = Array.from({ length: 50 }, (_value, index) => `m${index}`);
	const events = random.shuffle(
		messages.flatMap((message) => [
			makeStatus('SENT', message, random.pick(messages)),
			makeStatus('DELIVERED', message),
			makeStatus('DELIVERED', message),
			makeStatus('READ', message, random.pick(messages)),
		]),
	);
	const seen = new Map<string, number>();
	for (const event of events) {
		const passed = await pass(order, event);
		if (!Array.isArray(passed)) continue;
		for (const message of passed) {
			const rank = statusRankOf(event) ?? 0;
			expect(rank).toBeGreaterThan(seen.get(message) ?? 0);
			seen.set(message, rank);
		}
	}
	expect([...seen.values()]).toEqual(messages.map(() => 3));
});
