import { Account } from '../../../nodes/MessagingGateway/question/account';
import { messageFrom, open } from './asked';

// A message from a chat whose phone the network hides, by what it quotes: to which questions it is forwarded.

const HIDDEN = { id: 'hidden@lid' };

/** One account: of Ana's and of Bruno's question the message is known, of Carla's it is not. */
function ask(): Account {
	const account = new Account('fingerprint', 'whsec_');
	account.note('wh_1', open(1), 'Q1');
	account.note('wh_2', open(2), 'Q2');
	account.note('wh_3', open(3));
	return account;
}

const found = (account: Account, data: object, event: object = {}) =>
	account
		.findAnswered({ ...messageFrom(9), ...event, data: { messageId: 'M', chat: HIDDEN, ...data } })
		.map(({ id }) => id);

it.each<[string, object, string[]]>([
	['nothing', {}, []],
	['a question', { quotedMessageId: 'Q2' }, ['wh_2']],
	['a message that nobody knows', { quotedMessageId: 'X' }, ['wh_3']],
	['a question, in a group', { quotedMessageId: 'Q2', chat: { ...HIDDEN, type: 'GROUP' } }, []],
	['a question, in the chat of another one', { quotedMessageId: 'Q2', ...chatOf(1) }, ['wh_1']],
])('one that quotes %s', (_what, data, ids) => {
	expect(found(ask(), data)).toEqual(ids);
});

function chatOf(index: number): object {
	return { chat: messageFrom(index).data.chat };
}

it.each<[string, object]>([
	['is no message received', { type: 'MESSAGE.SENT' }],
	['came to another number', { instanceId: 'inst_2' }],
])('one that %s is forwarded to nobody', (_what, event) => {
	const account = new Account('fingerprint', 'whsec_');
	account.note('wh_1', { ...open(1), instanceId: 'inst_1' }, 'Q1');
	const quoting = { quotedMessageId: 'Q1' };
	expect(found(account, quoting, { instanceId: 'inst_1' })).toEqual(['wh_1']);
	expect(found(account, quoting, { instanceId: 'inst_1', ...event })).toEqual([]);
	expect(found(account, chatOf(1), { instanceId: 'inst_1', ...event })).toEqual([]);
});
