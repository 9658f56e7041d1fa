import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import { waitFor } from '../../../host/waiting';
import { arrived, holdStarts, makeEvent, post, publish } from '../../engine/receiving';
import { engine, forgetAsBetweenStarts, gateway } from '../../engine/stage';
import type { WebhookReceiver } from '../../webhookReceiver';

/** The first look of a process of n8n, as it starts. */
async function lookAtStart({ built }: WebhookReceiver): Promise<void> {
	const start = { activation: 'init' as const };
	if (!(await engine.hook('checkExists', built, start))) await engine.hook('create', built, start);
}

const loadedAt = Date.now();

/** From now on it is so long after the start of this process. */
function beAfterStart(milliseconds: number): void {
	jest.restoreAllMocks();
	const now = Date.now.bind(Date);
	const shift = loadedAt + milliseconds - now();
	jest.spyOn(Date, 'now').mockImplementation(() => now() + shift);
}

afterEach(() => jest.restoreAllMocks());

describe('a gateway whose clock is ahead', () => {
	const postAhead = async (receiver: WebhookReceiver, secret: string, by: number, id: string) => {
		const body = Buffer.from(JSON.stringify(makeEvent({ id })));
		const timestamp = Math.floor(Date.now() / 1000) + by;
		const headers = gateway.sign(body, secret, { id, timestamp });
		return (await fetch(receiver.url, { method: 'POST', body: new Uint8Array(body), headers }))
			.status;
	};

	it('is taken once n8n has saved by how much, which the next process reads there', async () => {
		const { receiver, secret, staticData } = await publish();
		beAfterStart(20_000);
		expect(await postAhead(receiver, secret, 120, 'evt_1')).toBe(503);
		expect(receiver.executions).toEqual([]);
		expect(staticData['node:Trigger']).toMatchObject({ secret, clockLeadSeconds: 120 });
		expect(await postAhead(receiver, secret, 125, 'evt_1')).toBe(503);
		expect(await postAhead(receiver, secret, 126, 'evt_1')).toBe(200);
		expect(await postAhead(receiver, secret, 129, 'evt_2')).toBe(200);
		expect(receiver.executions).toHaveLength(2);
		expect(staticData['node:Trigger']).toMatchObject({ secret, clockLeadSeconds: 130 });
	});

	it('is kept apart from the record of the webhook, which is made anew without it', async () => {
		const { receiver, secret, staticData } = await publish();
		expect(await postAhead(receiver, secret, 60, 'evt_1')).toBe(503);
		await engine.hook('delete', receiver.built);
		expect(staticData['node:Trigger']).toEqual({ clockLeadSeconds: 60 });
	});
});

