import { setImmediate as yieldTurn } from 'node:timers/promises';
import { openAccount, setForwarder } from '../../../../nodes/MessagingGateway/question/accounts';
import { hooks } from '../../../../nodes/MessagingGateway/trigger/subscription/hooks';
import {
	keyOfNode,
	nameOfKey,
	subscriptionFor,
} from '../../../../nodes/MessagingGateway/trigger/subscription/subscriptions';
import { DESIRED, standBesideGateway } from './besideGateway';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
afterEach(() => void jest.useRealTimers());

function stand(parameters: object = {}) {
	const stood = standBesideGateway();
	stood.n8n.parameters = { events: DESIRED.events, ...parameters };
	return {
		...stood,
		checkExists: async () => await hooks.checkExists.call(stood.hook),
		create: async () => await hooks.create.call(stood.hook),
		end: async () => await hooks.delete.call(stood.hook),
	};
}

const RESPONDER = { name: 'Respond', type: 'n8n-nodes-base.respondToWebhook', typeVersion: 1.1 };
const UNUSABLE = { options: { maxPerExecution: 5_000 } };
const CONFIRMS_SUCCESS = { options: { confirmWhen: 'succeeded' } };

// At a start nobody looks on, and a trigger whose hook throws is given up for good.
it.each([
	['a person publishes', 'activate', 'trigger', true, true],
	['a person saves the published workflow', 'update', 'trigger', true, true],
	['n8n starts', 'init', 'trigger', false, false],
	['another main process takes over', 'leadershipChange', 'trigger', false, false],
	['the editor listens for a test event', 'manual', 'manual', true, false],
])(
	'when %s (%s), what the trigger needs is checked, and what answers behind it',
	async (_when, activation, mode, checksNeeds, checksResponder) => {
		const isRefused = async (parameters: object) => {
			const { n8n, checkExists } = stand(parameters);
			Object.assign(n8n, { activation, mode, behind: [RESPONDER] });
			return await checkExists().then(
				() => false,
				() => true,
			);
		};
		for (const lacking of [UNUSABLE, { webhookSetup: 'manual' }])
			expect(await isRefused(lacking)).toBe(checksNeeds);
		// Of no event there can be no webhook.
		expect(await isRefused({ events: [] })).toBe(true);
		expect(await isRefused(CONFIRMS_SUCCESS)).toBe(checksResponder);
	},
);

it.each<[string, () => string[]]>([
	['gives nothing', () => []],
	[
		'fails',
		() => {
			throw new Error('Referenced node does not exist');
		},
	],
])(
	'an expression of the events that %s at a start costs no trigger its webhook',
	async (_what, evaluate) => {
		const { n8n, hook, webhooks, requests, publish, checkExists } = stand();
		await publish();
		const listed = [...webhooks.values()];
		requests.length = 0;
		const getNodeParameter = (name: string, fallback: unknown) =>
			name === 'events' ? evaluate() : fallback;
		Object.assign(hook, { getNodeParameter });
		n8n.activation = 'init';
		expect(await checkExists()).toBe(true);
		expect(requests).toEqual(['GET']);
		expect([...webhooks.values()]).toEqual(listed);
	},
);

it('with manual webhook setup, neither costs the trigger its address', async () => {
	const { n8n, subscription, checkExists } = stand({ webhookSetup: 'manual', events: [] });
	n8n.activation = 'init';
	expect(await checkExists()).toBe(true);
	expect(subscription.isUnpublished).toBe(false);
});

it('a secret in static data that cannot be right makes n8n ask for another webhook', async () => {
	const { n8n, staticData, subscription, webhooks, publish, checkExists, create } = stand();
	await publish();
	n8n.activation = 'init';
	subscription.note('release');
	staticData.secret = 'whsec_[hidden]';
	expect(await checkExists()).toBe(false);
	await create();
	expect(staticData.secret).toBe(subscription.ownRecord?.secret);
	expect([...webhooks.keys()]).toEqual([staticData.webhookId]);
});

