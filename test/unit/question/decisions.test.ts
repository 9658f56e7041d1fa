import { Account } from '../../../nodes/MessagingGateway/question/account';
import { messageFrom, open } from './asked';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const newAccount = () => new Account('fingerprint', 'whsec_');
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
