import { randomUUID } from 'node:crypto';
import type { IDataObject, ITriggerFunctions, IWebhookFunctions, Logger } from 'n8n-workflow';
import {
	judgeDelivery,
	saveParked,
} from '../../../../nodes/MessagingGateway/trigger/delivery/trust';
import type { WebhookRecord } from '../../../../nodes/MessagingGateway/trigger/record';
import { Subscription } from '../../../../nodes/MessagingGateway/trigger/subscription/subscription';
import { signDelivery } from '../../../../nodes/MessagingGateway/webhooks/standardWebhooks';
import { makeEvent } from '../event';

const secretOf = (letter: string) => `whsec_${Buffer.alloc(32, letter).toString('base64')}`;
const [OURS, OTHER] = [secretOf('a'), secretOf('b')];
const RECORD: WebhookRecord = {
	webhookId: 'wh_1',
	secret: OURS,
	url: 'https://n8n.example.com/webhook/hook',
	events: ['MESSAGE.RECEIVED'],
};

interface Setting {
	test?: boolean;
	setup?: 'automatic' | 'manual';
	staticData?: IDataObject;
	/** What n8n gives for the credential. */
	credential?: () => Promise<object>;
}

/** A trigger, with what it says in the log and how often it asks for a check. */
function publish({ test = false, setup = 'automatic', staticData, credential }: Setting = {}) {
	const warnings: string[] = [];
	const logger = { warn: (message: string) => warnings.push(message) } as unknown as Logger;
	const key = { workflowId: randomUUID(), nodeId: 'node', test };
	const subscription = new Subscription(key, logger);
	const data: IDataObject = staticData ?? { ...RECORD };
	const checkSoon = jest.fn();
	subscription.switchedOn = {
		context: {} as ITriggerFunctions,
		checkSoon,
		end: () => {},
		passOn: () => {},
	};
	return {
		subscription,
		warnings,
		data,
		checkSoon,
		/** Delivers an event signed so long ago; `meanwhile` happens while its body arrives. */
		async judge(secret = OURS, { ageMs = 0, meanwhile = () => {} } = {}) {
			const event = makeEvent();
			const body = JSON.stringify(event);
			jest.useFakeTimers({ now: Date.now() - ageMs });
			const headers = signDelivery(secret, event.id, body);
			jest.useRealTimers();
			const request = {
				rawHeaders: Object.entries(headers).flat(),
				rawBody: undefined as Buffer | undefined,
				readRawBody: async () => {
					await Promise.resolve();
					meanwhile();
					request.rawBody = Buffer.from(body);
				},
			};
			const judged = await judgeDelivery(
				{
					getMode: () => (test ? 'manual' : 'webhook'),
					getNodeParameter: () => setup,
					getWorkflowStaticData: () => data,
					getCredentials: credential,
					getRequestObject: () => request,
				} as unknown as IWebhookFunctions,
				subscription,
			);
			return typeof judged === 'string' ? judged : 'taken';
		},
		saveParked: () =>
			saveParked(
				{ getWorkflowStaticData: () => data } as unknown as IWebhookFunctions,
				subscription,
			),
	};
}

describe('a delivery that fits', () => {
	it('is taken without a word where the gateway has shown the webhook', async () => {
		const { subscription, judge, warnings, checkSoon } = publish();
		subscription.confirm(RECORD);
		expect([await judge(), warnings]).toEqual(['taken', []]);
		expect(checkSoon).not.toHaveBeenCalled();
	});

	it('is taken with a word in the log where the gateway has not listed the webhook', async () => {
		const { subscription, judge, warnings } = publish();
		subscription.note('unanswered');
		expect([await judge(), await judge()]).toEqual(['taken', 'taken']);
		expect(warnings).toEqual([expect.stringContaining('has not listed this webhook')]);
	});

	it.each([
		['secret', OTHER],
		['webhookId', 'wh_old'],
	])(
		'is deferred where somebody has written over the %s, which is put back',
		async (field, old) => {
			const { subscription, judge, data, warnings } = publish({
				staticData: { ...RECORD, [field]: old },
			});
			subscription.confirm(RECORD);
			expect(await judge()).toBe('deferred');
			expect(data).toEqual(RECORD);
			expect(warnings).toEqual([
				expect.stringContaining('did not have the secret of webhook wh_1'),
			]);
			expect(await judge()).toBe('taken');
		},
	);

	it('is judged by the webhook that there is when its body has arrived', async () => {
		const { subscription, judge, data } = publish();
		subscription.confirm(RECORD);
		const replaced = { ...RECORD, webhookId: 'wh_2', secret: OTHER };
		const meanwhile = () => {
			subscription.confirm(replaced);
			Object.assign(data, replaced);
		};
		expect(await judge(OTHER, { meanwhile })).toBe('taken');
	});
});

