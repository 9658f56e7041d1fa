import type { IWebhookFunctions } from 'n8n-workflow';
import { GatewayClock } from '../../../../nodes/MessagingGateway/trigger/subscription/gatewayClock';

const NOW = 1_800_000_000;
const MINUTES = 60;

beforeEach(() => void jest.useFakeTimers({ now: NOW * 1_000 }));
afterEach(() => void jest.useRealTimers());

function stand() {
	const staticData: Record<string, unknown> = {};
	const context = { getWorkflowStaticData: () => staticData } as unknown as IWebhookFunctions;
	const clock = new GatewayClock();
	const take = (lead: number) => clock.noteTaken(context, NOW + lead);
	return { clock, staticData, take };
}

it.each([
	[0, undefined],
	[179, undefined],
	[-179, undefined],
	[180, '3 minutes'],
	[-180, '3 minutes'],
	[119 * MINUTES, '119 minutes'],
	[120 * MINUTES, '2 hours'],
	[47 * 60 * MINUTES, '47 hours'],
	[48 * 60 * MINUTES, '2 days'],
])('a clock that is %i seconds ahead is apart by %s', (lead, apart) => {
	const { clock } = stand();
	clock.noteAnswer(lead);
	expect(clock.findOutage()?.message).toBe(
		apart && `The clocks of n8n and of the gateway are ${apart} apart`,
	);
});

it.each([
	[-119, '119 seconds behind n8n’s clock'],
	[120, '2 minutes ahead of n8n’s clock'],
])('a delivery that is refused for a time stamp of %i seconds is told: %s', (lead, words) => {
	const { clock } = stand();
	expect(clock.noteRefused(NOW + lead)).toBe(words);
	expect(clock.findOutage()?.message).toContain(words);
});

describe('deliveries that were refused', () => {
	it('are counted', () => {
		const { clock } = stand();
		clock.noteRefused(NOW - 400);
		expect(clock.findOutage()?.advice).toContain('1 delivery was refused');
		clock.noteRefused(NOW - 400);
		expect(clock.findOutage()?.advice).toContain('2 deliveries were refused');
		clock.noteAnswer(400);
		expect(clock.findOutage()?.advice).toContain('So far, 2 deliveries were refused');
	});

	it('are no trouble once one was taken', () => {
		const { clock, take } = stand();
		clock.noteRefused(NOW - 400);
		take(0);
		expect(clock.findOutage()).toBeUndefined();
	});

	it('are no trouble an hour after the last one', () => {
		const { clock } = stand();
		clock.noteRefused(NOW - 400);
		jest.advanceTimersByTime(60 * MINUTES * 1_000);
		expect(clock.findOutage()).toBeDefined();
		jest.advanceTimersByTime(1);
		expect(clock.findOutage()).toBeUndefined();
	});

	it('are explained once somebody has set a clock that was apart', () => {
		const { clock } = stand();
		clock.noteRefused(NOW - 400);
		clock.noteAnswer(0);
		expect(clock.findOutage()).toBeDefined();
		clock.noteAnswer(400);
		clock.noteAnswer(0);
		expect(clock.findOutage()).toBeUndefined();
	});
});

it('the furthest that a stamp was ahead is kept, in steps of ten seconds', () => {
	const { take, staticData } = stand();
	const kept = [-5, 0, 3, 10, 11, 20, 4].map((lead) => [
		take(lead),
		staticData.clockLeadSeconds ?? 0,
	]);
	expect(kept).toEqual([
		[false, 0],
		[false, 0],
		[true, 10],
		[false, 10],
		[true, 20],
		[false, 20],
		[false, 20],
	]);
});
