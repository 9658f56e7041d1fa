import type {
	IDataObject,
	IHookFunctions,
	IHttpRequestOptions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import {
	findForwarded,
	leaveUnlisted,
	noteArrival,
	openAccount,
} from '../../../../nodes/MessagingGateway/question/accounts';
import {
	arrangeWebhook,
	isForwarded,
	noteExecution,
} from '../../../../nodes/MessagingGateway/question/parking';
import { saveParked } from '../../../../nodes/MessagingGateway/trigger/delivery/trust';
import {
	endForwarding,
	joinForwarding,
} from '../../../../nodes/MessagingGateway/trigger/subscription/forwarder';
import { PROBE_ANSWER } from '../../../../nodes/MessagingGateway/trigger/subscription/probe';
import {
	keyOfNode,
	nameOfKey,
	subscriptionOf,
} from '../../../../nodes/MessagingGateway/trigger/subscription/subscriptions';
import { makeDeferred } from '../../../../nodes/MessagingGateway/webhooks/patience';
import type { WebhookList } from '../../../../nodes/MessagingGateway/webhooks/records';
import { gatewayContext, type Answered } from '../../gatewayContext';
import { open } from '../../question/asked';

const URL_OF_TRIGGER = 'https://n8n.example.com/webhook/hook';
const EVENTS = ['MESSAGE.RECEIVED'];
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const ARRIVED: Answered = { status: 200, body: { message: PROBE_ANSWER } };

const { signal } = new AbortController();

/** A trigger that forwards for its account; its self-tests are answered in turn as told, and then arrive. */
async function publish(...selfTests: Array<Answered | Promise<Answered>>) {
	const done: string[] = [];
	const staticData: IDataObject = {};
	const delivered = { getWorkflowStaticData: () => staticData } as unknown as IWebhookFunctions;
	const answer = async ({ url, body }: IHttpRequestOptions): Promise<Answered> => {
		if (url === URL_OF_TRIGGER) {
			done.push('self-test');
			const answered = (await selfTests.shift()) ?? ARRIVED;
			if (answered === ARRIVED) saveParked(delivered, subscription);
			return answered;
		}
		const { events } = JSON.parse(String(body)) as { events: string[] };
		done.push(events.includes('MESSAGE.RECEIVED') ? 'delivered to' : 'parked');
		return { status: 200 };
	};
	const made = gatewayContext({ answer });
	const getCredentials = jest.fn(made.getCredentials);
	const context = { ...made, getCredentials } as unknown as ITriggerFunctions;
	const subscription = subscriptionOf(context);
	const wanted = { url: URL_OF_TRIGGER, events: EVENTS };
	subscription.want(wanted);
	subscription.confirm({ ...wanted, webhookId: 'wh_1', secret: SECRET });
	const name = nameOfKey(keyOfNode(context));
	const account = await openAccount(context);
	account.memory.listsAll = true;
	noteExecution({ getMode: () => 'webhook' });
	noteArrival(name);
	await joinForwarding(context, signal, true);
	return {
		context,
		account,
		subscription,
		name,
		done,
		staticData,
		getCredentials,
		park: async (index: number) => {
			account.note(`wh_${index}`, open(index));
			const webhook = { id: `wh_${index}`, url: `https://n8n.example.com/${index}` };
			return await arrangeWebhook(context, webhook, true);
		},
	};
}

const flush = async () => await new Promise(setImmediate);

it('a question is parked once the record says so', async () => {
	const trigger = await publish();
	expect(await trigger.park(1)).toBe(true);
	expect(await trigger.park(2)).toBe(true);
	expect(trigger.done).toEqual(['self-test', 'parked', 'parked']);
	expect(trigger.staticData).toMatchObject({ webhookId: 'wh_1', parked: true });
});

it('a question is not parked while that cannot be saved, and the next one tries again', async () => {
	const trigger = await publish({ status: 502 });
	expect(await trigger.park(1)).toBe(false);
	expect(await trigger.park(2)).toBe(true);
	expect(trigger.done).toEqual(['self-test', 'delivered to', 'self-test', 'parked']);
});

it('no question is parked while the record is being saved for another one', async () => {
	const saving = makeDeferred<Answered>();
	const trigger = await publish(saving.promise, saving.promise);
	const both = [trigger.park(1), trigger.park(2)];
	await flush();
	expect(trigger.done).not.toContain('parked');
	saving.resolve(ARRIVED);
	expect(await Promise.all(both)).toEqual([true, true]);
});

const LISTED = { id: 'wh_1', url: URL_OF_TRIGGER, events: EVENTS, enabled: true };

it.each([
	['is listed', { webhooks: [LISTED] }, true],
	[
		'is listed without its events and its URL',
		{ webhooks: [{ ...LISTED, url: '', events: undefined }] },
		true,
	],
	['may be on a page that nobody reads', { webhooks: [], isComplete: false }, true],
	['is gone', { webhooks: [] }, false],
	['is switched off', { webhooks: [{ ...LISTED, enabled: false }] }, false],
	['has other events', { webhooks: [{ ...LISTED, events: ['MESSAGE.SENT'] }] }, false],
	['has another URL', { webhooks: [{ ...LISTED, url: `${URL_OF_TRIGGER}/2` }] }, false],
])('a trigger whose webhook %s forwards (%j): %p', async (_how, list, forwards) => {
	const { account, subscription } = await publish();
	const checkSoon = jest.fn();
	subscription.switchedOn = { checkSoon } as never;
	leaveUnlisted(account, { isComplete: true, ...list } as WebhookList);
	expect(isForwarded(account)).toBe(forwards);
	// Otherwise a check is to repair it.
	expect(checkSoon).toHaveBeenCalledTimes(forwards ? 0 : 1);
});

it('a trigger whose webhook is just being replaced goes on forwarding, whatever the list says', async () => {
	const { account, subscription } = await publish();
	await subscription.inTurn(async () => {
		leaveUnlisted(account, { webhooks: [], isComplete: true });
		await Promise.resolve();
	});
	expect(isForwarded(account)).toBe(true);
});

it('a trigger stays the forwarder of its account while its credential cannot be read', async () => {
	const { context, account, name, getCredentials } = await publish();
	getCredentials.mockRejectedValueOnce(new Error('The vault does not answer'));
	await joinForwarding(context, signal, true);
	expect(findForwarded(name)).toBe(account);
	expect(isForwarded(account)).toBe(true);
});

it('an unpublication that cannot read the credential says that parked questions stay as they are', async () => {
	const { context, account, getCredentials, park } = await publish();
	await park(1);
	const warn = jest.spyOn(context.logger, 'warn');
	getCredentials.mockRejectedValue(new Error('The vault does not answer'));
	await endForwarding(context as unknown as IHookFunctions, URL_OF_TRIGGER);
	expect(account.forwarders.size).toBe(0);
	expect(warn).toHaveBeenCalledWith(expect.stringContaining('The vault does not answer'));
});
