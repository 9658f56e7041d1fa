import { readStaticRecord } from '../../../../nodes/MessagingGateway/trigger/record';
import { check } from '../../../../nodes/MessagingGateway/trigger/subscription/reconcile';
import { Subscription } from '../../../../nodes/MessagingGateway/trigger/subscription/subscription';
import { DESIRED, standBesideGateway } from './besideGateway';

const MINUTES = 60_000;
const DAY = 24 * 60 * MINUTES;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
afterEach(() => void jest.useRealTimers());

/** A published trigger, and what may become of its webhook at the gateway. */
async function publish() {
	const stood = standBesideGateway();
	await stood.publish();
	const change = (other: object) => {
		for (const [id, webhook] of stood.webhooks) stood.webhooks.set(id, { ...webhook, ...other });
	};
	return {
		...stood,
		spoil: {
			gone: () => stood.webhooks.clear(),
			disabled: () => change({ enabled: false }),
			'other events': () => change({ events: ['MESSAGE.SENT'] }),
			elsewhere: () => change({ url: 'https://somebody.example.com' }),
		},
	};
}

type Trouble = keyof Awaited<ReturnType<typeof publish>>['spoil'];
const TROUBLES: Array<[Trouble, string]> = [
	['gone', 'was gone from the gateway. The trigger has created a new one.'],
	['disabled', 'was disabled at the gateway. The trigger has created a new one.'],
	['other events', 'had other events at the gateway. The trigger has corrected it.'],
	['elsewhere', 'had another URL at the gateway. The trigger has corrected it.'],
];

describe.each(TROUBLES)('a webhook that is %s', (trouble, words) => {
	it('is repaired, which the log is told, and again where a check has seen it well since', async () => {
		const { spoil, check: look, webhooks, subscription } = await publish();
		for (let times = 0; times < 3; times++) {
			spoil[trouble]();
			expect(await look()).toContain(words);
			const { webhookId: id } = subscription.ownRecord ?? {};
			expect([...webhooks.values()]).toEqual([{ ...DESIRED, id }]);
			expect(await look()).toBeUndefined();
		}
	});

	it('without end is made anew once, and then left to the person for a day', async () => {
		const { spoil, check: look, requests, subscription } = await publish();
		const repaired: Array<string | undefined> = [];
		for (let times = 0; times < 5 && repaired.length === times; times++) {
			spoil[trouble]();
			jest.advanceTimersByTime(66 * MINUTES);
			await look().then(
				(said) => repaired.push(said),
				({ message }: Error) => expect(message).toContain('the repair did not last'),
			);
		}
		expect(repaired.at(-1)).toContain('has created a new one');
		expect(requests.filter((method) => method === 'POST')).toHaveLength(2);
		const last = subscription.ownRecord;
		jest.advanceTimersByTime(66 * MINUTES);
		await expect(look()).rejects.toThrow('the repair did not last');
		expect(subscription.ownRecord).toEqual(last);
		jest.advanceTimersByTime(DAY);
		expect(await look()).toContain('The trigger has');
	});

	it('is repaired soon after something else was wrong', async () => {
		const { spoil, check: look } = await publish();
		spoil[trouble === 'gone' ? 'disabled' : 'gone']();
		await look();
		spoil[trouble]();
		expect(await look()).toContain(words);
	});

	it('is known for certain then, by a process that has only read of it', async () => {
		const { spoil, hook, trigger, subscription: before } = await publish();
		spoil[trouble]();
		const anew = new Subscription(before.key, hook.logger);
		anew.want(DESIRED);
		const record = { ...readStaticRecord(hook) };
		await check(anew, trigger, new AbortController().signal);
		expect(anew.standing).toBe('confirmed');
		const isKept = trouble === 'elsewhere' || trouble === 'other events';
		expect(anew.ownRecord?.webhookId === record.webhookId).toBe(isKept);
	});

	it('is given up as soon as n8n has switched the trigger off', async () => {
		const { spoil, during, check: look, subscription, webhooks } = await publish();
		const stop = new AbortController();
		spoil[trouble]();
		const before = subscription.ownRecord;
		const isChanged = trouble === 'elsewhere' || trouble === 'other events';
		during(isChanged ? 'PATCH' : 'POST', async () => await Promise.resolve(stop.abort()));
		await look(stop.signal);
		expect(subscription.ownRecord).toEqual(before);
		const made = [...webhooks.keys()].filter((id) => id !== before?.webhookId);
		expect(made).toEqual([]);
	});
});

