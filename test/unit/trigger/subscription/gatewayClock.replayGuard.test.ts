import { ReplayGuard } from '../../../../nodes/MessagingGateway/trigger/subscription/gatewayClock';

const START = 1_800_000_000;

/** The memory of a process that has just started. */
function start(): ReplayGuard {
	jest.useFakeTimers({ now: START * 1000 + 900 });
	return new ReplayGuard(Date.now());
}

afterEach(() => jest.useRealTimers());

it('takes at once what was sent since the start, if only in the same second', () => {
	const memory = start();
	expect([START, START + 1, START + 600].map((at) => memory.mustRepeat('a', at, 0))).toEqual([
		false,
		false,
		false,
	]);
});

it('takes what was sent before only with a later stamp than it came with first', () => {
	const memory = start();
	expect(memory.mustRepeat('a', START - 20, 0)).toBe(true);
	expect(memory.mustRepeat('a', START - 20, 0)).toBe(true);
	expect(memory.mustRepeat('a', START - 30, 0)).toBe(true);
	expect(memory.mustRepeat('b', START - 10, 0)).toBe(true);
	expect(memory.mustRepeat('a', START - 10, 0)).toBe(false);
});

it('asks only once, whatever the clock of the gateway', () => {
	const memory = start();
	for (let sent = 0; sent < 100; sent++) {
		const at = START - 290 + sent;
		expect(memory.mustRepeat(`evt_${sent}`, at, 0)).toBe(true);
		expect(memory.mustRepeat(`evt_${sent}`, at + 5, 0)).toBe(false);
	}
});

it('keeps a bounded number of ids: the oldest is asked for once more', () => {
	const memory = start();
	for (let sent = 0; sent <= 10_000; sent++) memory.mustRepeat(`evt_${sent}`, START - 20, 0);
	expect(memory.mustRepeat('evt_0', START - 10, 0)).toBe(true);
	expect(memory.mustRepeat('evt_10000', START - 10, 0)).toBe(false);
});

it.each([1, 120, 300])(
	'knows what a clock that is %i seconds ahead has stamped before the start, also when its time has come',
	(lead) => {
		const memory = start();
		expect(memory.mustRepeat('a', START + lead - 1, lead)).toBe(true);
		jest.setSystemTime((START + lead + 200) * 1000);
		expect(memory.mustRepeat('a', START + lead - 1, lead)).toBe(true);
		expect(memory.mustRepeat('b', START + lead - 1, lead)).toBe(true);
		// As the gateway does it: with a stamp of its own on each attempt.
		expect(memory.mustRepeat('a', START + lead + 200, lead)).toBe(false);
	},
);

it('takes at once what such a clock has stamped since the start', () => {
	expect(start().mustRepeat('a', START + 120, 120)).toBe(false);
});
