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
	inGroups,
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
	const GONE = { status: 404, body: { message: 'The execution "7" does not exist.' } };
	const FAILED = { status: 500 };
	const MINUTE = 60_000;

	beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
	afterEach(() => void jest.useRealTimers());

	interface Way {
		isParked?: boolean;
		toAll?: boolean;
		/** How much later each repeat comes. */
		every?: number;
		until?: number;
	}

	/** Delivers it as often as n8n has answers to give: what is told, what each delivery comes to, and what is known then. */
	async function forward(
		answers: Array<Answered | 'silence'>,
		{ isParked = true, toAll = false, every = 0, until = 4_000_000_000_000 }: Way = {},
	) {
		const url = `https://n8n.example.com/webhook-waiting/7/node?until=${until}`;
		account.note('wh_1', { ...open(1), until, url });
		if (isParked) account.park('wh_1', url);
		const left = [...answers];
		const told: string[] = [];
		const context = gatewayContext({
			...CREDENTIAL,
			answer: ({ method = '', body }) => {
				if (method === 'PATCH') {
					told.push(`deliver ${(JSON.parse(String(body)) as { events: string[] }).events.join()}`);
					return { status: 200 };
				}
				told.push('forward');
				const answer = left.shift() ?? FAILED;
				if (answer === 'silence') throw new Error('ECONNREFUSED');
				return answer;
			},
		});
		const warn = jest.fn();
		context.logger.warn = warn;
		const event = { ...messageFrom(1), id: `evt ${Math.random()}` };
		const outcomes: boolean[] = [];
		for (const _ of answers) {
			outcomes.push(
				await forwardMessage(context as unknown as IWebhookFunctions, account, event, toAll),
			);
			jest.setSystemTime(Date.now() + every);
		}
		const isKnown = account.find('wh_1') !== undefined;
		const isHeld = account.forwarding.find('wh_1', { ...event, type: 'N8N.FORWARDED' }) === event;
		account.forget('wh_1');
		return { told, outcomes, isKnown, isHeld, warnings: warn.mock.calls.length };
	}

	const WAKE = 'deliver MESSAGE.RECEIVED';

	it('defers is forwarded again when the gateway repeats it', async () => {
		expect(await forward([DEFERRED, DEFERRED, TAKEN], { every: 3 * MINUTE })).toMatchObject({
			told: ['forward', 'forward', 'forward'],
			outcomes: [false, false, true],
		});
	});

	it('cannot take, because its execution runs just then, is forwarded again', async () => {
		expect(await forward([RUNS, TAKEN])).toMatchObject({
			told: ['forward', 'forward'],
			outcomes: [false, true],
			isKnown: true,
		});
	});

	it('has is not forwarded again', async () => {
		expect(await forward([TAKEN, TAKEN])).toMatchObject({
			told: ['forward'],
			outcomes: [true, true],
			isHeld: false,
		});
	});

	it.each<[string, Answered, number | undefined]>([
		['does not wait for any more', GONE, undefined],
		['waits for no longer, since its execution went on when its time was over', RUNS, -1_000],
	])('%s need not come again, and is forgotten', async (_what, answer, until) => {
		const way = until === undefined ? {} : { until: Date.now() + until };
		expect(await forward([answer], way)).toMatchObject({
			told: ['forward'],
			outcomes: [true],
			isKnown: false,
		});
	});

	it('does not get here is to be repeated for two minutes, and the gateway is to deliver the next one itself', async () => {
		const { told, outcomes, warnings } = await forward([FAILED, FAILED, FAILED], { every: MINUTE });
		expect(outcomes).toEqual([false, false, true]);
		expect(told.slice(0, 2)).toEqual(['forward', WAKE]);
		expect(warnings).toBe(1);
	});

	it('may still read is kept for it', async () => {
		expect(await forward(['silence'])).toMatchObject({ outcomes: [false], isHeld: true });
		expect(await forward([FAILED])).toMatchObject({ outcomes: [false], isHeld: false });
	});

	it('gets from the gateway itself is forwarded only where all are to look at it', async () => {
		const direct = { isParked: false };
		expect(await forward([TAKEN], direct)).toMatchObject({ told: [], outcomes: [true] });
		const toAll = { ...direct, toAll: true };
		expect(await forward([TAKEN], toAll)).toMatchObject({ told: ['forward'], outcomes: [true] });
		// It gets the message anyway.
		expect(await forward([FAILED, FAILED], toAll)).toMatchObject({
			told: ['forward'],
			outcomes: [true, true],
		});
	});
});

it('works on ten at a time, whatever becomes of one', async () => {
	let [running, most] = [0, 0];
	const work = async (index: number) => {
		most = Math.max(most, ++running);
		await new Promise(setImmediate);
		running--;
		if (index === 3) throw new Error('No');
		return index;
	};
	const all = [...Array(25).keys()];
	await expect(inGroups(all, work)).rejects.toThrow('No');
	expect([running, most]).toEqual([0, 10]);
	expect(await inGroups(all.slice(4), work)).toEqual(all.slice(4));
});
