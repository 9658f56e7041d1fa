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
