import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { IDataObject } from 'n8n-workflow';
import type { Fault, WebhookRecord } from '../../../../lab/simulator';
import { deliver, post, type Delivery } from '../../../contract/deliveries';
import { execute, type BuiltWorkflow, type TestNode } from '../../../support/engine';
import { engine, gateway } from '../../../support/engineAndGateway';
import { failuresOf, forgetProcess } from '../../../support/receiving';
import { credentialsOf } from '../../../support/runOperation';
import {
	deliverOnce,
	MINUTES,
	open,
	pass,
	publishWatched,
	recordOf,
} from '../../../support/watching';

const build = (node: Partial<TestNode> = {}, id: string = randomUUID(), production?: string) =>
	engine.build(
		{
			id,
			nodes: [{ type: 'messagingGatewayTrigger', webhookId: 'hook', ...node }],
			credentials: credentialsOf(gateway),
		},
		production === undefined ? undefined : { production, test: `${production}-test` },
	);

/** A workflow that a start of n8n brings. */
async function start(built = build(), activation: 'init' | 'leadershipChange' = 'init') {
	await engine.publish(built, { activation });
	const trigger = await engine.trigger(built, { activation });
	open.push(trigger);
	return trigger;
}

/**
 * A published trigger whose public address leads to something else than n8n.
 *
 * @param like a workflow whose trigger it shares its state with
 */
async function publishBehind(respond: RequestListener, like?: BuiltWorkflow) {
	const server = createServer(respond).listen(0, '127.0.0.1');
	await once(server, 'listening');
	open.push({ close: async () => await Promise.resolve(void server.close()) });

	const { port } = server.address() as AddressInfo;
	const node = { name: 'Trigger', id: like?.node().id };
	const built = build(node, like?.workflow.id, `http://127.0.0.1:${port}/webhook`);
	await engine.publish(built);
	const trigger = await engine.trigger(built);
	open.push(trigger);
	return trigger;
}

const signingHeadersOf = ({ headers }: IncomingMessage): Delivery['headers'] =>
	['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
		name,
		String(headers[name]),
	]);

const FIRST = 1 * MINUTES;
const NEXT = 61 * MINUTES;
const AFTER_TROUBLE = 6 * MINUTES;
const RECREATED = { message: expect.stringMatching(/has recreated its webhook/) };
const count = (method: string) => gateway.requests.filter((each) => each.method === method).length;

it('checks after about a minute, then every hour, and changes nothing while all is well', async () => {
	const { trigger } = await publishWatched();
	const before = gateway.webhooks();
	gateway.requests.length = 0;
	const checks: number[] = [];
	for (const time of [0.9 * FIRST, 0.1 * FIRST, 59 * MINUTES, 2 * MINUTES, NEXT]) {
		await pass(time);
		checks.push(gateway.requests.length);
	}
	expect(checks).toEqual([0, 1, 1, 2, 3]);
	expect(gateway.webhooks()).toEqual(before);
	expect(trigger.failures).toEqual([]);
});

it('spreads the checks of many triggers', async () => {
	for (const chance of [0, 0.3, 0.6]) {
		jest.mocked(Math.random).mockReturnValue(chance);
		await publishWatched();
	}
	gateway.requests.length = 0;
	for (const lists of [1, 2, 3]) {
		await pass(lists === 1 ? 0.5 * MINUTES : 0.3 * MINUTES);
		expect(gateway.requests).toHaveLength(lists);
	}
});

const events = ['CONNECTION.UPDATED', 'MESSAGE.RECEIVED'];

