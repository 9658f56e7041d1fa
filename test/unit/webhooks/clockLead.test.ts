import { measureClockLead } from '../../../nodes/MessagingGateway/webhooks/clockLead';

const ASKED_AT = Date.UTC(2026, 10, 22, 20, 0, 0);
const said = (seconds: number) => ({
	headers: { date: new Date(ASKED_AT + seconds * 1000).toUTCString() },
});

afterEach(() => jest.useRealTimers());

it.each([
	['at once, by the same clock', 0, 0, 0],
	['late, by the same clock', 8, 3, 0],
	['by a clock that is ahead', 1, 481, 480],
	['by a clock that is behind', 1, -480, -480],
	['after the machine has slept for an hour', 3_600, 2, 0],
	['after an hour of sleep, by a clock that is ahead', 3_600, 4_200, 600],
])('is measured where the gateway answers %s', (_how, seconds, date, lead) => {
	jest.useFakeTimers({ now: ASKED_AT + seconds * 1000 });
	expect(measureClockLead(said(date), ASKED_AT)).toBe(lead);
});

// The header has whole seconds, the request a moment between two.
it.each([
	[-600, -1],
	[-400, 0],
	[400, 0],
	[1_400, 1],
	[1_600, 2],
])('of %i milliseconds is %i seconds', (milliseconds, lead) => {
	const askedAt = ASKED_AT - milliseconds;
	jest.useFakeTimers({ now: askedAt });
	expect(measureClockLead(said(0), askedAt)).toBeCloseTo(lead);
});

it.each([
	[{}],
	[{ date: '' }],
	[{ date: 'yesterday' }],
	[{ date: '5' }],
	[{ date: '12/11/2026' }],
	[{ date: 'Sun, 22 Nov 2026 20:00:00' }],
	[{ date: 'Sat, 13 Sep 275760 00:00:00 GMT' }],
	[{ date: '-271821-04-20T00:00:00Z' }],
])('is not known from %j', (headers) => {
	expect(
		measureClockLead({ headers: headers as Record<string, string> }, ASKED_AT),
	).toBeUndefined();
});
