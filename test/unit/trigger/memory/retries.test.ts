import { Retries } from '../../../../nodes/MessagingGateway/trigger/memory/retries';

const MOST_KEPT = 10_000;
const retry = (executionId: string) => ({ executionId, isRetry: true });
const repeat = (executionId: string) => ({ executionId, isRetry: false });

it('lets one retry have an event', () => {
	const retries = new Retries();
	expect([retries.claim('a'), retries.claim('a'), retries.claim('b')]).toEqual([true, false, true]);
	retries.settle('a', false);
	expect(retries.claim('a')).toBe(true);
	retries.settle('a', true);
	expect(retries.claim('a')).toBe(false);
	expect([retries.has('a'), retries.isClaimed('a')]).toEqual([true, false]);
});

it('goes on after an update of the package with what older code has noted', () => {
	const older = new Retries();
	older.claim('at work');
	older.claim('done');
	older.settle('done', true);
	older.begin('evt', 'node', repeat('1'), []);
	const newer = new Retries(older.handOver());
	expect([newer.isClaimed('at work'), newer.has('done')]).toEqual([true, true]);
	expect(newer.begin('evt', 'node', retry('2'), [])).toBe(false);
	// What older code does from here on counts too.
	older.settle('at work', true);
	expect([newer.isClaimed('at work'), newer.has('at work')]).toEqual([false, true]);
});

it('takes what was noted before calls were counted for one call', () => {
	const doers = new Map([['node:evt', repeat('1')]]);
	const retries = new Retries({ retried: new Set(), doers });
	expect(retries.isClaimed('evt')).toBe(false);
	retries.begin('evt', 'node', repeat('1'), []);
	retries.fail('evt', 'node');
	// One of its two calls has not failed.
	expect(retries.begin('evt', 'node', retry('2'), [])).toBe(false);
	retries.fail('evt', 'node');
	expect(retries.begin('evt', 'node', retry('2'), [])).toBe(true);
});

it('remembers no more than 10,000 of each, the latest ones', () => {
	const retries = new Retries();
	for (let index = 0; index <= MOST_KEPT; index++) {
		retries.claim(`claimed ${index}`);
		retries.settle(`retried ${index}`, true);
		retries.begin(`evt ${index}`, 'node', repeat('1'), []);
	}
	const { retried, atWork, doers } = retries.handOver();
	expect([retried.size, atWork?.size, doers.size]).toEqual(Array(3).fill(MOST_KEPT));
	expect([retries.isClaimed('claimed 0'), retries.isClaimed('claimed 1')]).toEqual([false, true]);
	expect([retries.has('retried 0'), retries.has('retried 1')]).toEqual([false, true]);
	expect(retries.begin('evt 1', 'node', retry('2'), [])).toBe(false);
	expect(retries.begin('evt 0', 'node', retry('2'), [])).toBe(true);
});