describe('a delivery', () => {
	it('becomes the item of an execution', async () => {
		const { receiver } = await publish();
		const event = gateway.write('Hello');
		await gateway.drained();

		const [run] = await receiver.runs();
		expect(run.status).toBe('success');
		expect(receiver.executions).toEqual([[{ json: expect.objectContaining(event) }]]);
		expect(gateway.deliveries.map(({ status }) => status)).toEqual([200]);
	});

	it('is refused without a trace if one byte of it was changed', async () => {
		const { receiver, secret } = await publish();
		const event = makeEvent();
		const body = Buffer.from(JSON.stringify(event));
		const signed = gateway.sign(body, secret, { id: event.id });
		body[body.length - 5] ^= 1;

		const response = await fetch(receiver.url, {
			method: 'POST',
			body: new Uint8Array(body),
			headers: signed,
		});
		expect([response.status, await response.json()]).toEqual([401, { error: 'Unauthorized' }]);
		expect(receiver.executions).toEqual([]);

		expect(await post(receiver.url, event, secret)).toBe(200);
		expect(receiver.executions).toHaveLength(1);
	});

	it('is verified also when its content type says nothing', async () => {
		const { receiver, secret } = await publish();
		const headers = { 'content-type': 'application/octet-stream' };

		expect(await post(receiver.url, makeEvent(), secret, headers)).toBe(200);
		expect(receiver.executions).toHaveLength(1);
	});

	it.each(['a/b+c==', 'someone@example.com|7', 'evt 1, part {2}', '"<script>\\', '~'.repeat(256)])(
		'may have the id %s, and is known by it when it comes again',
		async (id) => {
			const { receiver, secret } = await publish();
			const event = makeEvent({ id });
			expect(await post(receiver.url, event, secret)).toBe(200);
			expect(await post(receiver.url, event, secret)).toBe(200);

			expect(receiver.executions).toEqual([[{ json: expect.objectContaining(event) }]]);
		},
	);

	it('is answered 200 and starts nothing if nobody asked for its type', async () => {
		const { receiver, secret } = await publish();

		expect(await post(receiver.url, makeEvent({ type: 'MESSAGE.SENT' }), secret)).toBe(200);
		expect(receiver.executions).toEqual([]);
	});

	it('is refused when no secret is held', async () => {
		const { receiver, secret, staticData } = await publish();
		await forgetAsBetweenStarts(receiver.built);
		delete staticData['node:Trigger'];

		beAfterStart(1_000);
		// A process that has just begun may be about to look after the webhook, and find out.
		expect(await post(receiver.url, makeEvent(), secret)).toBe(503);
		beAfterStart(120_000);
		expect(await post(receiver.url, makeEvent(), secret)).toBe(401);
		expect(receiver.executions).toEqual([]);
	});

	it('is asked for again when somebody has written over the secret, which is put back', async () => {
		const { receiver, secret, staticData } = await publish();
		const record = { ...(staticData['node:Trigger'] as IDataObject) };
		const old = { webhookId: 'wh_old', secret: `whsec_${Buffer.alloc(32).toString('base64')}` };
		Object.assign(staticData['node:Trigger'] as IDataObject, old);
		const event = makeEvent();

		expect(await post(receiver.url, makeEvent(), old.secret)).toBe(401);
		expect(await post(receiver.url, event, secret)).toBe(503);
		expect(staticData['node:Trigger']).toEqual(record);
		expect(receiver.executions).toEqual([]);
		expect(await post(receiver.url, event, secret)).toBe(200);
		expect(receiver.executions).toHaveLength(1);
	});

	it('of a deleted webhook is refused even if somebody puts its record back', async () => {
		const { receiver, secret, staticData } = await publish();
		const record = { ...(staticData['node:Trigger'] as IDataObject) };
		await engine.hook('delete', receiver.built);
		staticData['node:Trigger'] = record;

		expect(await post(receiver.url, makeEvent(), secret)).toBe(401);
		expect(receiver.executions).toEqual([]);
	});

	it('is judged at the start of n8n by what static data holds, and from the first answer of the gateway by that', async () => {
		const { receiver, secret, staticData } = await publish();
		await forgetAsBetweenStarts(receiver.built);
		const old = `whsec_${Buffer.alloc(32).toString('base64')}`;
		Object.assign(staticData['node:Trigger'] as IDataObject, { webhookId: 'wh_old', secret: old });
		expect(await post(receiver.url, makeEvent(), old)).toBe(200);
		expect(await post(receiver.url, makeEvent(), secret)).toBe(503);

		await lookAtStart(receiver);
		expect(await post(receiver.url, makeEvent(), old)).toBe(401);
		expect(await post(receiver.url, makeEvent(), secret)).toBe(401);
		const [{ secret: newest }] = gateway.webhooks();
		expect(newest).not.toBe(secret);
		expect(await post(receiver.url, makeEvent(), newest)).toBe(200);
		await receiver.runs();
		expect(receiver.executions).toHaveLength(2);
	});

	it('is not refused at the start of n8n before anybody has looked whether static data is up to date', async () => {
		const { receiver, secret, staticData } = await publish();
		await forgetAsBetweenStarts(receiver.built);
		// As an execution that began before a publication leaves it behind, if it is the last to end before n8n does.
		const old = `whsec_${Buffer.alloc(32).toString('base64')}`;
		Object.assign(staticData['node:Trigger'] as IDataObject, { webhookId: 'wh_old', secret: old });
		const genuine = post(receiver.url, makeEvent(), secret);
		await waitFor('the delivery to arrive', () => receiver.answers.length === 1);

		expect(await engine.hook('checkExists', receiver.built, { activation: 'init' })).toBe(false);
		await engine.hook('create', receiver.built, { activation: 'init' });
		expect(await genuine).toBe(503);
	});

	it('is not refused at the start of n8n while the webhook is made anew, however long that takes', async () => {
		const { receiver, secret, staticData } = await publish();
		await forgetAsBetweenStarts(receiver.built);
		const old = `whsec_${Buffer.alloc(32).toString('base64')}`;
		const overwritten = { webhookId: 'wh_old', secret: old, events: ['MESSAGE.SENT'] };
		Object.assign(staticData['node:Trigger'] as IDataObject, overwritten);
		let goOn = () => {};
		const until = async () => await new Promise<void>((resolve) => (goOn = resolve));
		gateway.faults.add({ match: { method: 'GET' }, fault: { kind: 'slow', until } });
		const early = await post(receiver.url, makeEvent(), secret);
		const looking = lookAtStart(receiver);
		const late = await post(receiver.url, makeEvent(), secret);
		goOn();
		await looking;

		expect([early, late]).toEqual([503, 503]);
		expect(receiver.executions).toEqual([]);
		const [{ secret: newest }] = gateway.webhooks();
		expect(await post(receiver.url, makeEvent(), newest)).toBe(200);
		expect(await post(receiver.url, makeEvent(), old)).toBe(401);
	});
});

