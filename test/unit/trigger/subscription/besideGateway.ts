import { randomUUID } from 'node:crypto';
import type {
	IDataObject,
	IHookFunctions,
	IHttpRequestOptions,
	ITriggerFunctions,
} from 'n8n-workflow';
import { PROBE_ANSWER } from '../../../../nodes/MessagingGateway/trigger/subscription/probe';
import {
	check,
	inspect,
	register,
} from '../../../../nodes/MessagingGateway/trigger/subscription/reconcile';
import { subscriptionOf } from '../../../../nodes/MessagingGateway/trigger/subscription/subscriptions';
import { gatewayContext, type Answered } from '../../gatewayContext';

export const DESIRED = {
	url: 'https://n8n.example.com/webhook/hook',
	events: ['MESSAGE.RECEIVED'],
};

/** A trigger that n8n has switched on, beside a gateway that keeps webhooks. */
export function standBesideGateway(desired = DESIRED) {
	const webhooks = new Map<string, { id: string; url: string; events: string[] }>();
	const requests: string[] = [];
	const said: string[] = [];
	const n8n = {
		activation: 'activate',
		mode: 'trigger',
		parameters: {} as IDataObject,
		/** What stands behind the trigger. */
		behind: [] as object[],
		/** What a self-test is answered. */
		selfTest: { status: 200, body: { message: PROBE_ANSWER } } as Answered,
	};
	let before = async (_method: string): Promise<void> => await Promise.resolve();
	let odd = (_method: string): Answered | 'silence' | undefined => undefined;
	const answer = async ({ method = 'GET', url, body }: IHttpRequestOptions): Promise<Answered> => {
		if (url === desired.url) {
			requests.push('self-test');
			return n8n.selfTest;
		}
		requests.push(method);
		const listed = [...webhooks.values()];
		await before(method);
		const other = odd(method);
		if (other === 'silence') throw Object.assign(new Error('Refused'), { code: 'ECONNREFUSED' });
		if (other) return other;
		if (method === 'GET') return { status: 200, body: { data: listed } };
		const asked = String(url).split('/').at(-1) ?? '';
		if (method === 'DELETE') return { status: webhooks.delete(asked) ? 200 : 404 };
		const wanted = JSON.parse(String(body)) as typeof DESIRED;
		if (method === 'PATCH') {
			if (!webhooks.has(asked)) return { status: 404 };
			webhooks.set(asked, { id: asked, ...wanted });
			return { status: 200 };
		}
		const id = randomUUID();
		webhooks.set(id, { id, ...wanted });
		const secret = `whsec_${Buffer.from(randomUUID()).toString('base64')}`;
		return { status: 201, body: { data: { id, secret } } };
	};
	const staticData: IDataObject = {};
	const made = gatewayContext({ answer });
	const context = {
		...made,
		getMode: () => n8n.mode,
		getActivationMode: () => n8n.activation,
		getNodeParameter: (name: string, fallback: unknown) => n8n.parameters[name] ?? fallback,
		getNodeWebhookUrl: () => (n8n.mode === 'manual' ? `${desired.url}-test` : desired.url),
		getChildNodes: () => n8n.behind,
		getParentNodes: () => [],
		getWorkflowStaticData: () => staticData,
		logger: { ...made.logger, warn: (text: string) => said.push(text) },
	};
	const hook = context as unknown as IHookFunctions;
	const trigger = context as unknown as ITriggerFunctions;
	const subscription = subscriptionOf(hook);
	return {
		webhooks,
		/** The methods of all requests. */
		requests,
		/** What the log warns of. */
		said,
		n8n,
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
		/** From now on, the gateway answers requests of a kind like this. */
		answerWith(method: string, other: Answered | 'silence' | undefined) {
			odd = (asked) => (asked === method ? other : undefined);
		},
		publish: async () => {
			if (!(await inspect(subscription, hook, desired)))
				await register(subscription, hook, desired);
		},
		check: async (signal = new AbortController().signal) =>
			await check(subscription, trigger, signal),
	};
}
