import { readEvent } from '../../../nodes/MessagingGateway/incoming/event';
import { withTimeZone } from '../../support/timeZone';

const read = (fields: object) => readEvent({ id: 'evt', type: 'T', ...fields });

it.each([
	[
		['a', 1, null, 'b', 'a'],
		['a', 'b'],
	],
	['a', []],
	[undefined, []],
])('of %j, the message ids are %j', (messageIds, ids) => {
	expect(read({ data: { messageIds } }).messageIds).toEqual(ids);
});

it.each([
	[{ type: 'GROUP', id: '1@g.us' }, 'group'],
	[{ type: 'GROUP' }, 'group'],
	[{ id: '1@g.us' }, 'group'],
	[{ type: 'CONTACT', id: '1@g.us' }, 'group'],
	[{ type: 'STATUS', id: '1@lid' }, 'status'],
	[{ type: 'STATUS' }, 'status'],
	[{ type: 'CONTACT', id: 'status@broadcast' }, 'status'],
	[{ type: 'CONTACT', id: '1@broadcast' }, 'status'],
	[{ type: 'CONTACT', id: '1@newsletter' }, 'channel'],
	[{ type: 'CONTACT', id: '1@lid' }, 'person'],
	[{ id: '1@g.us.example' }, 'person'],
	[{ id: '1@broadcast.example' }, 'person'],
	[{ id: '1@newsletter.example' }, 'person'],
	[{}, 'person'],
	[undefined, undefined],
	['1@g.us', undefined],
	[null, undefined],
])('takes the chat %j for one of the type %s', (chat, type) => {
	expect(read({ data: { chat } }).chat?.type).toBe(type);
});

describe('the time of an event', () => {
	const NOON = Date.UTC(2026, 10, 21, 12);

	it.each([
		['2026-11-21T12:00:00Z', NOON],
		['2026-11-21T09:00:00-03:00', NOON],
		['2026-11-21T12:00:00', NOON],
		['2026-11-21 12:00:00', NOON],
		['2026-11-21T12:00', NOON],
		['2026-11-21T12:00:00.250', NOON + 250],
		['2026-11-21T12:00:00.250000', NOON + 250],
		['at noon', undefined],
		[NOON, undefined],
	])('%j is the same wherever n8n runs: %s', async (timestamp, time) => {
		await withTimeZone('America/Sao_Paulo', () => {
			expect(new Date(NOON).getHours()).toBe(9);
			expect(read({ timestamp }).at).toBe(time);
		});
	});
});