describe('a repeated delivery', () => {
	it('starts one execution, however often and however close together it comes', async () => {
		const { receiver, secret } = await publish();
		const event = makeEvent();
		const statuses = await Promise.all(
			Array.from({ length: 20 }, async () => await post(receiver.url, event, secret)),
		);

		expect(statuses).toEqual(Array(20).fill(200));
		expect(await post(receiver.url, event, secret)).toBe(200);
		expect(receiver.executions).toHaveLength(1);
	});

	it('is processed if the first one could not be started', async () => {
		let broken = true;
		const beforeStart = async () => {
			if (broken) throw new Error('database is locked');
		};
		const { receiver, secret } = await publish({}, { beforeStart });
		const event = makeEvent();
		expect(await post(receiver.url, event, secret)).toBe(500);

		broken = false;
		expect(await post(receiver.url, event, secret)).toBe(200);
		expect(receiver.executions).toHaveLength(1);
	});

	it('is processed if the trigger itself could not process the first one', async () => {
		const options: Record<string, number> = {};
		const { receiver, secret } = await publish({ options });
		const event = makeEvent();
		// What nobody can choose in the editor, an expression can give.
		options.maxPerExecution = 0;
		expect(await post(receiver.url, event, secret)).toBe(503);
		expect(receiver.executions).toEqual([]);

		delete options.maxPerExecution;
		expect(await post(receiver.url, event, secret)).toBe(200);
		expect(receiver.executions).toHaveLength(1);
	});

	it('is not processed again if the sender hung up before n8n had answered', async () => {
		const { beforeStart, letGo } = holdStarts();
		const { receiver, secret } = await publish({}, { beforeStart });
		const event = makeEvent();
		const signed = gateway.sign(event, secret);
		const abort = new AbortController();
		const body = JSON.stringify(event);
		const first = fetch(receiver.url, {
			method: 'POST',
			body,
			headers: signed,
			signal: abort.signal,
		});
		await arrived(receiver, 1);
		abort.abort();
		await expect(first).rejects.toThrow();
		await waitFor('n8n to see that nobody waits', () => receiver.answers[0].destroyed);

		const second = post(receiver.url, event, secret);
		await arrived(receiver, 2);
		await letGo();
		expect(await second).toBe(200);
		expect(receiver.executions).toHaveLength(1);
	});

	it('at the test URL does not touch production', async () => {
		const production = await publish();
		const test = await publish({}, { test: true });
		const event = makeEvent();

		expect(await post(test.receiver.url, event, test.secret)).toBe(200);
		expect(await post(production.receiver.url, event, production.secret)).toBe(200);
		expect(production.receiver.executions).toHaveLength(1);
	});
});

