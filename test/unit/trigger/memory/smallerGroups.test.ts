import { SmallerGroups } from '../../../../nodes/MessagingGateway/trigger/memory/smallerGroups';

const MOST = 100;

it('puts no limit to events that have not failed', () => {
	expect(new SmallerGroups().sizeFor(['evt'], MOST)).toBe(MOST);
});

it('leaves an event that fails each time alone in the end', () => {
	const groups = new SmallerGroups();
	const sizes: number[] = [];
	for (let attempt = 0; attempt < 4; attempt++) {
		sizes.push(groups.sizeFor(['evt'], MOST));
		groups.noteFailure(['evt'], groups.sizeFor(['evt'], MOST));
	}
	expect(sizes).toEqual([100, 10, 1, 1]);
});

it.each([
	[['failed', 'well'], 10],
	[['well', 'failed'], 10],
	[['well', 'failed', 'twice'], 1],
	[['well'], MOST],
])('lets so many share an execution with %j: %i', (ids, size) => {
	const groups = new SmallerGroups();
	groups.noteFailure(['failed', 'twice'], MOST);
	groups.noteFailure(['twice'], 10);
	expect(groups.sizeFor(ids, MOST)).toBe(size);
	expect(groups.sizeFor(ids, 5)).toBe(Math.min(size, 5));
});

it.each([
	[1_000, 100],
	[25, 2],
	[19, 1],
	[9, 1],
	[1, 1],
])('tries what failed among %i again among %i at most', (size, next) => {
	const groups = new SmallerGroups();
	groups.noteFailure(['evt'], size);
	expect(groups.sizeFor(['evt'], 1_000)).toBe(next);
});

it('forgets an event that went well', () => {
	const groups = new SmallerGroups();
	groups.noteFailure(['evt'], 5);
	groups.forget(['evt']);
	expect(groups.sizeFor(['evt'], MOST)).toBe(MOST);
});

it('remembers no more than 10,000, the latest ones', () => {
	const groups = new SmallerGroups();
	for (let index = 0; index <= 10_000; index++) groups.noteFailure([`evt_${index}`], 1);
	expect(groups.sizeFor(['evt_0'], MOST)).toBe(MOST);
	expect(groups.sizeFor(['evt_1'], MOST)).toBe(1);
	expect(groups.sizeFor(['evt_10000'], MOST)).toBe(1);
});

it('counts an event that fails again among the latest', () => {
	const groups = new SmallerGroups();
	groups.noteFailure(['evt'], 1);
	for (let index = 0; index < 9_999; index++) groups.noteFailure([`evt_${index}`], 1);
	groups.noteFailure(['evt'], 1);
	groups.noteFailure(['another'], 1);
	expect(groups.sizeFor(['evt'], MOST)).toBe(1);
	expect(groups.sizeFor(['evt_0'], MOST)).toBe(MOST);
});
