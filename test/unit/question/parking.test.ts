import type { IWebhookFunctions } from 'n8n-workflow';
import { fingerprint } from '../../../nodes/MessagingGateway/api/access';
import type { GatewayContext } from '../../../nodes/MessagingGateway/api/request';
import { sharedMap } from '../../../nodes/MessagingGateway/processState';
import {
	accountOf,
	noteArrival,
	setForwarder,
} from '../../../nodes/MessagingGateway/question/accounts';
import {
	arrangeWebhooks,
	forwardMessage,
	isForwarded,
	noteExecution,
} from '../../../nodes/MessagingGateway/question/parking';
import { gatewayContext, type Answered } from '../gatewayContext';
import { messageFrom, open } from './asked';

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
	expect(isForwarded(account)).toBe(false);
	run('integrated', 'webhook');
	expect(isForwarded(account)).toBe(true);
});

// Whether a question's webhook may be parked: only where each of these holds.
const CONDITIONS = ['runs executions', 'lists all', 'is proven', 'receives here'] as const;
const all = CONDITIONS.map((_, bit) => 1 << bit).reduce((sum, bit) => sum | bit);
const cells = [...Array(all + 1).keys()].map((bits) => ({
	held: CONDITIONS.filter((_, bit) => bits & (1 << bit)),
	relayed: bits === all,
}));

it.each(cells)('where holds $held: $relayed', ({ held, relayed }) => {
	const holds = (condition: (typeof CONDITIONS)[number]) => held.includes(condition);
	for (const kept of ['roles', 'receiving triggers']) sharedMap(kept).clear();
	if (holds('runs executions')) run('webhook');
	if (holds('receives here')) noteArrival('trigger');
	account.memory.listsAll = holds('lists all');
	setForwarder('trigger', account, { isProven: holds('is proven') });
	expect(isForwarded(account)).toBe(relayed);
	setForwarder('trigger');
	expect(isForwarded(account)).toBe(false);
});

describe('a message that its question', () => {
	const TAKEN = { status: 200 };
	const DEFERRED = { status: 503 };
	/** What n8n answers for an execution that goes on at that moment, as with the message before. */
	const RUNS = { status: 409, body: { message: 'The execution "7" is running already.' } };

	/** Delivers it as often as the question has answers to give: what each delivery comes to. */
	async function forward(...answers: Answered[]): Promise<{ told: number; outcomes: boolean[] }> {
		const url = 'https://n8n.example.com/webhook-waiting/7/node?until=4000000000000';
		account.note('wh_1', { ...open(1), url });
		account.park('wh_1', url);
		let told = 0;
		const context = gatewayContext({ ...CREDENTIAL, answer: () => answers[told++] });
		const event = { ...messageFrom(1), id: `evt ${JSON.stringify(answers)}` };
		const outcomes: boolean[] = [];
		for (const _ of answers) {
			const isTaken = forwardMessage(
				context as unknown as IWebhookFunctions,
				account,
				event,
				false,
			);
			outcomes.push(await isTaken);
		}
		account.forget('wh_1');
		return { told, outcomes };
	}

	it('defers is forwarded again when the gateway repeats it', async () => {
		expect(await forward(DEFERRED, DEFERRED, TAKEN)).toEqual({
			told: 3,
			outcomes: [false, false, true],
		});
	});

	it('cannot take, because its execution runs just then, is forwarded again', async () => {
		expect(await forward(RUNS, TAKEN)).toEqual({ told: 2, outcomes: [false, true] });
	});

	it('has is not forwarded again', async () => {
		expect(await forward(TAKEN, TAKEN)).toEqual({ told: 1, outcomes: [true, true] });
	});
});