describe('what the user chose', () => {
	const data = (change: IDataObject) => makeEvent({ data: { ...makeEvent().data, ...change } });
	const group = () => data({ chat: { id: '120@g.us', type: 'GROUP' } });
	const reply = () => data({ quotedMessageId: 'm0' });
	const image = () => data({ messageType: 'IMAGE' });

	it.each<[string, Record<string, NodeParameterValueType>, string[]]>([
		['instances', { instanceIds: ['inst_2'] }, []],
		[
			'instances as a text',
			{ instanceIds: 'inst_1, inst_2' },
			['plain', 'group', 'reply', 'image'],
		],
		['types of chats', { options: { chatTypes: ['group'] } }, ['group']],
		[
			'message types, however they are written',
			{ options: { messageTypes: 'image , audio' } },
			['image'],
		],
		['only replies', { options: { onlyQuotedReplies: true } }, ['reply']],
		[
			'custom events',
			{ events: '={{ [] }}', options: { customEvents: 'MESSAGE.EDITED' } },
			['edited'],
		],
	])('%s: the rest is answered 200 and starts nothing', async (_what, parameters, expected) => {
		const { receiver, secret } = await publish(parameters);
		const events = {
			plain: makeEvent(),
			group: group(),
			reply: reply(),
			image: image(),
			edited: makeEvent({ type: 'MESSAGE.EDITED' }),
		};
		for (const event of Object.values(events))
			expect(await post(receiver.url, event, secret)).toBe(200);

		const started = receiver.executions.map(([{ json }]) => json.id);
		expect(started).toEqual(expected.map((name) => events[name as keyof typeof events].id));
	});

	it('nobody, and not everybody, when the expression of Only From gives nothing any more', async () => {
		const options = { senders: '={{ "+5511987654321" }}' };
		const { receiver, secret } = await publish({ options });
		expect(await post(receiver.url, makeEvent(), secret)).toBe(200);
		options.senders = '={{ undefined }}';
		expect(await post(receiver.url, makeEvent(), secret)).toBe(503);
		expect(receiver.executions).toHaveLength(1);
	});

	it('a status that only moves forward', async () => {
		const { receiver, secret } = await publish({
			events: ['MESSAGE.STATUS_UPDATED'],
			options: { ignoreOutdatedStatuses: true },
		});
		const status = (value: string, ...messageIds: string[]) =>
			makeEvent({ type: 'MESSAGE.STATUS_UPDATED', data: { status: value, messageIds } });
		for (const event of [
			status('DELIVERED', 'a'),
			status('SENT', 'a'),
			status('READ', 'a'),
			status('DELIVERED', 'a', 'b'),
			status('READ', 'a'),
		]) {
			expect(await post(receiver.url, event, secret)).toBe(200);
		}

		const seen = receiver.executions.map(([{ json }]) => json.data);
		expect(seen).toEqual([
			{ status: 'DELIVERED', messageIds: ['a'] },
			{ status: 'READ', messageIds: ['a'] },
			{ status: 'DELIVERED', messageIds: ['b'] },
		]);
	});

	it.each([
		['as nothing else was chosen', undefined],
		['as chosen', 'simplified'],
	])('the simplified output, %s', async (_why, output) => {
		const { receiver, secret } = await publish({ output });
		await post(receiver.url, makeEvent(), secret);

		expect(receiver.executions[0][0].json).toMatchObject({
			text: 'Hello',
			chatInput: 'Hello',
			sessionId: 'inst_1:5511987654321@s',
		});
	});
});

