import { Account } from '../../../nodes/MessagingGateway/question/account';
import {
	accountOf,
	findForwarded,
	setForwarder,
} from '../../../nodes/MessagingGateway/question/accounts';

const MOST_PARKED = 1_000;
const MOST_NOTED = 2_000;
const MOST_ACCOUNTS = 200;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const phoneOf = (index: number) => `5511${String(900_000_000 + index)}`;

const messageFrom = (index: number) => ({
	id: `evt_${index}`,
	type: 'MESSAGE.RECEIVED',
	data: { messageId: `M${index}`, chat: { id: `${index}@lid`, phone: phoneOf(index) } },
});

const open = (index: number, until = Infinity) => ({
	to: phoneOf(index),
	until,
	url: `url ${index}`,
});

/** Whether a question is among those that a message of its chat may answer. */
function mayAnswer(account: Account, index: number): boolean {
	return account.findAnswered(messageFrom(index)).some(({ id }) => id === `wh_${index}`);
}

const newAccount = () => new Account('fingerprint', 'whsec_');

it('keeps the latest 2,000 questions, however many a gateway lists and however long they are to wait', () => {
	const account = newAccount();
	for (let index = 0; index <= MOST_NOTED; index++) account.note(`wh_${index}`, open(index));
	expect(mayAnswer(account, MOST_NOTED)).toBe(true);
	expect(mayAnswer(account, 0)).toBe(false);
});

it('forgets no parked question for others, and parks no more than it can keep', () => {
	const account = newAccount();
	for (let index = 0; index <= MOST_PARKED; index++) {
		account.note(`wh_${index}`, open(index));
		expect(account.park(`wh_${index}`, `url ${index}`)).toBe(index < MOST_PARKED);
	}
	for (let index = 0; index < 12 * MOST_PARKED; index++) account.note(`made up ${index}`, open(0));
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
	expect(account.naming).toBe('awaited');
	account.learn(true);
	expect(account.naming).toBe('known');
	account.learn(false);
	expect(account.naming).toBe('awaited');
	jest.advanceTimersByTime(5 * 60_000);
	expect(account.naming).toBe('overdue');
});

const approvalOf = (webhookId: string) => ({ webhookId, type: 'approval' }) as const;

it('lets one message decide one approval', () => {
	const account = newAccount();
	const note = open(1);
	expect(account.decisions.claim(approvalOf('first'), note, messageFrom(1))).toBe('claimed');
	expect(account.decisions.claim(approvalOf('first'), note, messageFrom(1))).toBe('resuming');
	expect(account.decisions.claim(approvalOf('first'), note, messageFrom(2))).toBe('over');
	expect(account.decisions.claim(approvalOf('second'), note, messageFrom(1))).toBe('spent');
	expect(
		account.decisions.claim({ webhookId: 'reply', type: 'reply' }, open(1), messageFrom(1)),
	).toBe('claimed');
	account.decisions.release('first', note);
	account.decisions.release('reply', note);
	expect(account.decisions.claim(approvalOf('second'), note, messageFrom(1))).toBe('claimed');
});

it('takes a question for another one than an earlier question of the same webhook ID', () => {
	const account = newAccount();
	const [earlier, later] = [60_000, 120_000].map((ms) => ({ ...open(1), until: Date.now() + ms }));
	account.note('first', { ...earlier, chatId: 'earlier' });
	expect(account.decisions.claim(approvalOf('first'), earlier, messageFrom(1))).toBe('claimed');
	expect(account.note('first', later)).not.toHaveProperty('chatId');
	expect(account.decisions.claim(approvalOf('first'), later, messageFrom(2))).toBe('claimed');
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

it('keeps 200 accounts, and none less because of what others list', () => {
	const mine = accountOf('mine');
	setForwarder('trigger', mine);
	const idle = accountOf('idle');
	for (let index = 0; index < MOST_ACCOUNTS; index++) {
		const other = accountOf(`made up ${index}`);
		other.note('wh_1', open(1));
		other.park('wh_1', 'url');
	}
	expect(findForwarded('trigger')).toBe(mine);
	expect(accountOf('mine')).toBe(mine);
	expect(accountOf('idle')).not.toBe(idle);
});

it('signs for each account with another secret', () => {
	expect(accountOf('mine').forwardSecret).not.toBe(accountOf('yours').forwardSecret);
	expect(accountOf('mine').forwardSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

it('counts an edit of a message that has decided a question as the same message', () => {
	const account = newAccount();
	const edit = { ...messageFrom(1), id: 'evt_edit' };
	const note = open(1);
	expect(account.decisions.claim(approvalOf('first'), note, messageFrom(1))).toBe('claimed');
	expect(account.decisions.claim(approvalOf('second'), note, edit)).toBe('spent');
	expect(account.decisions.claim({ webhookId: 'reply', type: 'reply' }, open(1), edit)).toBe(
		'claimed',
	);
});

it('knows a question for open when a message was written that comes later than its answer', () => {
	const account = newAccount();
	const note = open(1);
	const writtenAt = (timestamp: string) => ({ ...messageFrom(1), timestamp });
	account.decisions.claim(approvalOf('first'), note, writtenAt('2026-11-22T12:00:05Z'));
	jest.advanceTimersByTime(60_000);
	const listed = (timestamp: string) =>
		account.decisions.listSince(Date.now(), writtenAt(timestamp)).length;
	expect(listed('2026-11-22T12:00:00Z')).toBe(1);
	expect(listed('2026-11-22T12:00:10Z')).toBe(0);
});

it('goes on with what an older load of the package knew, and has its triggers prove themselves anew', () => {
	const older = newAccount();
	older.note('wh_1', open(1));
	older.park('wh_1', 'url');
	older.learn(true);
	older.forwarders.set('trigger', { isProven: true });
	const newer = new Account('fingerprint', 'whsec_', older.handOver());
	expect(newer.findAnswered(messageFrom(1))).toEqual([{ id: 'wh_1', url: 'url', isParked: true }]);
	expect(newer.naming).toBe('known');
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
	expect(newer.naming).toBe('awaited');
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