describe('a delivery that does not fit', () => {
	it('is refused where the gateway has shown the webhook, and asks for nothing', async () => {
		const { subscription, judge, warnings, checkSoon } = publish();
		subscription.confirm(RECORD);
		expect(await judge(OTHER)).toBe('refused');
		expect(warnings).toEqual([expect.stringContaining('not signed with the secret')]);
		expect(checkSoon).not.toHaveBeenCalled();
	});

	it('is deferred where the gateway has yet to show it, and asks for a check', async () => {
		const { subscription, judge, checkSoon } = publish();
		subscription.note('unanswered');
		expect(await judge(OTHER)).toBe('deferred');
		expect(checkSoon).toHaveBeenCalledTimes(1);
	});
});

it('a delivery of another time is refused, and asks for a check: a clock is wrong', async () => {
	const { subscription, judge, warnings, checkSoon } = publish();
	subscription.confirm(RECORD);
	expect(await judge(OURS, { ageMs: 10 * 60_000 })).toBe('refused');
	expect(warnings).toEqual([expect.stringMatching(/its time stamp is 10 minutes behind/u)]);
	expect(checkSoon).toHaveBeenCalledTimes(1);
});

describe('the secret', () => {
	const credential = (webhookSecret: unknown) => async () =>
		await Promise.resolve({ webhookSecret });

	it.each<[string, Setting]>([
		['of a webhook made by hand', { setup: 'manual' }],
		['of one made by hand, for a test event', { setup: 'manual', test: true }],
	])('%s is that of the credential', async (_whose, setting) => {
		const staticData = { ...RECORD, secret: OTHER };
		const { judge } = publish({ ...setting, staticData, credential: credential(` ${OURS}\n`) });
		expect([await judge(OURS), await judge(OTHER)]).toEqual(['taken', 'refused']);
	});

	it('for a test event is that of its own webhook', async () => {
		const { judge } = publish({ test: true, credential: credential(OTHER) });
		expect([await judge(OURS), await judge(OTHER)]).toEqual(['taken', 'refused']);
	});

	it.each([undefined, null, '', '  ', 'secret'])('cannot be %j', async (webhookSecret) => {
		const { judge, warnings } = publish({ setup: 'manual', credential: credential(webhookSecret) });
		expect(await judge()).toBe('refused');
		expect(warnings).toEqual([expect.stringContaining('no webhook secret of the form whsec_…')]);
	});

	it('is none while the credential cannot be read, and the log says why', async () => {
		const { judge, warnings } = publish({
			setup: 'manual',
			credential: async () => await Promise.reject(new Error('The vault does not answer')),
		});
		expect(await judge()).toBe('refused');
		expect(warnings[0]).toContain('the credential cannot be read: The vault does not answer');
	});
});

describe('whether questions may be parked', () => {
	it('stays as it was noted where no account is known', () => {
		const { subscription, saveParked: save, data } = publish();
		subscription.confirm({ ...RECORD, parked: true });
		save();
		expect(data).toEqual({ ...RECORD, parked: true });
		expect(subscription.ownRecord).toEqual({ ...RECORD, parked: true });
	});

	it('is not noted for a webhook that the gateway has not shown', () => {
		const { saveParked: save, data } = publish();
		save();
		expect(data).toEqual(RECORD);
	});
});