describe.each<[string, (webhook: WebhookRecord) => unknown]>([
	['deleted', ({ id }) => gateway.deleteWebhook(id)],
	['disabled', (webhook) => Object.assign(webhook, { enabled: false })],
	['left without events', (webhook) => Object.assign(webhook, { events: [] })],
	['left without one of its events', (webhook) => webhook.events.shift()],
])('a webhook that is %s', (_how, spoil) => {
	it('is recreated again and again, and an alarm says so each time', async () => {
		const published = await publishWatched({ events });
		for (let checks = 1; checks <= 3; checks++) {
			gateway.webhooks().forEach((webhook) => spoil(webhook));
			await pass(checks === 1 ? FIRST : NEXT);
			expect(published.trigger.failures).toMatchObject(Array(checks).fill(RECREATED));
			// The check has delivered to itself, with which n8n saves the secret.
			expect(recordOf(published).webhookId).toBe(gateway.webhooks()[0].id);
			expect(await deliverOnce(published)).toBe(200);
		}
	});

	it('is recreated by a start of n8n, and an alarm says so once, a minute later', async () => {
		const { built, trigger } = await publishWatched({ events });
		let running = trigger;
		for (const activation of ['leadershipChange', 'init'] as const) {
			await running.close();
			if (activation === 'init') forgetProcess();
			gateway.webhooks().forEach((webhook) => spoil(webhook));
			await start(built, activation);
			// Before the first check, a person publishes again.
			await engine.hook('delete', built);
			await engine.publish(built);
			running = await start(built, activation);
			for (const time of [FIRST, NEXT]) {
				await pass(time);
				expect(running.failures).toMatchObject([RECREATED]);
			}
		}
	});
});

it('says the same words once an hour, also over publications', async () => {
	const { built, trigger } = await publishWatched();
	const spoil = () => gateway.webhooks().forEach(({ id }) => gateway.deleteWebhook(id));
	spoil();
	await pass(FIRST);
	await engine.publish(built);
	const again = await engine.trigger(built);
	open.push(again);
	spoil();
	await pass(FIRST);
	spoil();
	await pass(NEXT);
	expect([...trigger.failures, ...again.failures]).toMatchObject([RECREATED, RECREATED]);
});

it('says a doubt again after an hour, if somebody has published meanwhile', async () => {
	const { built, trigger } = await publishWatched();
	gateway.setClock(200);
	for (const time of [FIRST, AFTER_TROUBLE]) await pass(time);
	const again = await engine.trigger(built);
	open.push(again);
	for (let checks = 0; checks < 15; checks++) await pass(AFTER_TROUBLE);
	expect([trigger, again].map(({ failures }) => failures.length)).toEqual([1, 1]);
});

it('says nothing of a webhook that the first start of n8n creates, and the next one finds', async () => {
	const built = build();
	for (let starts = 0; starts < 2; starts++) {
		const trigger = await start(built);
		await pass(FIRST);
		expect(trigger.failures).toEqual([]);
		await trigger.close();
		forgetProcess();
	}
});

describe('a start of n8n at another address than the one of the saved webhook', () => {
	const OLD = 'https://production.example.com/webhook';
	/** Nothing listens there: the check's own delivery ends at once. */
	const NEW = 'http://127.0.0.1:1/webhook';

	/** Publishes a workflow at the old address, and starts a copy of it at the new one. */
	async function startCopy({ isOldWebhookGone = false } = {}) {
		const production = build({ name: 'Trigger' }, undefined, OLD);
		await engine.publish(production);
		const [oldWebhook] = gateway.webhooks();
		if (isOldWebhookGone) gateway.deleteWebhook(oldWebhook.id);

		forgetProcess();
		const copy = build({ name: 'Trigger' }, production.workflow.id, NEW);
		copy.staticData['node:Trigger'] = { ...(production.staticData['node:Trigger'] as IDataObject) };
		return { copy, trigger: await start(copy), oldWebhook };
	}

	it('says to look for another n8n with the same data, and keeps its webhook', async () => {
		const { trigger, oldWebhook } = await startCopy();
		for (const time of [FIRST, NEXT]) {
			await pass(time);
			expect(trigger.failures).toMatchObject([
				{
					message: `The trigger has created a webhook here, but another n8n with the same data may still receive at ${OLD}/hook/webhook`,
					description: expect.stringMatching(
						/^Look there before you delete anything\. If this n8n is a copy/,
					),
				},
			]);
		}
		expect(gateway.webhooks().map(({ url }) => url)).toEqual([
			oldWebhook.url,
			`${NEW}/hook/webhook`,
		]);
	});

	it('says that the webhook was recreated if the old one no longer exists', async () => {
		const { trigger } = await startCopy({ isOldWebhookGone: true });
		await pass(FIRST);
		expect(trigger.failures).toMatchObject([RECREATED]);
	});

	it('deletes the webhook of the copy alone when the copy is unpublished', async () => {
		const { copy, oldWebhook } = await startCopy();
		await engine.hook('delete', copy);
		expect(gateway.webhooks()).toMatchObject([{ id: oldWebhook.id }]);
	});
});

