import { randomUUID } from 'node:crypto';
import { execute, type TestNode } from '../../../support/engine';
import { engine, gateway } from '../../../support/engineAndGateway';
import { credentialsOf } from '../../../support/runOperation';
import {
	changeRemote,
	deliverOnce,
	MINUTES,
	open,
	pass,
	publish,
	recordOf,
} from '../../../support/watching';

const build = (node: Partial<TestNode> = {}, id: string = randomUUID()) =>
	engine.build({
		id,
		nodes: [{ type: 'messagingGatewayTrigger', webhookId: 'hook', ...node }],
		credentials: credentialsOf(gateway),
	});

const RECREATED = { message: expect.stringMatching(/has recreated its webhook/) };

it('checks a minute after the publication, then every hour, and changes nothing while all is well', async () => {
	const { trigger } = await publish();
	const before = gateway.webhooks();
	gateway.requests.length = 0;
	const checks: number[] = [];
	for (const minutes of [0.9, 0.1, 59, 1, 60]) {
		await pass(minutes * MINUTES);
		checks.push(gateway.requests.length);
	}
	expect(checks).toEqual([0, 1, 1, 2, 3]);
	expect(gateway.webhooks()).toEqual(before);
	expect(trigger.failures).toEqual([]);
});

it('recreates a webhook that was deleted, says so, and saves the secret with the next delivery', async () => {
	const published = await publish();
	const [{ id }] = gateway.webhooks();
	gateway.deleteWebhook(id);
	gateway.requests.length = 0;
	await pass(1 * MINUTES);

	expect(gateway.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
	expect(published.trigger.failures).toMatchObject([RECREATED]);
	expect(await deliverOnce(published)).toBe(503);
	expect(recordOf(published).webhookId).toBe(gateway.webhooks()[0].id);
	expect(await deliverOnce(published)).toBe(200);
	await pass(5 * MINUTES);
	expect(published.trigger.failures).toHaveLength(1);
});

it('checks a webhook that n8n has created without asking whether it exists', async () => {
	const built = build({ parameters: { events: ['MESSAGE.RECEIVED', 'MESSAGE.SENT'] } });
	await engine.hook('create', built);
	const trigger = await engine.trigger(built);
	open.push(trigger);
	changeRemote(gateway.webhooks()[0].id, { events: ['MESSAGE.RECEIVED'] });
	await pass(1 * MINUTES);
	expect(trigger.failures).toMatchObject([RECREATED]);
});

it('says nothing of a webhook that the first start of n8n creates', async () => {
	const built = build();
	await engine.publish(built, { activation: 'init' });
	const trigger = await engine.trigger(built, { activation: 'init' });
	open.push(trigger);
	await pass(1 * MINUTES);
	expect(trigger.failures).toEqual([]);
});

it('checks once a time if n8n has begun twice without an end', async () => {
	const { built } = await publish();
	open.push(await engine.trigger(built));
	gateway.requests.length = 0;
	await pass(1 * MINUTES);
	expect(gateway.requests).toHaveLength(1);
});

it('goes on with its checks when the editor has listened for a test event', async () => {
	const { built, trigger } = await publish();
	const test = build({ name: 'Trigger' }, built.workflow.id);
	await engine.hook('create', test, { test: true });
	await engine.hook('delete', test, { test: true });
	gateway.deleteWebhook(gateway.webhooks()[0].id);
	await pass(1 * MINUTES);
	expect(trigger.failures).toMatchObject([RECREATED]);
});

it('recreates a webhook once a day, and raises one alarm if it is wrong again', async () => {
	const { trigger } = await publish();
	const spoil = () => gateway.webhooks().forEach(({ id }) => changeRemote(id, { events: [] }));
	spoil();
	await pass(1 * MINUTES);
	spoil();
	await pass(5 * MINUTES);
	const alarms = [RECREATED, { message: expect.stringMatching(/missing or changed again/) }];
	expect(trigger.failures).toMatchObject(alarms);
	await pass(23 * 60 * MINUTES);
	expect(trigger.failures).toHaveLength(2);
	expect(gateway.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);

	await pass(60 * MINUTES);
	expect(gateway.webhooks()).toMatchObject([{ events: ['MESSAGE.RECEIVED'] }]);
});

it('recreates at the next check what the gateway has failed to create', async () => {
	const { trigger } = await publish();
	gateway.deleteWebhook(gateway.webhooks()[0].id);
	gateway.faults.add({ match: { method: 'POST' }, fault: { status: 503 } });
	await pass(1 * MINUTES);
	await pass(5 * MINUTES);
	expect(gateway.webhooks()).toHaveLength(1);
	expect(trigger.failures).toMatchObject([RECREATED]);
});

it('recreates a merely disabled webhook at each check, says so once, and still a deleted one', async () => {
	const { trigger } = await publish();
	for (let checks = 0; checks < 3; checks++) {
		gateway.webhooks().forEach(({ id }) => changeRemote(id, { enabled: false }));
		await pass(checks === 0 ? 1 * MINUTES : 60 * MINUTES);
		expect(gateway.webhooks()).toMatchObject([{ enabled: true }]);
		await pass(5 * MINUTES);
	}
	gateway.deleteWebhook(gateway.webhooks()[0].id);
	await pass(60 * MINUTES);
	const disabled = { message: expect.stringMatching(/had disabled/) };
	expect(trigger.failures).toMatchObject([disabled, RECREATED]);
});

it('raises one alarm when two checks in a row fail, and another after all was well', async () => {
	const { trigger } = await publish();
	const down = () => gateway.faults.add({ times: 'always', fault: 'cutBefore' });
	down();
	await pass(1 * MINUTES);
	expect(trigger.failures).toEqual([]);
	for (let checks = 0; checks < 3; checks++) await pass(5 * MINUTES);
	expect(trigger.failures).toMatchObject([
		{
			message: expect.stringMatching(/^The trigger cannot check its webhook/),
			description: expect.stringMatching(/^GET .* broke\..*events may not arrive\.$/),
		},
	]);

	gateway.faults.clear();
	await pass(5 * MINUTES);
	down();
	await pass(60 * MINUTES);
	expect(trigger.failures).toHaveLength(1);
	await pass(5 * MINUTES);
	expect(trigger.failures).toHaveLength(2);
});

it('raises one alarm a day when a chat has reached its limit', async () => {
	const maxStartsPerConversation = { values: { maxStarts: 1, minutes: 10 } };
	const published = await publish({ options: { maxStartsPerConversation } });
	const alarms = [];
	for (const hours of [0, 23, 2]) {
		await pass(hours * 60 * MINUTES);
		for (let times = 0; times < 3; times++) expect(await deliverOnce(published)).toBe(200);
		alarms.push(published.trigger.failures.length);
	}
	expect(alarms).toEqual([1, 1, 2]);
	const { message } = published.trigger.failures[0];
	expect(message).toMatch(/^The chat \S+ has reached 'Max Starts per Conversation'$/);
	expect(published.receiver.executions).toHaveLength(3);
});

it.each([
	[-200, ['behind']],
	[-170, []],
	[170, []],
	[200, ['ahead']],
])('measures clocks that are %i seconds apart, and says so: %j', async (seconds, alarms) => {
	const { trigger } = await publish();
	gateway.setClock(seconds);
	await pass(1 * MINUTES);
	await pass(alarms.length > 0 ? 5 * MINUTES : 60 * MINUTES);
	expect(trigger.failures).toMatchObject(
		alarms.map((where) => ({
			message: 'The clocks of n8n and of the gateway are 3 minutes apart',
			description: expect.stringContaining(`clock is ${where}.`),
		})),
	);
});

it('recreates a webhook that is gone also while the clocks are apart', async () => {
	const { trigger } = await publish();
	gateway.setClock(200);
	await pass(1 * MINUTES);
	gateway.deleteWebhook(gateway.webhooks()[0].id);
	await pass(5 * MINUTES);
	expect(trigger.failures.at(-1)?.message).toMatch(/created its webhook/);
	expect(gateway.webhooks()).toHaveLength(1);
});

it.each<[string, Array<'delete'>]>([
	['the workflow is unpublished', ['delete']],
	['n8n switches the trigger off', []],
])('leaves at most one webhook behind if %s while it recreates one', async (_when, hooks) => {
	const { built, trigger } = await publish();
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
	await pass(1 * MINUTES);
	await ended;
	expect(gateway.requests.every(({ status }) => status !== 0)).toBe(true);
	expect(gateway.webhooks()).toHaveLength(1 - hooks.length);
	expect(trigger.failures).toEqual([]);
});

it('creates none after the deletion, if a check comes meanwhile', async () => {
	const { built } = await publish();
	let passed: Promise<void> | undefined;
	const until = async () => {
		passed = pass(1 * MINUTES);
		await Promise.resolve();
	};
	gateway.faults.add({ match: { method: 'DELETE' }, fault: { kind: 'slow', until } });
	await engine.hook('delete', built);
	await passed;
	expect(gateway.webhooks()).toEqual([]);
});

it('says that n8n does not serve the URL of a trigger, if it has come by the command line', async () => {
	const built = build({ name: 'Message Received', webhookId: undefined });
	expect(await engine.hook('checkExists', built, { activation: 'init' })).toBe(true);
	const trigger = await engine.trigger(built, { activation: 'init' });
	open.push(trigger);
	await pass(1 * MINUTES);
	await pass(5 * MINUTES);
	expect(trigger.failures).toMatchObject([{ message: expect.stringMatching(/does not serve/) }]);
	expect(gateway.webhooks()).toEqual([]);
});

it('refuses the Retry of an alarm, which has no event, and no other Retry', async () => {
	const built = build();
	const retry = async (json: object) => {
		const { data } = await execute(built, built.node(), [{ json: { ...json } }], 'retry');
		return data.resultData.error?.message;
	};
	expect(await retry({})).toMatch(/no event here that could run again/);
	expect(await retry({ text: 'Hello' })).toBeUndefined();
});

it('does nothing with manual webhook setup, and nothing while the editor listens', async () => {
	open.push(await engine.trigger(build({ parameters: { webhookSetup: 'manual' } })));
	open.push(await engine.trigger(build(), { mode: 'manual', activation: 'manual' }));
	await pass(60 * MINUTES);
	expect(gateway.requests).toEqual([]);
});
