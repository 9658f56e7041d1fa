import { Account } from '../../../nodes/MessagingGateway/question/account';
import { messageFrom, open } from './asked';

const MOST_PARKED = 1_000;
const MOST_NOTED = 2_000;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => void jest.useRealTimers());

/** Whether a question is among those that a message of its chat may answer. */
function mayAnswer(account: Account, index: number): boolean {
	return account.findAnswered(messageFrom(index)).some(({ id }) => id === `wh_${index}`);
}

const newAccount = () => new Account('fingerprint', 'whsec_');

it('keeps the latest 2,000 questions, however many a gateway lists and however long they are to wait', () => {
	const account = newAccount();
	for (let index = 0; index < MOST_NOTED; index++) account.note(`wh_${index}`, open(index));
	const known = () => [0, 1, MOST_NOTED - 1, MOST_NOTED].map((index) => mayAnswer(account, index));
	expect(known()).toEqual([true, true, true, false]);
	account.note(`wh_${MOST_NOTED}`, open(MOST_NOTED));
	expect(known()).toEqual([false, true, true, true]);
});

it('forgets no parked question for others, and parks no more than it can keep', () => {
	const account = newAccount();
	for (let index = 0; index <= MOST_PARKED; index++) {
		account.note(`wh_${index}`, open(index));
		expect(account.park(`wh_${index}`, `url ${index}`)).toBe(index < MOST_PARKED);
	}
	for (let index = 0; index < 12 * MOST_PARKED; index++) account.note(`made up ${index}`, open(0));
	expect(account.park('wh_0', 'url 0')).toBe(true);
	for (const index of [0, MOST_PARKED - 1])
		expect(account.findAnswered(messageFrom(index))).toContainEqual({
			id: `wh_${index}`,
			url: `url ${index}`,
			isParked: true,
		});
});

it('still knows a question whose time is over while n8n may not have noticed', () => {
	for (const [minutes, isOpen] of [
		[1, true],
		[3, false],
	] as const) {
		const account = newAccount();
		account.note(`wh_${minutes}`, open(minutes, Date.now() - minutes * 60_000));
		account.note('wh_other', open(0));
		expect(mayAnswer(account, minutes)).toBe(isOpen);
	}
});

it('tells a question that gets its messages itself no longer, once it cannot be reached', () => {
	const account = newAccount();
	for (const index of [1, 2]) account.note(`wh_${index}`, open(index));
	account.park('wh_2', 'url');
	expect([1, 2].map((index) => account.stopForwarding(`wh_${index}`))).toEqual([true, false]);
	expect([1, 2].map((index) => mayAnswer(account, index))).toEqual([false, true]);
});

it('judges no message until the gateway has named its questions, and for five minutes at most', () => {
	const account = newAccount();
	expect(account.parkedAre).toBe('awaited');
	account.learn(true);
	expect(account.parkedAre).toBe('known');
	account.learn(false);
	expect(account.parkedAre).toBe('awaited');
	jest.advanceTimersByTime(5 * 60_000);
	expect(account.parkedAre).toBe('overdue');
});

it('tells the person once to quote, until another approval comes', () => {
	const account = newAccount();
	const tell = (ids: string[], event: number) => account.mustTellToQuote(ids, messageFrom(event));
	expect(tell(['a', 'b'], 1)).toBe(true);
	expect(tell(['b', 'a'], 1)).toBe(false);
	expect(tell(['a', 'b'], 2)).toBe(false);
	expect(tell(['c', 'a', 'b'], 3)).toBe(true);
	expect(tell(['d'], 3)).toBe(false);
});

it('tells the person anew, and asks again anew, where another question gets the ID of one that is over', () => {
	const account = newAccount();
	const tell = (event: number) => account.mustTellToQuote(['wh_1'], messageFrom(event));
	const ask = (event: number) => account.countAskedAgain('wh_1', messageFrom(event), 1)?.again;
	account.note('wh_1', open(1));
	expect([tell(1), tell(2), ask(1), ask(2)]).toEqual([true, false, 1, undefined]);
	account.note('wh_1', open(1, Date.now() + 60_000));
	expect([tell(3), tell(4), ask(1), ask(2)]).toEqual([true, false, 1, undefined]);
});

it('says something of each question once', () => {
	const account = newAccount();
	const said = (id: string, what: string) => account.isNews(id, what);
	expect([said('a', 'x'), said('a', 'x')]).toEqual([true, false]);
	expect([said('b', 'x'), said('a', 'y')]).toEqual([true, true]);
});

it('goes on with what an older load of the package knew, and has its triggers prove themselves anew', () => {
	const older = newAccount();
	older.note('wh_1', open(1));
	older.park('wh_1', 'url');
	older.learn(true);
	older.forwarders.set('trigger', { isProven: true });
	const newer = new Account('fingerprint', 'whsec_', older.handOver());
	expect(newer.findAnswered(messageFrom(1))).toEqual([{ id: 'wh_1', url: 'url', isParked: true }]);
	expect(newer.parkedAre).toBe('known');
	expect([...newer.forwarders]).toEqual([['trigger', { isProven: false }]]);
	// A delivery that the older code is still working on.
	older.looks.noteTaken(messageFrom(1));
	expect(newer.looks.at(messageFrom(1)).isTaken).toBe(true);
});

it('begins anew where the older load kept something else', () => {
	const older = newAccount();
	older.note('wh_1', open(1));
	older.park('wh_1', 'url');
	older.learn(true);
	const newer = new Account('fingerprint', 'whsec_', { ...older.handOver(), shape: 0 });
	expect(newer.parked.size).toBe(0);
	expect(newer.parkedAre).toBe('awaited');
});

it('remembers no more approvals that the person was asked to quote than it can hold, whatever a gateway lists', () => {
	const account = newAccount();
	for (let message = 0; message < 50; message++) {
		const listed = Array.from({ length: 1_000 }, (_, index) => `wh_${message}_${index}`);
		account.mustTellToQuote(listed, messageFrom(message));
	}
	expect(account.memory.toldToQuote.size).toBeLessThanOrEqual(5_000);
	expect(account.mustTellToQuote(['wh_49_999'], messageFrom(99))).toBe(false);
});