it('checks once a time if n8n has begun twice without an end', async () => {
	const { built } = await publishWatched();
	open.push(await engine.trigger(built));
	gateway.requests.length = 0;
	await pass(FIRST);
	expect(gateway.requests).toHaveLength(1);
});

it('goes on with its checks when the editor has listened for a test event', async () => {
	const { built, trigger } = await publishWatched();
	const test = build({ name: 'Trigger' }, built.workflow.id);
	await engine.hook('create', test, { test: true });
	await engine.hook('delete', test, { test: true });
	gateway.deleteWebhook(gateway.webhooks()[0].id);
	await pass(FIRST);
	expect(trigger.failures).toMatchObject([RECREATED]);
});

it('raises an alarm when two checks in a row fail, and another for another reason or after all was well', async () => {
	const { trigger } = await publishWatched();
	gateway.faults.add({ times: 'always', fault: 'cutBefore' });
	await pass(FIRST);
	expect(trigger.failures).toEqual([]);
	for (let checks = 0; checks < 3; checks++) await pass(AFTER_TROUBLE);
	expect(trigger.failures).toMatchObject([
		{
			message: expect.stringMatching(/^The trigger cannot check its webhook/),
			description: expect.stringMatching(/^GET .* broke\..*events may not arrive\.$/),
		},
	]);

	const fail = () => gateway.faults.add({ times: 'always', fault: { status: 500 } });
	gateway.faults.clear();
	fail();
	await pass(AFTER_TROUBLE);
	// The next time, the words are the same.
	for (const alarms of [2, 3]) {
		expect(trigger.failures).toHaveLength(alarms);
		gateway.faults.clear();
		await pass(AFTER_TROUBLE);
		fail();
		await pass(NEXT);
		expect(trigger.failures).toHaveLength(alarms);
		await pass(AFTER_TROUBLE);
	}
});

it('reads no expression in a check, where n8n evaluates none, and recreates the webhook', async () => {
	const { built, trigger } = await publishWatched();
	const { parameters } = built.workflow.getNode('Trigger')!;
	parameters.events = '={{ $json.missing.events }}';
	parameters.options = { senders: '={{ $json.missing.senders }}' };
	gateway.webhooks().forEach(({ id }) => gateway.deleteWebhook(id));

	await pass(FIRST);
	expect(trigger.failures).toMatchObject([RECREATED]);
	expect(gateway.webhooks()).toHaveLength(1);
});

describe('a setting whose expression gives something else than at the publication', () => {
	/** *Only From* can be used for an hour. */
	async function publishPassing() {
		const until = Date.now() + 60 * MINUTES;
		const senders = `={{ Date.now() < ${until} ? '+5511987654321' : 'Ana' }}`;
		return await publishWatched({ options: { senders } });
	}

	it('is said by the first delivery that meets it, once an hour, and the gateway sends each event again', async () => {
		const published = await publishPassing();
		expect(await deliverOnce(published)).toBe(200);
		await pass(NEXT);

		for (let deliveries = 0; deliveries < 3; deliveries++) {
			expect(await deliverOnce(published)).toBe(503);
		}
		const alarm = {
			message: expect.stringMatching(
				/^A setting of the trigger .* "Ana" cannot be one of Only From/,
			),
			description: expect.stringMatching(
				/sends each event again.* and publish, or correct what its expression reads\.$/,
			),
		};
		expect(await failuresOf(published.receiver)).toMatchObject([alarm]);

		await pass(NEXT);
		expect(await deliverOnce(published)).toBe(503);
		expect(await failuresOf(published.receiver)).toMatchObject([alarm, alarm]);
		expect(published.trigger.failures).toEqual([]);
	});
});

