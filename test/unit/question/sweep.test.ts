import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { GatewayContext } from '../../../nodes/MessagingGateway/api/request';
import {
	noteArrival,
	openAccount,
	setForwarder,
} from '../../../nodes/MessagingGateway/question/accounts';
import { noteExecution } from '../../../nodes/MessagingGateway/question/parking';
import {
	arrangeQuestions,
	closeWebhook,
	noteQuestions,
	sweepQuestions,
} from '../../../nodes/MessagingGateway/question/sweep';
import { gatewayContext, type Answered } from '../gatewayContext';
import { messageFrom } from './asked';

const OWN = 'https://n8n.example.com/webhook/hook';

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** A gateway with parked questions that takes so many changes at once. */
function park(questions: number, atOnce: number): { awake: Set<string>; context: GatewayContext } {
	const url = `https://n8n.example.com/webhook-waiting/7/node?asked=5511987654321&until=${Date.now() + 3_600_000}&signature=x`;
	const data = [...Array(questions).keys()].map((index) => ({
		id: `wh_${index}`,
		url,
		events: ['QRCODE.UPDATED'],
	}));
	const awake = new Set<string>();
	let taken = { at: 0, count: 0 };
	const context = gatewayContext({
		answer({ method, url: asked }) {
			if (method === 'GET') return { status: 200, body: { data } };
			if (taken.at !== Date.now()) taken = { at: Date.now(), count: 0 };
			if (++taken.count > atOnce) return { status: 429 };
			awake.add(asked.split('/').at(-1)!);
			return { status: 200, body: { data: {} } };
		},
	});
	return { awake, context: context as unknown as GatewayContext };
}

/** What it comes to, with each pause over as soon as it begins. */
async function arrange(context: GatewayContext): Promise<string> {
	let outcome = '';
	arrangeQuestions(context, OWN).then(
		() => (outcome = 'done'),
		({ message }: Error) => (outcome = message),
	);
	while (outcome === '') {
		await yieldTurn();
		if (jest.getTimerCount() > 0) await jest.advanceTimersToNextTimerAsync();
	}
	return outcome;
}

describe('questions that get their messages themselves again', () => {
	it('are all changed, however few the gateway changes at a time', async () => {
		const { awake, context } = park(6, 1);
		expect(await arrange(context)).toBe('done');
		expect(awake.size).toBe(6);
	});

	it('are given up where the gateway changes none of them', async () => {
		const { awake, context } = park(6, 0);
		expect(await arrange(context)).toBe('the gateway did not change 6 of them');
		expect(awake.size).toBe(0);
	});
});

const HOUR = 3_600_000;
const DELIVERED = ['MESSAGE.RECEIVED'];
const PARKED = ['QRCODE.UPDATED'];
const ENDED: Answered = { status: 409, body: { message: 'The execution has finished already.' } };
const WAITS: Answered = { status: 401 };

interface Listed {
	events?: string[];
	left?: number;
	chat?: string;
}

const question = (
	execution: number,
	{ events = DELIVERED, left = HOUR, chat = '1%40lid' }: Listed = {},
) => ({
	id: `wh_${execution}`,
	url: `https://n8n.example.com/webhook-waiting/${execution}/node?asked=5511900000001&until=${Date.now() + left}${chat && `&chat=${chat}`}&signature=x`,
	events,
});

