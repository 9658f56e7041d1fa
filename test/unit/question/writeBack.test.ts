import type { IWebhookFunctions } from 'n8n-workflow';
import { waitFor } from '../../../host/waiting';
import { openAccount } from '../../../nodes/MessagingGateway/question/accounts';
import type { Question } from '../../../nodes/MessagingGateway/question/question';
import { ANA, message, MINUTE, startWaiting } from './waiting';

const SEND = 'POST /v1/messages/send-text';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const choice: Partial<Question> = {
	type: 'choice',
	labels: ['Red', 'Blue'],
	askAgain: { text: 'Red or blue?', maxAttempts: 2 },
};

/** A choice that is open, how often the person was written to, and what the account made of a message. */
function askChoice(...[asked, answers]: Parameters<typeof startWaiting>) {
	const stood = startWaiting({ ...choice, ...asked }, answers);
	const countSent = () => stood.requests.filter(({ what }) => what === SEND).length;
	return {
		...stood,
		countSent,
		isTaken: async (event: ReturnType<typeof message>) => {
			const account = await openAccount(stood.gateway as unknown as IWebhookFunctions);
			return account.looks.at(event as never).isTaken;
		},
	};
}

it('counts what is answered by asking again as an answer, and what is not asked about does not', async () => {
	const { deliver, isTaken } = askChoice({ askAgain: { text: 'What?', maxAttempts: 1 } });
	const [first, second] = [message('Green'), message('Yellow')];
	await deliver(first);
	await deliver(second);
	expect([await isTaken(first), await isTaken(second)]).toEqual([true, false]);
});

it('keeps the pace of the question', async () => {
	const { deliver, countSent } = askChoice({ perMinute: 1 });
	await deliver(message('Green'));
	await waitFor('the first to go out', () => countSent() > 0, 5_000);
	await deliver(message('Yellow'));
	await jest.advanceTimersByTimeAsync(50_000);
	expect(countSent()).toBe(1);
	await jest.advanceTimersByTimeAsync(MINUTE);
	expect(countSent()).toBe(2);
});

it('goes out although the gateway does not take the count', async () => {
	const { deliver, requests } = askChoice({}, ({ method }) => {
		if (method === 'PATCH') throw new Error('Cut off');
		return undefined;
	});
	await deliver(message('Green'));
	await waitFor('the person to be written to', () => requests.length > 1, 5_000);
	expect(requests[1]).toEqual({ what: SEND, body: { to: ANA.id, text: 'Red or blue?' } });
});

it('goes out from the number that has asked, and from no other', async () => {
	const { deliver, said, countSent } = askChoice({ instanceId: 'inst_removed' });
	await deliver(message('Green'));
	await waitFor('the log', () => said.length > 0, 5_000);
	expect(said).toEqual([expect.stringContaining('could not be written to again')]);
	expect(countSent()).toBe(0);
});
