import { readDebounce } from '../../../nodes/MessagingGateway/trigger/settings';

it('without the option nothing is gathered', () => {
	expect(readDebounce(undefined)).toBeUndefined();
});

it.each([
	[{}, { quietMs: 4_000, maxWaitMs: 30_000 }],
	[{ values: { quietSeconds: 6 } }, { quietMs: 6_000, maxWaitMs: 30_000 }],
	[{ values: { quietSeconds: '1', maxWaitSeconds: 60 } }, { quietMs: 1_000, maxWaitMs: 60_000 }],
])('%j is read, in milliseconds', (value, debounce) => {
	expect(readDebounce(value)).toEqual(debounce);
});

it.each([
	[{ values: { quietSeconds: 0.9 } }, '"0.9" cannot be Quiet Time (Seconds)'],
	[{ values: { quietSeconds: 6.1 } }, '"6.1" cannot be Quiet Time (Seconds)'],
	[{ values: { maxWaitSeconds: 4 } }, '"4" cannot be Max Wait (Seconds)'],
	[{ values: { maxWaitSeconds: 61 } }, '"61" cannot be Max Wait (Seconds)'],
	[null, 'Combine Messages holds no group of fields.'],
	['5 minutes', 'Combine Messages holds no group of fields.'],
])('%j is refused: %s', (value, message) => {
	expect(() => readDebounce(value)).toThrow(message);
});
