import { HookContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { waitFor } from '../../../host/waiting';
import { itUnlessOldest } from '../../jest/oldest';
import { deliver, makeEvent, post } from '../../oracle/catalogue';
import { engine, gateway } from '../../engine/stage';
import {
	changeRemote,
	deliverOnce,
	MINUTES,
	open,
	pass,
	passAndFinish,
	publish,
	recordOf,
	rests,
	SECONDS,
} from '../../engine/watching';

// n8n starts while the gateway's API does not answer, though its deliveries may arrive.

type Published = Awaited<ReturnType<typeof publish>>;

const START = { activation: 'init' as const };
const OLD_SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;
const FOREIGN_SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

let passedMs = 0;

beforeEach(() => {
	passedMs = 0;
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + passedMs);
});

const asked = () => gateway.requests.filter(({ method }) => method === 'GET').length;

async function deliverWith({ url }: Published, secret: string): Promise<number> {
	const kit = { secret, oldSecret: '', otherSecret: '', now: Math.floor(Date.now() / 1000) };
	return (await post(url, deliver(kit))).status;
}

/** The next start of n8n, with a gateway that takes no connection until `gateway.faults.clear()`. */
async function startUnanswered(
	published: Published,
	overwritten?: IDataObject,
): Promise<Published> {
	gateway.faults.add({ times: 'always', fault: 'cutBefore' });
	return await restart(published, overwritten);
}

async function restart(published: Published, overwritten?: IDataObject): Promise<Published> {
	await published.trigger.close();
	rests.length = 0;
	if (overwritten) Object.assign(recordOf(published), overwritten);
	const { built } = published;
	if (!(await engine.hook('checkExists', built, START))) await engine.hook('create', built, START);
	const trigger = await engine.trigger(built, START);
	open.push(trigger);
	return { ...published, trigger };
}

it('takes what fits from the first moment, and asks nobody for it', async () => {
	const published = await startUnanswered(await publish());
	const before = asked();
	expect(await deliverOnce(published)).toBe(200);
	expect(await deliverOnce(published)).toBe(200);
	await published.receiver.runs();
	expect(published.receiver.executions).toHaveLength(2);
	expect(asked()).toBe(before);
	expect(published.trigger.failures).toEqual([]);
});

it.each<[string, IDataObject]>([
	['the same events', {}],
	['other events', { events: ['QRCODE.UPDATED'] }],
])(
	'takes what a deleted webhook for %s would sign until the gateway has answered, and defers what the real one signs',
	async (_what, change) => {
		const old = { webhookId: 'wh_old', secret: OLD_SECRET, ...change };
		const published = await startUnanswered(await publish(), old);
		const [real] = gateway.webhooks();
		// A lost message weighs more: nobody can tell yet that this webhook was deleted.
		expect(await deliverWith(published, OLD_SECRET)).toBe(200);
		expect(await deliverWith(published, real.secret)).toBe(503);

		gateway.faults.clear();
		passedMs += 61 * SECONDS;
		expect(await deliverWith(published, real.secret)).toBe(503);
		const [newest] = await waitFor('one new webhook', () => {
			const webhooks = gateway.webhooks();
			return webhooks.length === 1 && webhooks[0].id !== real.id && webhooks;
		});
		await waitFor('the newest to be taken', async () => (await deliverOnce(published)) === 200);
		expect(await deliverWith(published, OLD_SECRET)).toBe(401);
		expect(published.receiver.executions).toHaveLength(2);
		expect(recordOf(published)).toMatchObject({ webhookId: newest.id, secret: newest.secret });
	},
);

it('is not made to ask the gateway more than once a minute by what does not verify', async () => {
	const published = await startUnanswered(await publish());
	const before = asked();
	for (let times = 0; times < 5; times++) {
		expect(await deliverWith(published, FOREIGN_SECRET)).toBe(503);
		passedMs += 11 * SECONDS;
	}
	await waitFor('the gateway to be asked', () => asked() > before);
	passedMs += 10 * SECONDS;
	expect(await deliverWith(published, FOREIGN_SECRET)).toBe(503);
	await waitFor('the gateway to be asked again', () => asked() > before + 1);
	expect(asked()).toBe(before + 2);
});

