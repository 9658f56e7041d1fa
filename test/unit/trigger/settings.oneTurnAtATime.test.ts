import { readMaxTurn } from '../../../nodes/MessagingGateway/trigger/settings';

it.each([
	[undefined, undefined],
	[{}, 300_000],
	[{ values: { maxTurnMinutes: 0.1 } }, 6_000],
	[{ values: { maxTurnMinutes: 60 } }, 3_600_000],
])('%j is the longest turn of %s milliseconds', (value, maxTurnMs) => {
	expect(readMaxTurn(value)).toBe(maxTurnMs);
});

it.each([
	[{ values: { maxTurnMinutes: 0 } }, '"0" cannot be Max Turn (Minutes)'],
	[{ values: { maxTurnMinutes: 61 } }, '"61" cannot be Max Turn (Minutes)'],
	[[], 'One Turn at a Time holds no group of fields.'],
])('%j is refused: %s', (value, message) => {
	expect(() => readMaxTurn(value)).toThrow(message);
});
