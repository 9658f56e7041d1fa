import type { GatewayContext } from '../../../nodes/MessagingGateway/api/request';
import type { Account } from '../../../nodes/MessagingGateway/question/account';
import {
	accountOf,
	findForwarded,
	listOf,
	noteArrival,
	setForwarder,
} from '../../../nodes/MessagingGateway/question/accounts';
import { gatewayContext, type Answered } from '../gatewayContext';
import { messageFrom, open } from './asked';

const MOST_ACCOUNTS = 200;

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

it('lets a trigger forward for one account alone, as when its credential has changed', () => {
	const [before, after] = [accountOf('before'), accountOf('after')];
	setForwarder('moved', before);
	setForwarder('moved', after);
	expect([before.forwarders.size, after.forwarders.size]).toEqual([0, 1]);
	expect(findForwarded('moved')).toBe(after);
});

describe('the list of webhooks', () => {
	const LIST = { status: 200, body: { data: [] } };

	/** An account whose gateway answers in turn as told: what each listing comes to, and how many requests there were. */
	function listing(...answers: Answered[]) {
		let requests = 0;
		const context = gatewayContext({ answer: () => answers[requests++] });
		const account = accountOf(`listed ${Math.random()}`);
		const list = async (since?: number) =>
			await listOf(context as unknown as GatewayContext, account, { since }).then(
				() => requests,
				() => `failed ${requests}`,
			);
		return list;
	}

	beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
	afterEach(() => void jest.useRealTimers());

	it('is asked for once by all whose messages came before', async () => {
		const list = listing(LIST, LIST, LIST);
		const came = Date.now() - 1;
		expect(await Promise.all([list(came), list(came)])).toEqual([1, 1]);
		expect(await list(came)).toBe(1);
		expect(await list(Date.now())).toBe(2);
		expect(await list()).toBe(3);
	});

	it('is asked for again where it is from the future, since somebody has set the clock back', async () => {
		const list = listing(LIST, LIST);
		const now = Date.now();
		expect(await list(now - 1)).toBe(1);
		jest.setSystemTime(now - 60_000);
		expect(await list(Date.now())).toBe(2);
	});

	it('that the gateway did not give is asked for again', async () => {
		const list = listing({ status: 502 }, LIST);
		const came = Date.now() - 1;
		expect(await list(came)).toBe('failed 1');
		expect(await list(came)).toBe(2);
	});
});

describe('code that was loaded later', () => {
	/** The module once more, beside the same n8n, as an update loads it. */
	function loadNewer(): typeof import('../../../nodes/MessagingGateway/question/accounts') {
		const n8n = jest.requireActual<object>('n8n-workflow');
		let newer = {};
		jest.isolateModules(() => {
			jest.doMock('n8n-workflow', () => n8n);
			newer = jest.requireActual('../../../nodes/MessagingGateway/question/accounts');
		});
		return newer as ReturnType<typeof loadNewer>;
	}

	it('knows the open questions, the triggers and the secrets of before', () => {
		const older = accountOf('updated');
		older.note('wh_1', open(1));
		setForwarder('receiver', older, { isProven: true });
		noteArrival('receiver');
		const newer = loadNewer();
		const heir = newer.accountOf('updated') as Account;
		expect(heir).not.toBe(older);
		expect(heir.findAnswered(messageFrom(1))).toHaveLength(1);
		expect(newer.findForwarded('receiver')).toBe(heir);
		expect(heir.forwardSecret).toBe(older.forwardSecret);
		expect(newer.hasForwarder(heir)).toBe(false);
		newer.setForwarder('receiver', heir, { isProven: true });
		expect(newer.hasForwarder(heir)).toBe(true);
	});
});
