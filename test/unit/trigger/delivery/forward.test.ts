import { randomUUID } from 'node:crypto';
import type { ITriggerFunctions, IWebhookFunctions, Logger } from 'n8n-workflow';
import { openAccount, setForwarder } from '../../../../nodes/MessagingGateway/question/accounts';
import { forwardToQuestions } from '../../../../nodes/MessagingGateway/trigger/delivery/forward';
import { Subscription } from '../../../../nodes/MessagingGateway/trigger/subscription/subscription';
import { nameOfKey } from '../../../../nodes/MessagingGateway/trigger/subscription/subscriptions';
import { gatewayContext } from '../../gatewayContext';
import { messageFrom, open } from '../../question/asked';
import { makeEvent } from '../event';

/** A trigger whose record says that questions may be parked, though the gateway has named none yet. */
function publish({ parked }: { parked?: true }) {
	const context = {
		...gatewayContext({ answer: () => ({ status: 503 }) }),
		getMode: () => 'webhook',
		getNodeParameter: (_name: string, fallback: unknown) => fallback,
		getWorkflowStaticData: () => ({}),
	};
	const key = { workflowId: randomUUID(), nodeId: 'node', test: false };
	const subscription = new Subscription(key, context.logger as unknown as Logger);
	const url = 'https://n8n.example.com/webhook/hook';
	const events = ['MESSAGE.RECEIVED'];
	subscription.want({ url, events });
	subscription.confirm({ webhookId: 'wh_1', secret: 'whsec_x', url, events, parked });
	const checkSoon = jest.fn();
	subscription.switchedOn = {
		context: context as unknown as ITriggerFunctions,
		checkSoon,
		end: () => {},
		passOn: () => {},
	};
	return {
		checkSoon,
		deliver: async (type = 'MESSAGE.RECEIVED') =>
			await forwardToQuestions(
				context as unknown as IWebhookFunctions,
				subscription,
				makeEvent({ type }),
				false,
			),
	};
}

describe('while nobody knows which questions are parked', () => {
	it('a message is to be repeated, and a check is to find out', async () => {
		const trigger = publish({ parked: true });
		expect(await trigger.deliver()).toBe(false);
		expect(trigger.checkSoon).toHaveBeenCalledTimes(1);
	});

	it.each<[string, { parked?: true }, string]>([
		['no message where none can be', {}, 'MESSAGE.RECEIVED'],
		['nothing else', { parked: true }, 'CONNECTION.UPDATED'],
	])('%s', async (_what, record, type) => {
		const trigger = publish(record);
		expect(await trigger.deliver(type)).toBe(true);
		expect(trigger.checkSoon).not.toHaveBeenCalled();
	});
});

describe('a trigger that may not forward takes every message, and looks for no account', () => {
	it.each<[string, { test?: boolean; webhookSetup?: string; events?: string[] }]>([
		['at the test URL', { test: true }],
		['with a webhook that a person has made', { webhookSetup: 'manual' }],
		['without the event', { events: ['MESSAGE.SENT'] }],
	])('%s', async (_what, { test = false, webhookSetup, events = ['MESSAGE.RECEIVED'] }) => {
		const getCredentials = jest.fn();
		const context = {
			...gatewayContext({ answer: () => ({ status: 200 }) }),
			getMode: () => (test ? 'manual' : 'webhook'),
			getNodeParameter: (_name: string, fallback: unknown) => webhookSetup ?? fallback,
			getWorkflowStaticData: () => ({}),
			getCredentials,
		} as unknown as IWebhookFunctions;
		const key = { workflowId: randomUUID(), nodeId: 'node', test };
		const subscription = new Subscription(key, context.logger);
		const url = 'https://n8n.example.com/webhook/hook';
		subscription.want({ url, events });
		subscription.confirm({ webhookId: 'wh_1', secret: 'whsec_x', url, events });
		expect(await forwardToQuestions(context, subscription, messageFrom(1), true)).toBe(true);
		expect(getCredentials).not.toHaveBeenCalled();
	});
});

it('a message that may have been an answer is named in the log, where nobody has found out for five minutes', async () => {
	const warn = jest.fn();
	const record = { webhookId: 'wh_1', secret: 'whsec_x', url: 'https://n8n.example.com/webhook/1' };
	const made = gatewayContext({ answer: () => ({ status: 503 }) });
	const context = {
		...made,
		getMode: () => 'webhook',
		getNodeParameter: (_name: string, fallback: unknown) => fallback,
		getWorkflowStaticData: () => ({ ...record, parked: true }),
		logger: { ...made.logger, warn },
	} as unknown as IWebhookFunctions;
	const key = { workflowId: randomUUID(), nodeId: 'node', test: false };
	const subscription = new Subscription(key, context.logger);
	subscription.want({ url: record.url, events: ['MESSAGE.RECEIVED'] });
	subscription.note('unanswered');
	const deliver = async () =>
		await forwardToQuestions(context, subscription, messageFrom(1), false);
	expect(await deliver()).toBe(false);
	expect(warn).not.toHaveBeenCalled();
	jest.useFakeTimers({ now: Date.now() + 5 * 60_000 - 1_000 });
	expect(await deliver()).toBe(false);
	jest.advanceTimersByTime(1_000);
	expect(await deliver()).toBe(true);
	jest.useRealTimers();
	expect(warn).toHaveBeenCalledWith(
		expect.stringContaining('may be the answer to an open question'),
		expect.anything(),
	);
});

