import { openAccount } from '../../../../nodes/MessagingGateway/question/accounts';
import {
	inspect,
	register,
	withdraw,
} from '../../../../nodes/MessagingGateway/trigger/subscription/reconcile';
import { Subscription } from '../../../../nodes/MessagingGateway/trigger/subscription/subscription';
import { makeDeferred } from '../../../../nodes/MessagingGateway/webhooks/patience';
import { open } from '../../question/asked';
import { DESIRED, standBesideGateway as stand } from './besideGateway';

it('a check replaces no webhook that was made while it looked', async () => {
	const { subscription, webhooks, hook, during, check: look } = stand();
	subscription.want(DESIRED);
	during('GET', async () => await register(subscription, hook, DESIRED));
	const looking = look();
	expect(await looking).toBeUndefined();
	const made = subscription.ownRecord?.webhookId;
	expect([...webhooks.keys()]).toEqual([made]);
	expect(webhooks.size).toBe(1);
	expect(hook.getWorkflowStaticData('node')).toMatchObject({ webhookId: made });
});

it('a publication keeps the webhook that a check makes at that moment', async () => {
	const { subscription, webhooks, hook, publish, during, check: look } = stand();
	await publish();
	webhooks.clear();
	let publishing: Promise<boolean> | undefined;
	during('POST', async () => {
		publishing = inspect(subscription, hook, subscription.desired ?? DESIRED);
		await Promise.resolve();
	});
	await look();
	expect(await publishing).toBe(true);
	expect([...webhooks.keys()]).toEqual([subscription.ownRecord?.webhookId]);
});

it.each(['a publication', 'a check'])(
	'the record says that a question was parked while %s made the webhook',
	async (by) => {
		const { subscription, webhooks, trigger, publish, during, check: look } = stand();
		if (by === 'a check') await publish();
		webhooks.clear();
		const account = await openAccount(trigger);
		during('POST', async () => {
			account.note('wh_question', open(1));
			account.park('wh_question', 'https://n8n.example.com/webhook-waiting/1/node');
			await Promise.resolve();
		});
		await (by === 'a check' ? look() : publish());
		expect(webhooks.size).toBe(1);
		expect(subscription.ownRecord).toMatchObject({ parked: true });
	},
);

describe('a check that n8n has made needless', () => {
	it.each<[string, (stood: ReturnType<typeof stand>, stop: AbortController) => void]>([
		['unpublished the workflow', ({ subscription }) => subscription.want(undefined)],
		['switched the trigger off', (_stood, stop) => stop.abort()],
	])('makes no webhook: n8n has %s while it looked', async (_what, happen) => {
		const stood = stand();
		const stop = new AbortController();
		await stood.publish();
		stood.webhooks.clear();
		stood.during('GET', async () => await Promise.resolve(happen(stood, stop)));
		expect(await stood.check(stop.signal)).toBeUndefined();
		expect(stood.webhooks.size).toBe(0);
	});

	it.each<[string, (stood: ReturnType<typeof stand>) => void]>([
		['n8n wants none', ({ subscription }) => subscription.want(undefined)],
		[
			'a publication is changing the webhook',
			({ subscription }) =>
				void subscription.inTurn(async () => await makeDeferred<void>().promise),
		],
	])('asks the gateway nothing: %s', async (_why, happen) => {
		const stood = stand();
		await stood.publish();
		stood.requests.length = 0;
		happen(stood);
		await new Promise(setImmediate);
		expect(await stood.check()).toBeUndefined();
		expect(stood.requests).toEqual([]);
	});
});

describe('a publication', () => {
	it('that cannot make the webhook lets no secret open that it has removed', async () => {
		const { subscription, hook, publish, answerWith, webhooks } = stand();
		await publish();
		answerWith('POST', { status: 403 });
		await expect(register(subscription, hook, DESIRED)).rejects.toThrow();
		expect(webhooks.size).toBe(0);
		expect(subscription.standing).toBe('missing');
	});

	it('knows again which questions are parked', async () => {
		const { subscription, trigger, publish, staticData } = stand();
		await publish();
		const account = await openAccount(trigger);
		account.note('wh_question', open(1));
		account.park('wh_question', 'https://n8n.example.com/webhook-waiting/1/node');
		await publish();
		expect([subscription.ownRecord, staticData]).toMatchObject([
			{ parked: true },
			{ parked: true },
		]);
		account.forget('wh_question');
		await publish();
		expect(subscription.ownRecord).not.toHaveProperty('parked', true);
		expect(staticData).not.toHaveProperty('parked', true);
	});

	it('makes the webhook anew where a second one may be the one that the gateway does not show', async () => {
		const { webhooks, subscription, hook, publish, answerWith } = stand();
		await publish();
		const data = [{ ...DESIRED, id: 'wh_other' }];
		answerWith('GET', { status: 200, body: { data, has_more: true } });
		expect(await inspect(subscription, hook, DESIRED)).toBe(false);
		answerWith('GET', { status: 200, body: { data: [], has_more: true } });
		expect(await inspect(subscription, hook, DESIRED)).toBe(true);
		expect(webhooks.size).toBe(1);
	});
});

describe('a start of n8n', () => {
	/** The same trigger in a new process, with the static data that the last one has left. */
	async function restart() {
		const stood = stand();
		await stood.publish();
		stood.n8n.activation = 'init';
		const { key } = stood.subscription;
		const anew = new Subscription(key, stood.hook.logger);
		return { ...stood, anew, start: async () => await inspect(anew, stood.hook, DESIRED) };
	}

	it('at which the gateway is silent leaves the webhook to be confirmed', async () => {
		const { anew, start, answerWith } = await restart();
		answerWith('GET', 'silence');
		expect(await start()).toBe(true);
		expect(anew.standing).toBe('unconfirmed');
	});

	it('at which none can be made leaves it to the next check', async () => {
		const { subscription, hook, answerWith, n8n } = stand();
		n8n.activation = 'init';
		answerWith('GET', 'silence');
		await register(subscription, hook, DESIRED);
		expect(subscription.standing).toBe('unconfirmed');
	});

	it('puts the record back that somebody has written over, though the gateway is silent', async () => {
		const { subscription, hook, staticData, answerWith, publish, n8n } = stand();
		await publish();
		n8n.activation = 'init';
		const record = { ...staticData };
		staticData.secret = 'whsec_old';
		answerWith('GET', 'silence');
		expect(await inspect(subscription, hook, DESIRED)).toBe(true);
		expect(staticData).toEqual(record);
	});

	it('goes on although what is left over cannot be deleted', async () => {
		const { anew, start, answerWith, webhooks, said } = await restart();
		webhooks.set('wh_left', { ...DESIRED, id: 'wh_left' });
		answerWith('DELETE', { status: 502 });
		expect(await start()).toBe(true);
		expect(anew.standing).toBe('confirmed');
		expect(said).toEqual([expect.stringContaining('will check again soon')]);
	});
});

it('a webhook made by hand stays, and its trigger is not taken for unpublished', async () => {
	const { subscription, hook, n8n, requests } = stand();
	n8n.parameters = { webhookSetup: 'manual' };
	await withdraw(subscription, hook, DESIRED.url);
	expect(requests).toEqual([]);
	expect(subscription.standing).toBe('starting');
});
