import { readEvent } from '../../../../nodes/MessagingGateway/incoming/event';
import { gather, hasRoom } from '../../../../nodes/MessagingGateway/trigger/delivery/gather';
import { countStart } from '../../../../nodes/MessagingGateway/trigger/delivery/limit';
import { remember } from '../../../../nodes/MessagingGateway/trigger/delivery/seen';
import { advance } from '../../../../nodes/MessagingGateway/trigger/delivery/statusOrder';
import type { TriggerSettings } from '../../../../nodes/MessagingGateway/trigger/settings/settings';
import { makeEvent } from '../../../contract/deliveries';
import { pass, useFakeClock } from '../../../support/receiving';

useFakeClock();

const accepted = Promise.resolve('accepted' as const);
const settings = { startLimit: { maxStarts: 1, withinMs: 1_000_000 } } as TriggerSettings;

const statusOf = (messageIds: string[]) =>
	readEvent({ id: 'e', type: 'MESSAGE.STATUS_UPDATED', data: { status: 'READ', messageIds } });
const messageIn = (id: string) =>
	readEvent({ ...makeEvent({ data: { chat: { id, phone: `<b>${id}` } } }) });

it.each<[string, number, (...keys: string[]) => boolean]>([
	['events', 100_000, (...ids) => ids.every((id) => remember('busy', id, accepted) === 'new')],
	['statuses', 100_000, (...ids) => advance('busy', statusOf(ids), accepted) !== undefined],
	[
		'conversations that have started executions',
		10_000,
		(...chats) =>
			chats.every((id) => countStart('busy', messageIn(id), settings).kind === 'counted'),
	],
])('remembers %s, %i of them', (_what, max, isNew) => {
	expect([isNew('first'), isNew('first')]).toEqual([true, false]);
	const others = Array.from({ length: max }, (_, index) => String(index));
	const isNewAgain = [isNew(...others), isNew('first'), isNew(others[max - 1])];
	expect(isNewAgain).toEqual([true, true, false]);
});

it('does not forget a conversation beyond its limit that goes on writing, and quotes its name', () => {
	const startOf = (chat: string) => countStart('writing', messageIn(chat), settings);
	const isBeyond = (chat: string) => startOf(chat).kind !== 'counted';
	expect([isBeyond('ana'), isBeyond('bruno')]).toEqual([false, false]);
	for (let other = 0; other < 9_998; other++) isBeyond(String(other));
	expect([isBeyond('ana'), isBeyond('one'), isBeyond('two')]).toEqual([true, false, false]);
	expect([isBeyond('ana'), isBeyond('bruno')]).toEqual([true, false]);
	expect(startOf('bruno')).toMatchObject({
		kind: 'alarm',
		alarm: { message: expect.stringContaining('The chat "‹b>bruno" has reached') },
	});
});

it('raises an alarm when a conversation has reached its limit, once a day', async () => {
	const start = () => countStart('alarmed', messageIn('carla'), settings).kind;
	for (const [hours, second] of [
		[0, 'alarm'],
		[23, 'beyond'],
		[2, 'alarm'],
	] as const) {
		await pass(hours * 60 * 60_000);
		expect([start(), start(), start()]).toEqual(['counted', second, 'beyond']);
	}
});

it('lets 10,000 conversations wait at once', async () => {
	const options = { quietMs: 1_000, maxWaitMs: 1_000, maxHoldMs: 0, size: 100 };
	for (let lane = 0; lane < 10_000; lane++)
		void gather('busy', 'an event', { lane: String(lane), ...options });

	expect(hasRoom('busy', '0')).toBe(true);
	expect(hasRoom('busy', 'another')).toBe(false);
	await pass(1_000);
	expect(hasRoom('busy', 'another')).toBe(true);
});

it('lets 300 events of a conversation wait, and as many again when they have started', async () => {
	const options = { lane: 'ana', quietMs: 0, maxWaitMs: 0, maxHoldMs: 1_000, size: 300 };
	void gather('turns', 'the first', options);

	for (let execution = 1; execution <= 3; execution++) {
		await pass(1);
		for (let waiting = 0; waiting < 300; waiting++) {
			expect(hasRoom('turns', 'ana')).toBe(true);
			void gather('turns', `${execution} ${waiting}`, options);
		}
		expect(hasRoom('turns', 'ana')).toBe(false);
		await pass(1_000);
	}
});

it('does not forget an event if an older delivery of it fails after an hour', async () => {
	const older = Promise.withResolvers<'deferred'>();
	const pending = new Promise<never>(() => {});
	for (const [id, newer] of Object.entries({ done: accepted, pending })) {
		expect(remember('late', id, older.promise)).toBe('new');
		await pass(60 * 60_000);
		expect(remember('late', id, newer)).toBe('new');
	}
	older.resolve('deferred');
	await pass(0);
	const known = ['done', 'pending'].map((id) => remember('late', id, accepted));
	expect(known).toEqual(['done', pending]);
});