const TRIGGER = { url: 'https://n8n.example.com/webhook/hook', events: ['MESSAGE.RECEIVED'] };
const RECORD = { ...TRIGGER, webhookId: 'wh_1', secret: 'whsec_x' };
const ANSWER_URL = 'https://n8n.example.com/webhook-waiting/1/question';

/** A trigger beside an open question, and what it has forwarded to that. */
async function publishBesideQuestion(staticData: object = {}) {
	const posted: unknown[] = [];
	const gateway = gatewayContext({
		answer: (request) => {
			if (request.url === ANSWER_URL) posted.push(request.body);
			return { status: 200 };
		},
	});
	const context = {
		...gateway,
		getMode: () => 'webhook',
		getNodeParameter: (_name: string, fallback: unknown) => fallback,
		getWorkflowStaticData: () => staticData,
	} as unknown as IWebhookFunctions;
	const account = await openAccount(context);
	account.note('wh_question', { ...open(1), url: ANSWER_URL });
	account.learn(true);
	const key = { workflowId: randomUUID(), nodeId: 'node', test: false };
	const subscription = new Subscription(key, context.logger);
	subscription.want(TRIGGER);
	const forward = async (toAll: boolean) =>
		await forwardToQuestions(context, subscription, messageFrom(1), toAll);
	const unreadable = async () => await Promise.reject(new Error('The vault does not answer'));
	const loseCredential = () => Object.assign(context, { getCredentials: unreadable });
	const warn = jest.spyOn(context.logger, 'warn');
	return { posted, account, subscription, forward, loseCredential, warn };
}

it('a message is forwarded although the gateway confirms the webhook only while the account is looked up', async () => {
	const parked = { ...RECORD, parked: true } as const;
	const { posted, account, subscription, forward } = await publishBesideQuestion(parked);
	account.park('wh_question', ANSWER_URL);
	const forwarding = forward(false);
	subscription.confirm(parked);
	expect(await forwarding).toBe(true);
	expect(posted).toHaveLength(1);
});

it.each([
	['to questions that are parked alone', false, 0],
	['to all of them', true, 1],
])('a message is forwarded %s', async (_whom, toAll, count) => {
	const { posted, subscription, forward } = await publishBesideQuestion();
	subscription.confirm(RECORD);
	expect(await forward(toAll)).toBe(true);
	expect(posted).toHaveLength(count);
});

describe('a trigger whose webhook the gateway has not confirmed', () => {
	const url = 'https://n8n.example.com/webhook/hook';
	const record = { webhookId: 'wh_1', secret: 'whsec_x', url, events: ['MESSAGE.RECEIVED'] };

	afterEach(() => jest.useRealTimers());

	async function startN8n(parked?: true) {
		const context = {
			...gatewayContext({ answer: () => ({ status: 200 }) }),
			getMode: () => 'webhook',
			getNodeParameter: (_name: string, fallback: unknown) => fallback,
			getWorkflowStaticData: () => ({ ...record, parked }),
		} as unknown as IWebhookFunctions;
		const key = { workflowId: randomUUID(), nodeId: 'node', test: false };
		const subscription = new Subscription(key, context.logger);
		subscription.want(record);
		subscription.note('unanswered');
		const account = await openAccount(context);
		return {
			warn: jest.spyOn(context.logger, 'warn'),
			account,
			subscription,
			isForwarder: () => account.forwarders.has(nameOfKey(key)),
			deliver: async () => await forwardToQuestions(context, subscription, messageFrom(1), false),
		};
	}

	it('does not forward for its account until then', async () => {
		const { deliver, isForwarder, subscription } = await startN8n();
		expect([await deliver(), isForwarder()]).toEqual([true, false]);
		subscription.confirm(record);
		expect([await deliver(), isForwarder()]).toEqual([true, true]);
	});

	it('defers the answer to a parked question, but no longer than it may still be confirmed', async () => {
		const { account, deliver, warn } = await startN8n(true);
		account.note('wh_question', open(1));
		account.park('wh_question', url);
		account.learn(true);
		expect(await deliver()).toBe(false);
		expect(warn).not.toHaveBeenCalled();
		jest.useFakeTimers({ now: Date.now() + 6 * 60_000 });
		expect(await deliver()).toBe(true);
		expect(warn).toHaveBeenCalledWith(
			expect.stringContaining('has not confirmed the webhook'),
			expect.anything(),
		);
	});
});

