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
		(...chats) => chats.every((id) => countStart(settings, messageIn(id), 'busy') === 'counted'),
	],
])('remembers %s, %i of them', (_what, max, isNew) => {
	expect([isNew('first'), isNew('first')]).toEqual([true, false]);
	const others = Array.from({ length: max }, (_, index) => String(index));
	const isNewAgain = [isNew(...others), isNew('first'), isNew(others[max - 1])];
	expect(isNewAgain).toEqual([true, true, false]);
});

it('does not forget a conversation beyond its limit that goes on writing, and quotes its name', () => {
	const startOf = (chat: string) => countStart(settings, messageIn(chat), 'writing');
	const isBeyond = (chat: string) => startOf(chat) !== 'counted';
	expect([isBeyond('ana'), isBeyond('bruno')]).toEqual([false, false]);
	for (let other = 0; other < 9_998; other++) isBeyond(String(other));
	expect([isBeyond('ana'), isBeyond('one'), isBeyond('two')]).toEqual([true, false, false]);
	expect([isBeyond('ana'), isBeyond('bruno')]).toEqual([true, false]);
	expect(startOf('bruno')).toMatchObject({
		message: expect.stringContaining('The chat "‹b>bruno" has reached'),
	});
});

it('lets 10,000 conversations wait at once', async () => {
	const options = { quietMs: 1_000, maxWaitMs: 1_000, maxHoldMs: 0, size: 100 };
	for (let lane = 0; lane < 10_000; lane++)
		void gather('busy', { bytes: 1 }, { lane: String(lane), ...options });
	expect([hasRoom('busy', '0', 1), hasRoom('busy', 'another', 1)]).toEqual([true, false]);
	await pass(1_000);
	expect(hasRoom('busy', 'another', 1)).toBe(true);
});
