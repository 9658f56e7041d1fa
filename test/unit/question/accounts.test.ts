import {
	accountOf,
	findForwarded,
	setForwarder,
} from '../../../nodes/MessagingGateway/question/accounts';
import { open } from './asked';

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