describe('a delivery that was sent before this process began, which another may have received', () => {
	it('is asked for once more, and taken when the gateway has stamped it anew', async () => {
		const { receiver, secret } = await publish();
		const event = makeEvent();
		const now = Math.floor(Date.now() / 1000);
		const stamped = (timestamp: number) => gateway.sign(event, secret, { timestamp });
		const recorded = stamped(now - 240);
		expect(await post(receiver.url, event, secret, recorded)).toBe(503);
		expect(await post(receiver.url, event, secret, recorded)).toBe(503);
		expect(receiver.executions).toEqual([]);

		expect(await post(receiver.url, event, secret, stamped(now - 235))).toBe(200);
		await receiver.runs();
		expect(receiver.executions.flat().map(({ json }) => json.id)).toEqual([event.id]);
	});
});

describe('an answer', () => {
	afterEach(() => jest.useRealTimers());

	it('never comes later than 10 seconds to those who wait for somebody else’s start, and nothing runs twice', async () => {
		const { beforeStart, letGo } = holdStarts();
		const { receiver, secret } = await publish(
			{ options: { maxPerExecution: 10 } },
			{ beforeStart },
		);
		const [leading, riding] = [makeEvent(), makeEvent()];
		// Only what our code waits with and reads the time from: connections need the rest.
		jest.useFakeTimers({
			now: Date.now(),
			doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'],
		});
		const first = post(receiver.url, leading, secret);
		await arrived(receiver, 1);
		const waiting = [post(receiver.url, riding, secret), post(receiver.url, leading, secret)];
		await arrived(receiver, 3);
		await jest.advanceTimersByTimeAsync(9_900);

		expect(await Promise.all(waiting)).toEqual([503, 503]);
		jest.useRealTimers();
		await letGo();
		expect(await first).toBe(200);
		expect(await post(receiver.url, leading, secret)).toBe(200);
		const repeated = post(receiver.url, riding, secret);
		await letGo();
		expect(await repeated).toBe(200);
		expect(receiver.executions.flat().map(({ json }) => json.id)).toEqual([leading.id, riding.id]);
	});
});

describe('group commit', () => {
	it('lets what arrives during a start ride together in the next one, ordered by timestamp', async () => {
		const { beforeStart, letGo } = holdStarts();
		const { receiver, secret } = await publish(
			{ options: { maxPerExecution: 100 } },
			{ beforeStart },
		);
		const events = [5, 3, 4, 1, 2].map((second) =>
			makeEvent({ timestamp: new Date(second * 1000).toISOString() }),
		);
		const answers: Array<Promise<number>> = [];
		for (const event of events) {
			answers.push(post(receiver.url, event, secret));
			await arrived(receiver, answers.length);
		}
		await letGo();
		await letGo();

		expect(await Promise.all(answers)).toEqual(Array(5).fill(200));
		expect(receiver.executions.map((items) => items.map(({ json }) => json.id))).toEqual([
			[events[0].id],
			[events[3].id, events[4].id, events[1].id, events[2].id],
		]);
	});

	it('answers every rider 503 if their start failed, and takes them on the next try', async () => {
		const events = Array.from({ length: 6 }, () => makeEvent());
		let starts = 0;
		const beforeStart = async () => {
			starts += 1;
			if (starts === 1) await arrived(receiver, events.length);
			if (starts === 2) throw new Error('database is locked');
		};
		const { receiver, secret } = await publish(
			{ options: { maxPerExecution: 100 } },
			{ beforeStart },
		);
		const deliver = async () =>
			await Promise.all(events.map(async (event) => await post(receiver.url, event, secret)));

		const first = await deliver();
		expect(first.filter((status) => status === 200)).toHaveLength(1);
		expect(first.filter((status) => status >= 500)).toHaveLength(5);
		expect(await deliver()).toEqual(Array(6).fill(200));
		const ids = receiver.executions.flat().map(({ json }) => json.id);
		expect([...ids].sort()).toEqual(events.map(({ id }) => id).sort());
	});
});