it('is not made to ask at all by what is not even signed in form', async () => {
	const published = await startUnanswered(await publish());
	const before = asked();
	const response = await fetch(published.url, { method: 'POST', body: '{}' });
	expect(response.status).toBe(401);
	gateway.faults.clear();
	await passAndFinish(5 * SECONDS);
	await pass(12 * SECONDS);
	// What was left of questions, and one check.
	await waitFor('the check', () => asked() === before + 2);
});

it('refuses what does not fit after five minutes, though the gateway has still not answered', async () => {
	const published = await startUnanswered(await publish());
	passedMs += 4 * MINUTES;
	expect(await deliverWith(published, FOREIGN_SECRET)).toBe(503);
	passedMs += 1 * MINUTES;
	expect(await deliverWith(published, FOREIGN_SECRET)).toBe(401);
	expect(await deliverOnce(published)).toBe(200);
	expect(published.receiver.executions).toHaveLength(1);
});

describe('where questions may be parked, whose messages the trigger forwards', () => {
	/** Of the account with the next token, this process knows nothing yet, as after a start. */
	async function publishAndForget(): Promise<Published> {
		const published = await publish();
		gateway.replaceTokens();
		return published;
	}

	async function deliverOf({ url }: Published, type: string): Promise<number> {
		const [{ secret }] = gateway.webhooks();
		const kit = { secret, oldSecret: '', otherSecret: '', now: Math.floor(Date.now() / 1000) };
		return (await post(url, deliver(kit, { event: makeEvent({ type }) }))).status;
	}

	it('defers what may be an answer, and nothing else, until the gateway has named them', async () => {
		const published = await startUnanswered(await publishAndForget(), { parked: true });
		expect(await deliverOf(published, 'MESSAGE.RECEIVED')).toBe(503);
		expect(await deliverOf(published, 'MESSAGE.SENT')).toBe(200);
		await passAndFinish(5 * SECONDS);
		gateway.faults.clear();
		await pass(12 * SECONDS);
		await waitFor(
			'the check',
			async () => (await deliverOf(published, 'MESSAGE.RECEIVED')) === 200,
		);
	});

	it('defers nothing where its record names none', async () => {
		const published = await startUnanswered(await publishAndForget());
		expect(await deliverOf(published, 'MESSAGE.RECEIVED')).toBe(200);
	});

	it('takes it after five minutes, though the gateway has still not answered', async () => {
		const published = await startUnanswered(await publishAndForget(), { parked: true });
		passedMs += 5 * MINUTES - 1 * SECONDS;
		expect(await deliverOf(published, 'MESSAGE.RECEIVED')).toBe(503);
		passedMs += 1 * SECONDS;
		expect(await deliverOf(published, 'MESSAGE.RECEIVED')).toBe(200);
	});

	it('defers nothing after a start at which the gateway names none', async () => {
		const published = await publishAndForget();
		// Of a gateway that was silent at another start, nothing is asked for a while.
		passedMs += 10 * MINUTES;
		const restarted = await restart(published, { parked: true });
		expect(recordOf(restarted).parked).toBeUndefined();
		expect(await deliverOf(restarted, 'MESSAGE.RECEIVED')).toBe(200);
	});
});

itUnlessOldest(
	'looks again soon, and begins to count the outage only with the usual looks',
	async () => {
		const { trigger } = await startUnanswered(await publish());
		await passAndFinish(5 * SECONDS);
		for (const seconds of [12, 24, 48, 96]) await passAndFinish(seconds * SECONDS);
		await passAndFinish(2 * MINUTES);
		expect(trigger.failures).toEqual([]);
		await passAndFinish(5 * MINUTES);
		expect(trigger.failures).toHaveLength(1);
	},
);

it.each<[string, (id: string) => void]>([
	['as it should be', () => {}],
	['with other events', (id) => changeRemote(id, { events: ['QRCODE.UPDATED'] })],
	['gone', (id) => void gateway.deleteWebhook(id)],
])('is confirmed or repaired by an early check if the webhook is %s', async (_what, spoil) => {
	const published = await startUnanswered(await publish());
	await passAndFinish(5 * SECONDS);
	spoil(gateway.webhooks()[0].id);
	gateway.faults.clear();
	await pass(12 * SECONDS);
	await waitFor('the look to end', () => rests.length > 0);
	while (rests[0].milliseconds < 10 * SECONDS) {
		// A self-check that was asked for again.
		await passAndFinish(1 * SECONDS);
	}
	expect(await deliverOnce(published)).toBe(200);
	await pass(2 * MINUTES);
	expect(published.trigger.failures).toEqual([]);
});

