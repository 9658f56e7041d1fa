import { createHash, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { TriggerContext } from 'n8n-core';
import { waitFor } from '../../../host/waiting';
import { itUnlessOldest } from '../../jest/oldest';
import { deliver, post } from '../../oracle/catalogue';
import { execute } from '../../engine/engine';
import { engine, gateway } from '../../engine/stage';
import {
	changeRemote,
	credentials,
	deliverOnce,
	MINUTES,
	open,
	pass,
	passAndFinish,
	publish,
	recordOf,
	rests,
	SECONDS,
	switchOn,
	type Published,
} from '../../engine/watching';

const ARRIVED = { status: 200, body: { message: 'Self-test received' } };

/** A published workflow whose address answers as told. */
async function publishBehind(
	answer: (body: string) => { status: number; body: object },
): Promise<Published & { posts: string[] }> {
	const posts: string[] = [];
	const server: Server = createServer(async (request, response) => {
		const body = await text(request);
		posts.push(body);
		const { status, body: told } = answer(body);
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(told));
	});
	await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
	open.push({
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	});
	const production = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`;
	const built = engine.build(
		{
			id: randomUUID(),
			nodes: [{ type: 'messagingGatewayTrigger', name: 'Trigger', webhookId: 'hook' }],
			credentials: credentials(),
		},
		{ production, test: `${production}-test` },
	);
	return { ...(await switchOn(built)), posts };
}

describe('a self-check', () => {
	it('comes some seconds after a publication, starts nothing and is no event', async () => {
		const published = await publish();
		await passAndFinish(5 * SECONDS);

		expect(published.receiver.answers.map(({ statusCode }) => statusCode)).toEqual([200]);
		expect(published.receiver.executions).toEqual([]);
		expect(published.trigger.failures).toEqual([]);
	});

	it('puts back a record that somebody has written over', async () => {
		const published = await publish();
		const record = { ...recordOf(published) };
		Object.assign(recordOf(published), { webhookId: 'wh_old', secret: 'whsec_old' });
		await pass(5 * SECONDS);
		// Asked for a repeat, it comes again a moment later.
		await passAndFinish(1 * SECONDS);

		expect(published.receiver.answers.map(({ statusCode }) => statusCode)).toEqual([503, 200]);
		expect(recordOf(published)).toEqual(record);
		expect(published.trigger.failures).toEqual([]);
	});

	itUnlessOldest(
		'raises one alarm if whoever receives it does not hold the secret, and none when it does again',
		async () => {
			let isHeld = false;
			const published = await publishBehind((body) => {
				const received = createHash('sha256').update(body).digest('hex');
				return isHeld ? ARRIVED : { status: 401, body: { received } };
			});
			await passAndFinish(5 * SECONDS);
			await passAndFinish(2 * MINUTES);
			expect(published.trigger.failures).toMatchObject([
				{
					message: expect.stringMatching(/refused, because n8n has lost the secret/),
					description: expect.stringMatching(/Unpublish the workflow and publish it again/),
				},
			]);

			isHeld = true;
			await passAndFinish(5 * MINUTES);
			isHeld = false;
			await passAndFinish(60 * MINUTES);
			expect(published.trigger.failures).toHaveLength(2);
		},
	);

	itUnlessOldest(
		'tells a body that was changed on the way from a secret that is not held',
		async () => {
			const { trigger } = await publishBehind(() => ({
				status: 401,
				body: { received: 'another' },
			}));
			await passAndFinish(5 * SECONDS);
			expect(trigger.failures).toMatchObject([
				{ message: expect.stringMatching(/something on the way changes them/) },
			]);
		},
	);

	it.each([200, 401, 404, 302, 500])(
		'tells nothing from an answer of %i that is not the trigger’s: it may be the way there',
		async (status) => {
			const { trigger, posts } = await publishBehind(() => ({ status, body: {} }));
			await passAndFinish(5 * SECONDS);
			expect(posts).toHaveLength(1);
			expect(trigger.failures).toEqual([]);
		},
	);

	itUnlessOldest('that tells nothing is neither an outage nor the end of one', async () => {
		let answer = { status: 401, body: { received: 'another' } as object };
		const { trigger } = await publishBehind(() => answer);
		await passAndFinish(5 * SECONDS);
		answer = { status: 500, body: {} };
		await passAndFinish(2 * MINUTES);
		answer = { status: 401, body: { received: 'another' } };
		await passAndFinish(5 * MINUTES);
		expect(trigger.failures).toHaveLength(1);
	});

	itUnlessOldest(
		'raises the alarm when an n8n says again and again that it has no such webhook',
		async () => {
			const message = 'The requested webhook "POST hook/webhook" is not registered.';
			const { trigger } = await publishBehind(() => ({ status: 404, body: { message } }));
			await passAndFinish(5 * SECONDS);
			expect(trigger.failures).toEqual([]);
			await passAndFinish(2 * MINUTES);
			expect(trigger.failures).toMatchObject([
				{ description: expect.stringMatching(/N8N_WEBHOOK_URL/) },
			]);
		},
	);
});

describe('a look after the webhook', () => {
	it.each<[string, (id: string) => void]>([
		['was deleted', (id) => void gateway.deleteWebhook(id)],
		['was disabled', (id) => changeRemote(id, { enabled: false })],
	])('makes it anew if it %s, and stores the new secret by itself', async (_what, spoil) => {
		const published = await publish();
		const [{ id }] = gateway.webhooks();
		await passAndFinish(5 * SECONDS);
		spoil(id);
		await pass(2 * MINUTES);
		await passAndFinish(1 * SECONDS);

		expect(await deliverOnce(published)).toBe(200);
		expect(recordOf(published).webhookId).toBe(gateway.webhooks()[0].id);
		expect(gateway.webhooks()[0].id).not.toBe(id);
		expect(published.trigger.failures).toEqual([]);
	});

	it.each<[string, object]>([
		['events', { events: ['QRCODE.UPDATED'] }],
		['URL', { url: 'https://somebody.example.com/hook' }],
	])('puts other %s right and keeps the secret', async (_what, change) => {
		const published = await publish();
		const [{ id, events, url }] = gateway.webhooks();
		await passAndFinish(5 * SECONDS);
		changeRemote(id, change);
		await passAndFinish(2 * MINUTES);

		expect(gateway.webhooks()).toMatchObject([{ id, events, url }]);
		expect(await deliverOnce(published)).toBe(200);
	});

	it('repairs with the next check what an answer that got lost has kept from being repaired', async () => {
		const published = await publish();
		const [{ id, events, url }] = gateway.webhooks();
		await passAndFinish(5 * SECONDS);
		changeRemote(id, { url: 'https://somebody.example.com/hook' });
		gateway.faults.add({ match: { method: 'PATCH' }, fault: 'cutBefore' });
		await passAndFinish(2 * MINUTES);
		await passAndFinish(5 * MINUTES);

		expect(gateway.webhooks()).toMatchObject([{ id, events, url }]);
		expect(await deliverOnce(published)).toBe(200);
		expect(published.trigger.failures).toEqual([]);
	});

	it('keeps the webhook at a start where another one was left behind, and removes that', async () => {
		const published = await publish();
		const [{ id, url, events }] = gateway.webhooks();
		gateway.createWebhook({ url, events });
		gateway.faults.add({ match: { method: 'POST' }, times: 'always', fault: { status: 503 } });
		await published.trigger.close();

		await switchOn(published.built);
		expect(gateway.webhooks().map((webhook) => webhook.id)).toEqual([id]);
		expect(await deliverOnce(published)).toBe(200);
	});

	itUnlessOldest(
		'lets one go on that delivers too little, if the gateway neither changes it nor makes another',
		async () => {
			const published = await publish();
			const [{ id }] = gateway.webhooks();
			await passAndFinish(5 * SECONDS);
			changeRemote(id, { events: ['MESSAGE.SENT'] });
			for (const method of ['PATCH', 'POST']) {
				gateway.faults.add({ match: { method }, times: 'always', fault: { status: 403 } });
			}
			await passAndFinish(2 * MINUTES);

			expect(gateway.webhooks().map((webhook) => webhook.id)).toEqual([id]);
			expect(await deliverOnce(published)).toBe(200);
			expect(published.trigger.failures).toHaveLength(1);
		},
	);

	it('makes one in place of a disabled one also where the gateway takes no second one for a URL', async () => {
		const published = await publish();
		const [{ id }] = gateway.webhooks();
		await passAndFinish(5 * SECONDS);
		changeRemote(id, { enabled: false });
		gateway.faults.add({ match: { method: 'POST' }, fault: { status: 409 } });
		await pass(2 * MINUTES);
		await passAndFinish(1 * SECONDS);

		expect(gateway.webhooks()).toHaveLength(1);
		expect(await deliverOnce(published)).toBe(200);
	});

	it('lets no secret of a webhook open that it has removed and could not replace', async () => {
		const published = await publish();
		const [{ id, secret }] = gateway.webhooks();
		await passAndFinish(5 * SECONDS);
		changeRemote(id, { enabled: false });
		gateway.faults.add({ match: { method: 'POST' }, times: 'always', fault: { status: 403 } });
		await passAndFinish(2 * MINUTES);
		expect(gateway.webhooks()).toEqual([]);

		const now = Date.now.bind(Date);
		jest.spyOn(Date, 'now').mockImplementation(() => now() + 10 * MINUTES);
		const kit = { secret, oldSecret: '', otherSecret: '', now: Math.floor(Date.now() / 1000) };
		expect((await post(published.url, deliver(kit))).status).toBe(401);
		expect(published.receiver.executions).toEqual([]);
	});

	itUnlessOldest(
		'raises the alarm for one that is disabled again and again, and makes no more of them',
		async () => {
			const { trigger } = await publish();
			await passAndFinish(5 * SECONDS);
			for (let looks = 0; looks < 4; looks++) {
				for (const { id } of gateway.webhooks()) changeRemote(id, { enabled: false });
				await pass(looks === 0 ? 2 * MINUTES : 5 * MINUTES);
				if (looks === 0) await pass(1 * SECONDS);
				await waitFor('the trigger to rest again', () => rests.length > 0);
			}
			const made = gateway.requests.filter(({ method }) => method === 'POST');
			expect(made).toHaveLength(2);
			expect(trigger.failures).toMatchObject([{ message: expect.stringMatching(/was disabled/) }]);
		},
	);

	it('leaves alone what has the same ID at another gateway', async () => {
		const published = await publish();
		await passAndFinish(5 * SECONDS);
		const [{ id }] = gateway.webhooks();
		Object.assign(recordOf(published), { gateway: 'https://old.example.com' });
		await published.trigger.close();
		rests.length = 0;
		changeRemote(id, { url: 'https://somebody.example.com/hook' });
		await engine.hook('checkExists', published.built, { activation: 'init' });
		const again = await engine.trigger(published.built);
		open.push(again);
		await passAndFinish(5 * SECONDS);
		await passAndFinish(12 * SECONDS);

		expect(gateway.webhooks()).toContainEqual(
			expect.objectContaining({ id, url: 'https://somebody.example.com/hook' }),
		);
	});

	it.each<[string, Array<'delete'>]>([
		['the workflow is unpublished', ['delete']],
		// As when another main process goes on with it.
		['n8n switches the trigger off', []],
	])('that is making one when %s leaves none behind', async (_when, hooks) => {
		const published = await publish();
		await passAndFinish(5 * SECONDS);
		gateway.deleteWebhook(gateway.webhooks()[0].id);
		gateway.faults.add({ match: { method: 'POST' }, fault: { kind: 'slow', delayMs: 300 } });
		await pass(2 * MINUTES);
		const creation = await waitFor('the creation to be asked', () =>
			gateway.requests.find(({ method, status }) => method === 'POST' && status === 0),
		);
		await Promise.all([
			published.trigger.close(),
			...hooks.map(async (hook) => await engine.hook(hook, published.built)),
		]);

		// n8n may end this process from here on: what is made afterwards, nobody removes.
		expect(creation.status).toBe(200);
		expect(gateway.webhooks()).toEqual([]);
	});

	it('removes a second one with its URL, and nobody else’s', async () => {
		const published = await publish();
		await passAndFinish(5 * SECONDS);
		gateway.createWebhook({ url: published.url, events: ['MESSAGE.SENT'] });
		gateway.createWebhook({ url: 'https://somebody.example.com/hook', events: ['MESSAGE.SENT'] });
		await passAndFinish(2 * MINUTES);

		expect(await deliverOnce(published)).toBe(200);
		expect(gateway.webhooks()).toHaveLength(2);
	});

	itUnlessOldest('comes every hour while all is well, and more often while it is not', async () => {
		const { trigger } = await publish();
		await passAndFinish(5 * SECONDS);
		await passAndFinish(2 * MINUTES);
		await passAndFinish(60 * MINUTES);
		gateway.faults.add({ match: { method: 'GET' }, times: 'always', fault: { status: 401 } });
		await passAndFinish(60 * MINUTES);
		await passAndFinish(5 * MINUTES);
		gateway.faults.clear();
		await passAndFinish(5 * MINUTES);
		await passAndFinish(60 * MINUTES);
		expect(trigger.failures).toMatchObject([
			{ message: expect.stringMatching(/^The trigger cannot check its webhook: /) },
		]);
	});

	it('says in the log once what it finds again and again', async () => {
		const warn = jest.fn();
		const contexts = Object.getPrototypeOf(TriggerContext.prototype) as TriggerContext;
		jest
			.spyOn(contexts, 'logger', 'get')
			.mockReturnValue({ warn, info: jest.fn(), debug: jest.fn(), error: jest.fn() } as never);
		await publish();
		await passAndFinish(5 * SECONDS);
		gateway.faults.add({ match: { method: 'GET' }, times: 'always', fault: { status: 401 } });
		await passAndFinish(2 * MINUTES);
		await passAndFinish(5 * MINUTES);
		await passAndFinish(5 * MINUTES);
		const said = warn.mock.calls.map(([message]: string[]) => message);
		expect(said.filter((message) => message.includes('cannot check its webhook'))).toHaveLength(1);
	});

	it('raises an alarm that does not run as an event where somebody retries it', async () => {
		const { built, receiver } = await publish();
		const { data } = await execute(built, built.node(), [{ json: {} }], 'retry');
		expect(data.resultData.error?.message).toBe('There is no event here that could run again');
		expect(receiver.executions).toEqual([]);
	});

	itUnlessOldest(
		'gives a gateway that cannot be reached a second chance before the alarm',
		async () => {
			const { trigger } = await publish();
			await passAndFinish(5 * SECONDS);
			gateway.faults.add({ match: { method: 'GET' }, times: 'always', fault: 'cutBefore' });
			await passAndFinish(2 * MINUTES);
			expect(trigger.failures).toEqual([]);
			await passAndFinish(5 * MINUTES);
			await passAndFinish(5 * MINUTES);
			expect(trigger.failures).toHaveLength(1);
		},
	);

	itUnlessOldest(
		'never makes one after the other at a gateway that does not list them',
		async () => {
			const { trigger } = await publish();
			await passAndFinish(5 * SECONDS);
			gateway.faults.add({
				match: { method: 'GET' },
				times: 'always',
				fault: { status: 200, body: { data: [] } },
			});
			await pass(2 * MINUTES);
			await passAndFinish(1 * SECONDS);
			for (let looks = 0; looks < 3; looks++) await passAndFinish(5 * MINUTES);

			expect(gateway.webhooks().length).toBeLessThanOrEqual(2);
			expect(trigger.failures).toMatchObject([{ message: expect.stringMatching(/did not last/) }]);
		},
	);

	it('makes what could not be made at the start of n8n', async () => {
		const { built, trigger, receiver, url } = await publish();
		await trigger.close();
		gateway.deleteWebhook(gateway.webhooks()[0].id);
		delete built.staticData['node:Trigger'];
		gateway.faults.add({ times: 'always', fault: 'cutBefore' });
		const start = { activation: 'init' as const };
		expect(await engine.hook('checkExists', built, start)).toBe(false);
		expect(await engine.hook('create', built, start)).toBe(true);
		rests.length = 0;
		open.push(await engine.trigger(built, start));
		gateway.faults.clear();
		await passAndFinish(5 * SECONDS);
		await pass(12 * SECONDS);
		await passAndFinish(1 * SECONDS);

		expect(await deliverOnce({ built, trigger, url })).toBe(200);
		expect(receiver.executions).toHaveLength(1);
	});
});

it('does nothing with manual webhook setup, and nothing while the editor listens', async () => {
	const built = engine.build({
		id: randomUUID(),
		nodes: [
			{ type: 'messagingGatewayTrigger', name: 'Trigger', parameters: { webhookSetup: 'manual' } },
		],
		credentials: credentials(),
	});
	open.push(await engine.trigger(built));
	const automatic = engine.build({
		id: randomUUID(),
		nodes: [{ type: 'messagingGatewayTrigger', name: 'Trigger' }],
		credentials: credentials(),
	});
	open.push(await engine.trigger(automatic, { mode: 'manual', activation: 'manual' }));
	expect(rests).toEqual([]);
	expect(gateway.requests).toEqual([]);
});

it.each([
	['whsec_a3f0-not base64', 'what follows whsec_ is not base64'],
	['whsec_YQ==', 'its key is too short to be safe, 1 instead of at least 24 bytes'],
	[
		`whsec_${Buffer.alloc(23, 7).toString('base64')}`,
		'its key is too short to be safe, 23 instead',
	],
	[Buffer.alloc(32, 7).toString('base64'), 'it does not begin with whsec_'],
])('refuses a webhook whose secret is %s, and leaves none behind', async (secret, words) => {
	gateway.faults.add({
		match: { method: 'POST' },
		fault: { status: 201, body: { data: { id: 'wh_1', secret } } },
	});
	await expect(publish()).rejects.toThrow(`its secret is not safe: ${words}`);
	expect(gateway.webhooks()).toEqual([]);
	expect(gateway.requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/v1/webhooks/wh_1' });
});

it('takes an unreachable gateway at the start of n8n for one that has the webhook', async () => {
	const published = await publish();
	await published.trigger.close();
	gateway.faults.add({ match: { method: 'GET' }, times: 'always', fault: 'cutBefore' });
	expect(await engine.hook('checkExists', published.built, { activation: 'init' })).toBe(true);
});