it('a trigger stays proven if that is found out while the account is looked up', async () => {
	const context = {
		...gatewayContext({ answer: () => ({ status: 200 }) }),
		getMode: () => 'webhook',
		getNodeParameter: (_name: string, fallback: unknown) => fallback,
		getWorkflowStaticData: () => ({}),
	} as unknown as IWebhookFunctions;
	const record = { url: 'https://n8n.example.com/webhook/hook', events: ['MESSAGE.RECEIVED'] };
	const key = { workflowId: randomUUID(), nodeId: 'node', test: false };
	const subscription = new Subscription(key, context.logger);
	subscription.want(record);
	subscription.confirm({ ...record, webhookId: 'wh_1', secret: 'whsec_x' });
	const account = await openAccount(context);
	const forwarding = forwardToQuestions(context, subscription, messageFrom(1), false);
	setForwarder(nameOfKey(key), account, { isProven: true });
	await forwarding;
	expect(account.forwarders.get(nameOfKey(key))).toEqual({ isProven: true });
});

it('a message is forwarded while the credential cannot be read, also where the trigger has left its account before', async () => {
	const parked = { ...RECORD, parked: true } as const;
	const { posted, account, subscription, forward, loseCredential } =
		await publishBesideQuestion(parked);
	account.park('wh_question', ANSWER_URL);
	subscription.confirm(parked);
	subscription.account = account.fingerprint;
	loseCredential();
	expect(await forward(false)).toBe(true);
	expect(posted).toHaveLength(1);
});

it('the log does not say that a message was accepted which the gateway has to repeat', async () => {
	const parked = { ...RECORD, parked: true } as const;
	const { account, subscription, forward, warn } = await publishBesideQuestion(parked);
	account.park('wh_question', ANSWER_URL);
	account.learn(false);
	account.memory.since = Date.now() - 10 * 60_000;
	subscription.note('unanswered');
	expect(await forward(false)).toBe(false);
	expect(warn).not.toHaveBeenCalled();
	subscription.confirm(parked);
	expect(await forward(false)).toBe(true);
	expect(warn).toHaveBeenCalledWith(
		expect.stringContaining('may be the answer to an open question'),
		expect.anything(),
	);
});

describe('while the credential cannot be read', () => {
	/** A trigger that a start of n8n has just switched on, with what n8n's static data says. */
	function startN8n(parked?: true, isConfirmed = false) {
		const record = {
			webhookId: 'wh_1',
			secret: 'whsec_x',
			url: 'https://n8n.example.com/webhook/1',
		};
		const events = ['MESSAGE.RECEIVED'];
		const context = {
			...gatewayContext({ answer: () => ({ status: 503 }) }),
			getMode: () => 'webhook',
			getNodeParameter: (_name: string, fallback: unknown) => fallback,
			getWorkflowStaticData: () => ({ ...record, events, parked }),
			getCredentials: async () => await Promise.reject(new Error('The vault does not answer')),
		} as unknown as IWebhookFunctions;
		const warn = jest.spyOn(context.logger, 'warn');
		const key = { workflowId: randomUUID(), nodeId: 'node', test: false };
		const subscription = new Subscription(key, context.logger);
		subscription.want({ url: record.url, events });
		subscription.note('unanswered');
		if (isConfirmed) subscription.confirm({ ...record, events, parked });
		return {
			warn,
			deliver: async () => await forwardToQuestions(context, subscription, messageFrom(1), false),
		};
	}

	it.each([[false], [true]])(
		'a message is to be repeated where questions may be parked; confirmed: %s',
		async (isConfirmed) => {
			expect(await startN8n(true, isConfirmed).deliver()).toBe(false);
		},
	);

	it('every other message is taken', async () => {
		expect(await startN8n().deliver()).toBe(true);
		expect(await startN8n(undefined, true).deliver()).toBe(true);
	});

	it.each([[false], [true]])(
		'for five minutes after a start at most, which the log is told then; confirmed: %s',
		async (isConfirmed) => {
			const trigger = startN8n(true, isConfirmed);
			jest.useFakeTimers({ now: Date.now() + 6 * 60_000 });
			const taken = await trigger.deliver();
			jest.useRealTimers();
			expect(taken).toBe(true);
			expect(trigger.warn).toHaveBeenCalledWith(
				expect.stringContaining('n8n has not been able to read the credential'),
				expect.anything(),
			);
		},
	);
});