describe('with manual webhook setup', () => {
	const publish = () => {
		const stood = stand({ webhookSetup: 'manual' });
		const credential = { baseUrl: 'https://gateway.example.com', webhookSecret: SECRET };
		Object.assign(stood.hook, { getCredentials: async () => await Promise.resolve(credential) });
		return stood;
	};

	it('the trigger is known to be published, and to be unpublished', async () => {
		const { subscription, checkExists, end } = publish();
		expect(await checkExists()).toBe(true);
		expect(subscription).toMatchObject({ desired: DESIRED, isUnpublished: false });
		await end();
		expect(subscription).toMatchObject({ isUnpublished: true });
		await checkExists();
		expect(subscription).toMatchObject({ isUnpublished: false });
	});

	it('the trigger is switched on at a start of n8n at which its credential cannot be read yet', async () => {
		const { subscription, checkExists, n8n, hook } = publish();
		n8n.activation = 'init';
		const unread = new Error('The vault does not answer');
		Object.assign(hook, { getCredentials: async () => await Promise.reject(unread) });
		expect(await checkExists()).toBe(true);
		expect(subscription).toMatchObject({ desired: DESIRED, isUnpublished: false });
	});

	it('the trigger is published also while the webhook from before cannot be deleted, which the log says', async () => {
		const { n8n, hook, publish: publishBefore, answerWith, checkExists, said, webhooks } = stand();
		await publishBefore();
		const credential = { ...(await hook.getCredentials('')), webhookSecret: SECRET };
		Object.assign(hook, { getCredentials: async () => await Promise.resolve(credential) });
		n8n.parameters.webhookSetup = 'manual';
		answerWith('GET', 'silence');
		expect(await checkExists()).toBe(true);
		expect(said).toEqual([expect.stringContaining('could not be deleted yet at the gateway')]);
		answerWith('GET', undefined);
		expect(await checkExists()).toBe(true);
		expect(webhooks.size).toBe(0);
	});

	it('listening for a test event does not publish it', async () => {
		const { subscription, checkExists, n8n } = publish();
		n8n.mode = 'manual';
		expect(await checkExists()).toBe(true);
		expect(subscription.desired).toBeUndefined();
	});
});

describe('unpublishing', () => {
	it('first makes known that nothing is wanted, before the webhook goes', async () => {
		const { subscription, publish, during, end } = stand();
		await publish();
		const wanted: unknown[] = [];
		during('DELETE', async () => await Promise.resolve(wanted.push(subscription.desired)));
		await end();
		expect(wanted).toEqual([undefined]);
		expect(subscription.standing).toBe('deleted');
	});

	it('tries again after a second, which the log says', async () => {
		const { publish, answerWith, end, requests, said, webhooks } = stand();
		await publish();
		answerWith('DELETE', { status: 502 });
		const ending = end();
		while (jest.getTimerCount() === 0) await yieldTurn();
		await jest.advanceTimersByTimeAsync(900);
		const deletions = () => requests.filter((method) => method === 'DELETE').length;
		expect(deletions()).toBe(1);
		expect(said).toEqual([expect.stringContaining('could not be deleted yet at the gateway')]);
		answerWith('DELETE', undefined);
		await jest.advanceTimersByTimeAsync(100);
		expect(await ending).toBe(true);
		expect(webhooks.size).toBe(0);
	});

	it('ends the forwarding to questions; the end of a test does not', async () => {
		const { publish, end, n8n, hook, trigger } = stand();
		await publish();
		const account = await openAccount(trigger);
		setForwarder(nameOfKey(keyOfNode(hook)), account, { isProven: true });
		n8n.mode = 'manual';
		await end();
		expect(account.forwarders.size).toBe(1);
		n8n.mode = 'trigger';
		await end();
		expect(account.forwarders.size).toBe(0);
	});
});

it('each time that the editor listens for a test event, the trigger remembers nothing of the last one', async () => {
	const { checkExists, n8n, hook } = stand();
	n8n.mode = 'manual';
	const listen = async () => {
		await checkExists();
		return subscriptionFor(keyOfNode(hook, true), hook.logger);
	};
	const first = await listen();
	expect(first.deduplicator.accept('evt', () => 60_000).state).toBe('new');
	expect(await listen()).not.toBe(first);
});

it('a webhook is made once, and only where there is none', async () => {
	const { checkExists, create, webhooks } = stand();
	expect(await checkExists()).toBe(false);
	await create();
	expect(await checkExists()).toBe(true);
	expect(webhooks.size).toBe(1);
});