it('makes the webhook as soon as it can where the start has failed to make it', async () => {
	const published = await publish();
	await published.trigger.close();
	rests.length = 0;
	gateway.deleteWebhook(gateway.webhooks()[0].id);
	gateway.faults.add({ match: { method: 'POST' }, times: 2, fault: { status: 502 } });
	const { built } = published;
	Object.assign(recordOf(published), { events: ['MESSAGE.SENT'] });
	expect(await engine.hook('checkExists', built, START)).toBe(false);
	await engine.hook('create', built, START);
	open.push(await engine.trigger(built, START));
	await passAndFinish(5 * SECONDS);
	await passAndFinish(12 * SECONDS);
	expect(gateway.webhooks()).toEqual([]);
	await pass(24 * SECONDS);
	await waitFor('the webhook', () => gateway.webhooks().length === 1);
});

it('is not in doubt any more when the workflow is published again', async () => {
	const published = await startUnanswered(await publish());
	await published.trigger.close();
	gateway.faults.clear();
	await engine.hook('delete', published.built);
	await engine.hook('checkExists', published.built);
	await engine.hook('create', published.built);
	expect(await deliverOnce(published)).toBe(200);
});

itUnlessOldest(
	'raises one alarm for a token that is not known any more, however early somebody finds out',
	async () => {
		const published = await publish();
		gateway.faults.add({ times: 'always', fault: { status: 401 } });
		const { trigger, ...restarted } = await restart(published);
		expect(await deliverWith({ trigger, ...restarted }, FOREIGN_SECRET)).toBe(503);
		await waitFor('the alarm', () => trigger.failures.length === 1);
		await passAndFinish(5 * SECONDS);
		for (const seconds of [12, 24, 48, 96]) await passAndFinish(seconds * SECONDS);
		expect(trigger.failures).toHaveLength(1);
	},
);

it('is confirmed though the gateway refuses the token of another trigger', async () => {
	const [refused, well] = [await publish(), await publish()];
	passedMs += 2 * MINUTES;
	gateway.faults.add({ fault: { status: 401 } });
	await restart(refused);
	await restart(well);
	const [, { secret }] = gateway.webhooks();
	expect(await deliverWith(well, secret)).toBe(200);
	expect(await deliverWith(well, FOREIGN_SECRET)).toBe(401);
});

itUnlessOldest(
	'raises the alarm for a credential that was deleted, and takes what fits',
	async () => {
		const published = await publish();
		const { credentialsHelper } = published.built.additionalData;
		jest
			.spyOn(credentialsHelper, 'getDecrypted')
			.mockRejectedValue(new Error('No such credential'));
		const { trigger } = await restart(published);
		expect(await deliverOnce(published)).toBe(200);
		expect(await deliverWith(published, FOREIGN_SECRET)).toBe(503);
		await waitFor('the alarm', () => trigger.failures.length === 1);
		expect(trigger.failures).toMatchObject([
			{ message: expect.stringMatching(/No such credential/) },
		]);
	},
);

it('names the webhook that stays behind at the address that n8n had before', async () => {
	const [warn, silent] = [jest.fn(), { info: jest.fn(), debug: jest.fn(), error: jest.fn() }];
	const contexts = Object.getPrototypeOf(HookContext.prototype) as HookContext;
	jest.spyOn(contexts, 'logger', 'get').mockReturnValue({ ...silent, warn } as never);
	const url = 'https://old.example.com/webhook/hook/webhook';
	const published = await publish();
	const [{ id }] = gateway.webhooks();
	changeRemote(id, { url });
	await startUnanswered(published, { url });
	gateway.faults.clear();
	await passAndFinish(5 * SECONDS);
	await pass(12 * SECONDS);
	await waitFor('the new webhook', () => gateway.webhooks().length === 2);
	await waitFor('a word of the old one', () =>
		warn.mock.calls.some(([message]: string[]) =>
			message.includes(`webhook ${id} for ${url} is left`),
		),
	);
});