it('as it should be, it is known for certain by a process that has only read of it', async () => {
	const { hook, trigger, subscription: before, requests } = await publish();
	const anew = new Subscription(before.key, hook.logger);
	anew.want(DESIRED);
	requests.length = 0;
	expect(await check(anew, trigger, new AbortController().signal)).toBeUndefined();
	expect(requests).toEqual(['GET']);
	expect(anew.ownRecord).toEqual(before.ownRecord);
});

it('nothing is deleted where the list may not show the webhook itself', async () => {
	const { answerWith, check: look, requests } = await publish();
	const data = [{ ...DESIRED, id: 'wh_other' }];
	answerWith('GET', { status: 200, body: { data, has_more: true } });
	await look();
	expect(requests).not.toContain('DELETE');
});

it('none is made at an address that the gateway cannot reach', async () => {
	const stood = standBesideGateway({ ...DESIRED, url: 'http://localhost:5678/webhook/hook' });
	stood.subscription.want({ ...DESIRED, url: 'http://localhost:5678/webhook/hook' });
	await expect(stood.check()).rejects.toThrow('The gateway cannot reach this n8n');
	expect(stood.requests).toEqual(['GET']);
});

it('one is replaced where the gateway says that it has changed it, and has not', async () => {
	const { spoil, answerWith, check: look, webhooks, subscription } = await publish();
	spoil['other events']();
	answerWith('PATCH', { status: 200 });
	expect(await look()).toContain('has corrected it');
	expect(await look()).toContain('has created a new one');
	expect(await look()).toBeUndefined();
	expect([...webhooks.values()]).toEqual([{ ...DESIRED, id: subscription.ownRecord?.webhookId }]);
});

it('one that was changed twice is corrected a day later where the gateway takes no second one for a URL', async () => {
	const { spoil, answerWith, check: look, webhooks } = await publish();
	answerWith('POST', { status: 409 });
	spoil['other events']();
	expect(await look()).toContain('has corrected it');
	spoil['other events']();
	await expect(look()).rejects.toThrow('409');
	jest.advanceTimersByTime(DAY);
	expect(await look()).toContain('has corrected it');
	expect([...webhooks.values()]).toMatchObject([DESIRED]);
});

it('one is made anew once, also where the gateway does not let the old one be deleted', async () => {
	const { spoil, answerWith, check: look, requests } = await publish();
	answerWith('DELETE', { status: 403 });
	requests.length = 0;
	for (let hours = 0; hours < 20; hours++) {
		// The gateway answers a change with 200, and lists other events.
		spoil['other events']();
		await look().catch(() => {});
		jest.advanceTimersByTime(66 * MINUTES);
	}
	expect(requests.filter((method) => method === 'POST')).toHaveLength(1);
});

it('one that is gone again after a day without an answer is made again', async () => {
	const { spoil, answerWith, check: look, webhooks } = await publish();
	spoil.gone();
	expect(await look()).toContain('has created a new one');
	answerWith('GET', { status: 502 });
	await expect(look()).rejects.toThrow();
	jest.advanceTimersByTime(DAY);
	spoil.gone();
	answerWith('GET', undefined);
	expect(await look()).toContain('has created a new one');
	expect([...webhooks.values()]).toMatchObject([DESIRED]);
});

it('one that the gateway makes but never lists is made anew once, and keeps its secret then', async () => {
	const { answerWith, check: look, subscription } = await publish();
	answerWith('GET', { status: 200, body: { data: [] } });
	await look();
	const { secret } = subscription.ownRecord ?? {};
	for (let hours = 0; hours < 5; hours++) {
		jest.advanceTimersByTime(60 * MINUTES);
		await expect(look()).rejects.toThrow('the repair did not last');
	}
	expect(subscription.ownRecord?.secret).toBe(secret);
});

it('one with other events is replaced where the gateway does not change it', async () => {
	const { spoil, answerWith, check: look, webhooks, requests } = await publish();
	spoil['other events']();
	answerWith('PATCH', { status: 405 });
	expect(await look()).toContain('has created a new one');
	expect(webhooks.size).toBe(1);
	expect(requests.slice(-3)).toEqual(['POST', 'GET', 'DELETE']);
});