describe('alarms of a trouble that lasts', () => {
	/** Changes the fault with each check, which lists the webhooks once. */
	const inTurns = (faults: Fault[]) => {
		for (let turn = 0; turn < 30; turn++) {
			gateway.faults.add({ match: { method: 'GET' }, fault: faults[turn % faults.length] });
		}
	};
	const failWith = (status: number, error: string): Fault => ({ status, body: { error } });
	const DOWN = failWith(503, 'down');
	const WELL: Fault = { kind: 'slow', delayMs: 0 };
	const requestIds = Array.from({ length: 30 }, (_, i) =>
		failWith(503, `upstream failed (request 000000${i})`),
	);

	it.each([
		{ trouble: '503 in the same words', faults: [DOWN], kinds: 1 },
		{ trouble: '503 whose words name the request', faults: requestIds, kinds: 1 },
		{
			trouble: 'connections that break before and after the request is done',
			faults: ['cutBefore', 'cutAfter'],
			kinds: 1,
		},
		{ trouble: '503 twice, then all is well', faults: [DOWN, DOWN, WELL], kinds: 1 },
		{ trouble: '401 and 502 in turns', faults: [{ status: 401 }, { status: 502 }], kinds: 2 },
	] as Array<{ trouble: string; faults: Fault[]; kinds: number }>)(
		'come once an hour and kind: $trouble',
		async ({ faults, kinds }) => {
			const { trigger } = await publishWatched();
			inTurns(faults);
			for (const hours of [1, 2]) {
				await pass(60 * MINUTES);
				expect(trigger.failures).toHaveLength(hours * kinds);
			}
		},
	);

	it('come once an hour for a clock that drifts', async () => {
		const { trigger } = await publishWatched();
		for (let checks = 1; checks <= 10; checks++) {
			gateway.setClock(200 + 60 * checks);
			await pass(AFTER_TROUBLE - 1);
		}
		expect(trigger.failures).toMatchObject([{ message: expect.stringContaining('clocks') }]);
	});

	it('come once an hour for a login page whose address has another state each time', async () => {
		let visits = 0;
		const trigger = await publishBehind((_request, response) => {
			visits += 1;
			response.writeHead(302, { location: `/login?state=${visits}` }).end();
		});
		await pass(60 * MINUTES);
		expect(visits).toBeGreaterThan(5);
		expect(trigger.failures).toMatchObject([{ message: expect.stringContaining('status 302') }]);
	});

	it('come for a status of the own address and for another one', async () => {
		let status = 401;
		const trigger = await publishBehind((_request, response) => {
			response.writeHead(status).end();
		});
		await pass(20 * MINUTES);
		status = 404;
		await pass(20 * MINUTES);
		expect(trigger.failures).toMatchObject([
			{ message: expect.stringContaining('status 401') },
			{ message: expect.stringContaining('status 404') },
		]);
	});
});

it('waits as long as a gateway that limits requests asks, at most an hour, without an alarm', async () => {
	const { trigger } = await publishWatched();
	gateway.requests.length = 0;
	const limit = (seconds: number) =>
		gateway.faults.add({ fault: { status: 429, headers: { 'retry-after': `${seconds}` } } });
	for (const seconds of [20, 20, 1e9, 20]) limit(seconds);
	await pass(FIRST);
	for (let checks = 0; checks < 2; checks++) await pass(MINUTES);
	expect(count('GET')).toBe(3);
	await pass(NEXT);
	expect(count('GET')).toBe(4);
	expect(trigger.failures).toEqual([]);
	// It was no success either: the next failure is not the first one in a row.
	gateway.faults.add({ fault: { status: 500 } });
	await pass(MINUTES);
	expect(trigger.failures).toHaveLength(1);
});