/** A gateway that lists these webhooks, and what n8n says of the executions behind them. */
async function list(
	webhooks: object[],
	says: (execution: number) => Answered | 'silence' = () => WAITS,
	remove: Answered = { status: 200 },
) {
	const [asked, changed, deleted, said]: [number[], string[], string[], string[]] = [
		[],
		[],
		[],
		[],
	];
	const made = gatewayContext({
		answer({ method, url, body }) {
			const last = String(url).split('/').at(-1) ?? '';
			if (method === 'GET') return { status: 200, body: { data: webhooks } };
			if (method === 'DELETE') {
				deleted.push(last);
				return remove;
			}
			if (method === 'PATCH') {
				changed.push(`${last} ${(JSON.parse(String(body)) as { events: string[] }).events.join()}`);
				return { status: 200 };
			}
			const execution = Number(new URL(url).pathname.split('/').at(-2));
			asked.push(execution);
			const answer = says(execution);
			if (answer === 'silence') throw new Error('ECONNREFUSED');
			return answer;
		},
	});
	const logger = { ...made.logger, warn: (text: string) => said.push(text) };
	const context = { ...made, logger } as unknown as GatewayContext;
	const account = await openAccount(context);
	const forward = (isListed?: () => boolean) => {
		const noteParked = async () => await Promise.resolve(true);
		setForwarder(account.fingerprint, account, { isProven: true, noteParked, isListed });
		noteArrival(account.fingerprint);
		noteExecution({ getMode: () => 'webhook' });
	};
	const sweep = async (most?: number) => await sweepQuestions(context, OWN, most);
	return { context, account, forward, sweep, asked, changed, deleted, said };
}

describe('a sweep', () => {
	it('removes what is over and what nobody waits for, and counts the rest', async () => {
		const stood = await list(
			[question(1, { left: -HOUR }), question(2), question(3)],
			(execution) => (execution === 2 ? ENDED : WAITS),
		);
		expect(await stood.sweep()).toEqual({ all: 1, direct: 1 });
		expect(stood.deleted).toEqual(['wh_1', 'wh_2']);
		expect(stood.asked).toEqual([2, 3]);
		expect(stood.account.find('wh_2')).toBeUndefined();
		expect(stood.account.findAnswered(messageFrom(1))).toMatchObject([{ id: 'wh_3' }]);
	});

	it('goes on where the gateway does not delete one, which the log says', async () => {
		const stood = await list([question(1, { left: -HOUR }), question(2)], undefined, {
			status: 502,
		});
		expect(await stood.sweep()).toEqual({ all: 1, direct: 1 });
		expect(stood.said).toEqual([
			expect.stringContaining('webhook wh_1 of a question that is over could not be deleted yet'),
		]);
	});

	it.each<[string, object[], string[], object]>([
		['those whose chat is known', [question(1)], ['wh_1 QRCODE.UPDATED'], { all: 1, direct: 0 }],
		['no other', [question(1, { chat: '' })], [], { all: 1, direct: 1 }],
		[
			'none where the list does not say which are parked',
			[question(1), { ...question(2), events: undefined }],
			[],
			{ all: 2, direct: 2 },
		],
	])('lets a trigger forward to %s', async (_which, webhooks, changed, open) => {
		const stood = await list(webhooks);
		stood.forward();
		expect(await stood.sweep()).toEqual(open);
		expect(stood.changed).toEqual(changed);
	});

	it('asks n8n the sooner again the faster that was', async () => {
		const { sweep, asked } = await list([question(1)], () => {
			jest.setSystemTime(Date.now() + 1_000);
			return WAITS;
		});
		const countAfter = async (ms: number) => {
			jest.setSystemTime(Date.now() + ms);
			await sweep();
			return asked.length;
		};
		expect(await countAfter(0)).toBe(1);
		expect(await countAfter(8_900)).toBe(1);
		expect(await countAfter(100)).toBe(2);
	});

	it.each<[string, (execution: number) => Answered | 'silence', number]>([
		['does not reach at all', () => 'silence', 600_000],
		['reaches in part', (execution) => (execution === 1 ? 'silence' : WAITS), 500],
	])('asks an n8n that it %s again later', async (_what, says, after) => {
		const { sweep, asked } = await list([question(1), question(2)], says);
		await sweep();
		jest.setSystemTime(Date.now() + after - 1);
		await sweep();
		expect(asked).toHaveLength(2);
		jest.setSystemTime(Date.now() + 1);
		await sweep();
		expect(asked).toHaveLength(4);
	});

	it('asks n8n of fifty at a time, and goes on with the next ones', async () => {
		const { sweep, asked } = await list([...Array(60).keys()].map((index) => question(index)));
		await sweep();
		expect(asked).toEqual([...Array(50).keys()]);
		jest.setSystemTime(Date.now() + 60_000);
		await sweep();
		expect(asked.slice(50)).toEqual([
			...Array.from({ length: 10 }, (_, index) => 50 + index),
			...Array(40).keys(),
		]);
	});

	it('asks n8n in any case of those that get every message, if there are too many', async () => {
		const { sweep, asked } = await list([question(1), question(2, { events: PARKED })]);
		await sweep(2);
		asked.length = 0;
		await sweep(2);
		expect(asked).toEqual([]);
		await sweep(1);
		expect(asked).toEqual([1]);
	});

	it('counts a thousand, however many the gateway lists', async () => {
		const { sweep } = await list([...Array(1_005).keys()].map((index) => question(index)));
		expect(await sweep()).toEqual({ all: 1_000, direct: 1_000 });
	});
});

