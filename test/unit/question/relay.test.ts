import { fingerprint } from '../../../nodes/MessagingGateway/api/access';
import type { GatewayContext } from '../../../nodes/MessagingGateway/api/request';
import {
	accountOf,
	noteArrival,
	setForwarder,
} from '../../../nodes/MessagingGateway/question/accounts';
import {
	arrangeWebhooks,
	isRelayed,
	noteExecution,
} from '../../../nodes/MessagingGateway/question/relay';

const CREDENTIAL = { baseUrl: 'https://gateway.example.com', accountToken: 'svc_acct_abcdefgh' };
const account = accountOf(
	fingerprint({ baseUrl: CREDENTIAL.baseUrl, token: CREDENTIAL.accountToken }),
);

/** An execution in a mode, called by one in another. */
const run = (mode: string, rootExecutionMode?: string) =>
	noteExecution({ getMode: () => mode, additionalData: { rootExecutionMode } });

it('is left to a trigger where published workflows run, not where somebody only tries one beside workers', async () => {
	const context = {
		getNode: () => ({ parameters: {} }),
		getCredentials: async () => await Promise.resolve(CREDENTIAL),
	};
	await arrangeWebhooks(context as unknown as GatewayContext, [], true);
	setForwarder('trigger', account, { isProven: true });
	noteArrival('trigger');
	run('manual');
	run('integrated', 'manual');
	expect(isRelayed(account)).toBe(false);
	run('integrated', 'webhook');
	expect(isRelayed(account)).toBe(true);
});