it.each([
	[-200, ['behind']],
	[-170, []],
	[170, []],
	[200, ['ahead']],
	[NaN, []],
])('measures clocks that are %i seconds apart, and says so: %j', async (seconds, alarms) => {
	const { trigger } = await publishWatched();
	gateway.setClock(seconds);
	await pass(FIRST);
	await pass(alarms.length > 0 ? AFTER_TROUBLE : NEXT);
	expect(trigger.failures).toMatchObject(
		alarms.map((where) => ({
			message: 'The clocks of n8n and of the gateway are 3 minutes apart',
			description: expect.stringContaining(`clock is ${where}.`),
		})),
	);
});

describe('a delivery of the trigger to itself', () => {
	it('does not come if an event has come since the last check, but comes after what was refused', async () => {
		const published = await publishWatched();
		const { answers } = published.receiver;
		expect(await deliverOnce(published)).toBe(200);
		await pass(FIRST);
		expect(answers).toHaveLength(1);
		const [{ secret }] = gateway.webhooks();
		const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
		const refused = [
			{ secret: other },
			{ timestamp: '1000000000' },
			{ signature: '' },
			{ body: '{}' },
		];
		for (const change of [undefined, undefined, ...refused]) {
			answers.length = 0;
			if (change) expect((await post(published.url, deliver({ secret }, change))).status).toBe(401);
			await pass(NEXT);
			expect(answers).toHaveLength(change ? 2 : 1);
		}
		expect(published.receiver.executions).toHaveLength(1);
		expect(published.trigger.failures).toEqual([]);
	});

	it.each([
		{ status: 301, location: 'https://n8n.example.com/x', advice: 'set N8N_WEBHOOK_URL to that' },
		{ status: 302, location: '/login', advice: 'leads to a login page' },
		{ status: 200, location: undefined, advice: 'A login page' },
		{ status: 401, location: undefined, advice: 'asks for a login, or a proxy changes bodies' },
		{ status: 404, location: undefined, advice: 'takes a part of the path off' },
	])(
		'says the second time in a row that something responds $status in front of n8n (location: $location)',
		async ({ status, location, advice }) => {
			const trigger = await publishBehind((_request, response) => {
				response.writeHead(status, { ...(location && { location }) }).end('<html>');
			});
			await pass(FIRST);
			expect(trigger.failures).toEqual([]);

			for (let checks = 0; checks < 3; checks++) await pass(AFTER_TROUBLE);
			const target = location ? `, to "${location}"` : '';
			expect(trigger.failures).toMatchObject([
				{
					message: expect.stringContaining(`status ${status}${target}`),
					description: expect.stringMatching(
						`to http://.*/hook/webhook, .*${advice}.* ignore this.`,
					),
				},
			]);
		},
	);

	it('raises the alarm of a recreated webhook first, then that of what it finds in front of n8n', async () => {
		const trigger = await publishBehind((_request, response) => void response.writeHead(404).end());
		gateway.webhooks().forEach(({ id }) => gateway.deleteWebhook(id));
		await pass(FIRST);
		expect(trigger.failures).toMatchObject([RECREATED]);

		for (let checks = 0; checks < 3; checks++) await pass(AFTER_TROUBLE);
		const unheard = { message: expect.stringContaining('status 404') };
		expect(trigger.failures).toMatchObject([RECREATED, unheard]);
	});

	it.each([502, 503, undefined])(
		'says nothing if the own address responds %s, since many an n8n cannot reach it',
		async (status) => {
			const trigger = await publishBehind((_request, response) => {
				if (status === undefined) response.destroy();
				else response.writeHead(status).end();
			});
			await pass(FIRST);
			for (let checks = 0; checks < 3; checks++) await pass(NEXT);
			expect(trigger.failures).toEqual([]);
		},
	);

	it.each([
		{ proxy: 'passes bodies on', rewrite: (body: string) => body, status: 200 },
		{
			proxy: 'reads JSON and writes it anew',
			rewrite: (body: string) => JSON.stringify(JSON.parse(body)),
			status: 401,
		},
		{
			proxy: 'writes blanks anew',
			rewrite: (body: string) => body.replaceAll(' ', ''),
			status: 401,
		},
		{
			proxy: 'writes letters anew',
			rewrite: (body: string) => body.replace('\\u0065', 'e'),
			status: 401,
		},
		{
			proxy: 'writes numbers anew',
			rewrite: (body: string) => body.replace('1.0', '1'),
			status: 401,
		},
	])(
		'gets $status through a proxy that $proxy, as each genuine event would',
		async ({ rewrite, status }) => {
			const published = await publishWatched();
			const statuses: number[] = [];
			const forward: RequestListener = (request, response) => {
				void readText(request).then(async (body) => {
					const answer = await post(published.url, {
						headers: [['content-type', 'application/json'], ...signingHeadersOf(request)],
						body: Buffer.from(rewrite(body)),
					});
					statuses.push(answer.status);
					response.writeHead(answer.status, { 'content-type': 'application/json' });
					response.end(answer.text);
				});
			};
			await published.trigger.close();
			const trigger = await publishBehind(forward, published.built);

			// The first one saves the secret of the webhook behind the proxy.
			await pass(FIRST);
			await pass(status === 200 ? NEXT : AFTER_TROUBLE);
			expect(statuses.at(-1)).toBe(status);
			const refused = {
				message: expect.stringContaining('status 401'),
				description: expect.stringContaining('writes it anew breaks the signature'),
			};
			expect(trigger.failures).toMatchObject(status === 200 ? [] : [refused]);
		},
	);
});

