import { rememberBriefly } from '../../../nodes/MessagingGateway/api/remember';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

let keys = 0;
const newKey = () => `key ${keys++}`;

/** Fetches a number that tells how often it was fetched. */
function count(): () => Promise<number> {
	let fetched = 0;
	return async () => ++fetched;
}

describe('what is remembered briefly', () => {
	it('is fetched anew after a quarter of a minute', async () => {
		const [key, fetch] = [newKey(), count()];
		await rememberBriefly(key, fetch);
		jest.advanceTimersByTime(14_999);
		expect(await rememberBriefly(key, fetch)).toBe(1);
		jest.advanceTimersByTime(1);
		expect(await rememberBriefly(key, fetch)).toBe(2);
	});

	it('counts its time from when it came, however long it took', async () => {
		const [key, fetch] = [newKey(), count()];
		const slow = rememberBriefly(key, async () => {
			await new Promise((resolve) => setTimeout(resolve, 60_000));
			return await fetch();
		});
		await jest.advanceTimersByTimeAsync(60_000);
		expect([await slow, await rememberBriefly(key, fetch)]).toEqual([1, 1]);
	});

	it('is only the latest few', async () => {
		const fetches = Array.from({ length: 21 }, () => ({ key: newKey(), fetch: count() }));
		for (const { key, fetch } of fetches) await rememberBriefly(key, fetch);
		const again = [];
		for (const { key, fetch } of fetches.toReversed())
			again.push(await rememberBriefly(key, fetch));
		expect(again).toEqual([...Array<number>(20).fill(1), 2]);
	});

	it('is nothing that could not be fetched', async () => {
		const key = newKey();
		const refuse = async () => await Promise.reject(new Error('No'));
		await expect(rememberBriefly(key, refuse)).rejects.toThrow('No');
		expect(await rememberBriefly(key, count())).toBe(1);
	});

	it('is loaded once for all who ask meanwhile', async () => {
		const [key, fetch] = [newKey(), count()];
		expect(await Promise.all([1, 2, 3].map(async () => await rememberBriefly(key, fetch)))).toEqual(
			[1, 1, 1],
		);
	});

	it('makes room by what is too old, before anything else', async () => {
		const [key, fetch] = [newKey(), count()];
		await rememberBriefly(key, fetch);
		jest.advanceTimersByTime(10_000);
		for (let other = 0; other < 19; other++) await rememberBriefly(newKey(), count());
		jest.advanceTimersByTime(4_999);
		expect(await rememberBriefly(key, fetch)).toBe(1);
		jest.advanceTimersByTime(1);
		const [young, fetchYoung] = [newKey(), count()];
		await rememberBriefly(young, fetchYoung);
		for (let other = 0; other < 19; other++) {
			await rememberBriefly(newKey(), count());
			expect(await rememberBriefly(young, fetchYoung)).toBe(1);
		}
	});

	it('stays while it is loaded, as long as there is anything too old', async () => {
		const [key, fetch] = [newKey(), count()];
		const slow = rememberBriefly(key, async () => {
			await new Promise((resolve) => setTimeout(resolve, 20_000));
			return await fetch();
		});
		for (let other = 0; other < 19; other++) await rememberBriefly(newKey(), count());
		jest.advanceTimersByTime(15_000);
		await rememberBriefly(newKey(), count());
		const asked = rememberBriefly(key, fetch);
		await jest.advanceTimersByTimeAsync(5_000);
		expect([await slow, await asked]).toEqual([1, 1]);
	});

	it('stays although an earlier attempt fails at last', async () => {
		const [key, fetch] = [newKey(), count()];
		let refuse: (error: Error) => void = () => {};
		const slow = rememberBriefly(
			key,
			async () => await new Promise<never>((_resolve, reject) => (refuse = reject)),
		);
		// Forgotten while it is loaded, for want of room.
		for (let other = 0; other < 20; other++) await rememberBriefly(newKey(), count());
		expect(await rememberBriefly(key, fetch)).toBe(1);
		refuse(new Error('No'));
		await expect(slow).rejects.toThrow('No');
		expect(await rememberBriefly(key, fetch)).toBe(1);
	});
});
