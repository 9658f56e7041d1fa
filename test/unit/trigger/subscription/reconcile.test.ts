import { randomUUID } from 'node:crypto';
import type { IHookFunctions, IHttpRequestOptions, ITriggerFunctions } from 'n8n-workflow';
import { openAccount } from '../../../../nodes/MessagingGateway/question/accounts';
import {
	check,
	inspect,
	register,
} from '../../../../nodes/MessagingGateway/trigger/subscription/reconcile';
import { subscriptionOf } from '../../../../nodes/MessagingGateway/trigger/subscription/subscriptions';
import { gatewayContext, type Answered } from '../../gatewayContext';
import { open } from '../../question/asked';

const DESIRED = { url: 'https://n8n.example.com/webhook/hook', events: ['MESSAGE.RECEIVED'] };

/** A trigger that n8n has switched on, beside a gateway that keeps webhooks. */
function stand() {
	const webhooks = new Map<string, { id: string; url: string; events: string[] }>();
	let before = async (_method: string): Promise<void> => await Promise.resolve();
	const answer = async ({ method = 'GET', url, body }: IHttpRequestOptions): Promise<Answered> => {
		const listed = [...webhooks.values()];
		await before(method);
		if (method === 'GET') return { status: 200, body: { data: listed } };
		if (method === 'DELETE')
			return { status: webhooks.delete(String(url).split('/').at(-1) ?? '') ? 200 : 404 };
		const id = randomUUID();
		const made = JSON.parse(String(body)) as typeof DESIRED;
		webhooks.set(id, { id, ...made });
		const secret = `whsec_${Buffer.from(randomUUID()).toString('base64')}`;
		return { status: 201, body: { data: { id, secret } } };
	};
	const staticData = {};
	const context = {
		...gatewayContext({ answer }),
		getMode: () => 'trigger',
		getActivationMode: () => 'activate',
		getNodeParameter: (_name: string, fallback: unknown) => fallback,
		getWorkflowStaticData: () => staticData,
	};
	const hook = context as unknown as IHookFunctions;
	const trigger = context as unknown as ITriggerFunctions;
	const subscription = subscriptionOf(hook);
	return {
		webhooks,
		staticData,
		hook,
		trigger,
		subscription,
		/** Does something once, while the gateway works on the next request of this kind. */
		during(method: string, work: () => Promise<unknown>) {
			before = async (asked) => {
				if (asked !== method) return;
				before = async () => await Promise.resolve();
				await work();
			};
		},
		publish: async () => {
			if (!(await inspect(subscription, hook, DESIRED)))
				await register(subscription, hook, DESIRED);
		},
		check: async () => await check(subscription, trigger, new AbortController().signal),
	};
}

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