it.each<[string, Array<'delete'>]>([
	['the workflow is unpublished', ['delete']],
	['n8n switches the trigger off', []],
])('leaves at most one webhook behind if %s while it recreates one', async (_when, hooks) => {
	const { built, trigger } = await publishWatched();
	gateway.deleteWebhook(gateway.webhooks()[0].id);
	let ended: Promise<unknown> | undefined;
	const until = async () => {
		const unpublished = hooks.map(async (hook) => await engine.hook(hook, built));
		ended = Promise.all([...unpublished, trigger.close()]);
		// It sleeps no more, and the clock waits for that.
		void ended.then(() => AbortSignal.timeout(1 * MINUTES));
		await Promise.resolve();
	};
	gateway.faults.add({ match: { method: 'POST' }, fault: { kind: 'slow', until } });
	await pass(FIRST);
	await ended;
	expect(gateway.requests.every(({ status }) => status !== 0)).toBe(true);
	expect(gateway.webhooks()).toHaveLength(1 - hooks.length);
	expect(trigger.failures).toEqual([]);
});

it('creates none after the deletion, if a check comes meanwhile', async () => {
	const { built } = await publishWatched();
	let passed: Promise<void> | undefined;
	const until = async () => {
		passed = pass(FIRST);
		await Promise.resolve();
	};
	gateway.faults.add({ match: { method: 'DELETE' }, fault: { kind: 'slow', until } });
	await engine.hook('delete', built);
	await passed;
	expect(gateway.webhooks()).toEqual([]);
});

it.each<[string, Partial<TestNode>, RegExp]>([
	[
		'n8n does not serve its URL',
		{ name: 'Message Received', webhookId: undefined },
		/does not serve/,
	],
	['an expression gives no events', { parameters: { events: '={{ [] }}' } }, /at least one event/],
])('says after a start of n8n that %s', async (_what, node, message) => {
	const trigger = await start(build(node));
	await pass(FIRST);
	expect(trigger.failures).toMatchObject([{ message: expect.stringMatching(message) }]);
	expect(gateway.webhooks()).toEqual([]);
});

it('passes on an event that has the fields of an alarm, also if a person retries it', async () => {
	const built = build();
	const event = { origin: 'alarm', message: 'Stop', advice: 'Stop' };
	for (const mode of ['webhook', 'retry'] as const) {
		const { data } = await execute(built, built.node(), [{ json: event }], mode);
		expect(data.resultData.error).toBeUndefined();
	}
});

it('does nothing with manual webhook setup, and nothing while the editor listens', async () => {
	open.push(await engine.trigger(build({ parameters: { webhookSetup: 'manual' } })));
	open.push(await engine.trigger(build(), { mode: 'manual', activation: 'manual' }));
	await pass(NEXT);
	expect(gateway.requests).toEqual([]);
});