it.each([
	[1_000, 'known'],
	[1_001, 'awaited'],
])('of %i parked questions in a list, all are %s', async (count, are) => {
	const { context, account } = await list([]);
	const webhooks = [...Array(count).keys()].map((index) => question(index, { events: PARKED }));
	noteQuestions(context, account, { webhooks: webhooks as never }, OWN);
	expect(account.parkedAre).toBe(are);
	expect(account.parked.size).toBe(1_000);
	expect(account.findAnswered(messageFrom(1))[0]).toEqual({
		id: 'wh_0',
		url: webhooks[0].url,
		isParked: true,
	});
});

it('a question that was answered while the gateway put its list together is not open again', async () => {
	const asked = question(1, { events: PARKED });
	const { context, account, forward, sweep } = await list([asked]);
	forward();
	await sweep();
	const note = account.find('wh_1')!;
	expect(account.parked.has('wh_1')).toBe(true);
	account.decisions.claim({ webhookId: 'wh_1', type: 'reply' }, note, messageFrom(1));
	await closeWebhook(context, 'wh_1');
	noteQuestions(context, account, { webhooks: [asked] as never }, OWN);
	expect(account.findAnswered(messageFrom(1))).toEqual([]);
	expect(account.parkedAre).toBe('known');

	// Of the next question, a gateway may give its webhook the same ID.
	const next = question(1, { events: PARKED, left: 2 * HOUR });
	noteQuestions(context, account, { webhooks: [next] as never }, OWN);
	expect(account.findAnswered(messageFrom(1))).toMatchObject([{ id: 'wh_1', isParked: true }]);
});

it('a question that gets its messages itself is not parked when a trigger leaves', async () => {
	const { context, account, forward, changed } = await list([
		question(1),
		question(2, { events: PARKED }),
	]);
	account.memory.listsAll = true;
	forward();
	noteQuestions(context, account, { webhooks: [question(1)] as never }, OWN);
	await arrangeQuestions(context, OWN);
	expect(changed).toEqual([]);
});

it.each([
	[true, ['wh_1 QRCODE.UPDATED']],
	[false, ['wh_2 MESSAGE.RECEIVED']],
])('a trigger forwards only as long as its webhook is listed: %s', async (isListed, changes) => {
	const { forward, sweep, changed } = await list([question(1), question(2, { events: PARKED })]);
	forward(() => isListed);
	await sweep();
	expect(changed).toEqual(changes);
});

it('what nobody waits for is forgotten, also where its webhook cannot be deleted', async () => {
	const { context, account, said } = await list([], undefined, { status: 502 });
	account.note('wh_1', { to: '5511900000001', until: Infinity });
	await closeWebhook(context, 'wh_1');
	expect(account.find('wh_1')).toBeUndefined();
	expect(said).toHaveLength(1);
});
