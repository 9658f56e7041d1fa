import { Account } from '../../../nodes/MessagingGateway/question/account';
import { makeEvent } from '../trigger/event';

const UNTIL = Date.now() + 60_000;
const MOST = 2;

let account: Account;

beforeEach(() => {
	account = new Account('one', 'whsec_');
});

/** Whether each of these events asks the person again, where the URL of the question's webhook says how often that was before. */
function ask(webhookId: string, ids: string[], kept = 0, until = UNTIL): boolean[] {
	return ids.map((id) => {
		account.note(webhookId, { to: '5511987654321', until, again: kept });
		return account.countAskedAgain(webhookId, makeEvent({ id }), MOST) !== undefined;
	});
}

it('asks again as often as wanted, once for each message', () => {
	expect(ask('wh_1', ['a', 'a', 'b', 'a', 'c', 'b'])).toEqual([
		true,
		false,
		true,
		false,
		false,
		false,
	]);
});

it('counts on from what the URL says, and from what it knows better', () => {
	expect(ask('wh_1', ['a'], 1)).toEqual([true]);
	expect(account.find('wh_1')?.again).toBe(2);
	expect(ask('wh_1', ['b'], 0)).toEqual([false]);
	expect(ask('wh_2', ['a'], 2)).toEqual([false]);
});

it('knows a question from an earlier one under the same ID', () => {
	expect(ask('wh_1', ['a', 'b'])).toEqual([true, true]);
	expect(ask('wh_1', ['a'], 0, UNTIL + 1)).toEqual([true]);
});

it('keeps no more events than may be asked again', () => {
	ask('wh_1', ['a', 'b']);
	const more = Array.from({ length: 1_000 }, (_, index) => `more ${index}`);
	expect(ask('wh_1', [...more, ...more])).not.toContain(true);
	expect(account.memory.askedAgain.get('wh_1')).toEqual(new Set(['a', 'b']));
});
