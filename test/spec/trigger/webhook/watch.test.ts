import { randomUUID } from 'node:crypto';
import { waitFor } from '../../../../host/waiting';
import { execute, type BuiltWorkflow } from '../../../support/engine';
import { engine, gateway } from '../../../support/engineAndGateway';
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
	sleeps,
	switchOn,
} from '../../../support/watching';

const START = { activation: 'init' as const };
const RECREATED = { message: expect.stringMatching(/has recreated its webhook/) };

let aheadMs = 0;

beforeEach(() => {
	aheadMs = 0;
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
});

it('checks a minute after the publication, then every hour, and changes nothing while all is well', async () => {
	const { trigger } = await publish();
	const before = gateway.webhooks();
	await passAndFinish(1 * MINUTES);
	await passAndFinish(60 * MINUTES);
	await pass(60 * MINUTES);
	expect(gateway.webhooks()).toEqual(before);
	expect(trigger.failures).toEqual([]);
});

it.each<[string, (id: string) => void]>([
	['was deleted', (id) => void gateway.deleteWebhook(id)],
	['has other events', (id) => changeRemote(id, { events: ['QRCODE.UPDATED'] })],
	['has another URL', (id) => changeRemote(id, { url: 'https://somebody.example.com/hook' })],
	[
		'has a second one beside it',
		(id) =>
			void gateway.createWebhook({
				url: gateway.webhooks().find((each) => each.id === id)?.url ?? '',
				events: ['MESSAGE.RECEIVED'],
			}),
	],
])(
	'recreates a webhook that %s, says so, and saves the secret with the next delivery',
	async (_what, spoil) => {
		const published = await publish();
		const [{ id }] = gateway.webhooks();
		spoil(id);
		gateway.requests.length = 0;
		await passAndFinish(1 * MINUTES);

		expect(gateway.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
		expect(published.trigger.failures).toMatchObject([RECREATED]);
		expect(gateway.webhooks()).toHaveLength(1);
		expect(gateway.webhooks()[0].id).not.toBe(id);
		expect(await deliverOnce(published)).toBe(503);
		expect(recordOf(published).webhookId).toBe(gateway.webhooks()[0].id);
		expect(await deliverOnce(published)).toBe(200);
		await passAndFinish(5 * MINUTES);
		expect(published.trigger.failures).toHaveLength(1);
	},
);

it('checks a webhook that n8n has created without asking whether it exists', async () => {
	const built = engine.build({
		nodes: [{ type: 'messagingGatewayTrigger', name: 'Trigger', webhookId: 'hook' }],
		credentials: credentials(),
	});
	await engine.hook('create', built);
	const trigger = await engine.trigger(built);
	open.push(trigger);
	changeRemote(gateway.webhooks()[0].id, { events: [] });
	await passAndFinish(1 * MINUTES);
	expect(trigger.failures).toMatchObject([RECREATED]);
});

it('checks once a time if n8n has begun twice without an end', async () => {
	const { built } = await publish();
	open.push(await engine.trigger(built));
	gateway.requests.length = 0;
	for (let sleeping = 0; sleeping < 2; sleeping++) await pass(1 * MINUTES);
	await waitFor('the trigger to sleep again', () => sleeps.length > 0);
	expect(gateway.requests).toHaveLength(1);
});

it('goes on with its checks when the editor has listened for a test event', async () => {
	const { built, trigger } = await publish();
	const test = engine.build({
		id: built.workflow.id,
		nodes: [{ type: 'messagingGatewayTrigger', name: 'Trigger', webhookId: 'hook' }],
		credentials: credentials(),
	});
	await engine.hook('create', test, { test: true });
	await engine.hook('delete', test, { test: true });
	gateway.deleteWebhook(gateway.webhooks()[0].id);
	await passAndFinish(1 * MINUTES);
	expect(trigger.failures).toMatchObject([RECREATED]);
});

it('raises one alarm about a conversation beyond its limit', async () => {
	const published = await publish({
		options: { maxStartsPerConversation: { values: { maxStarts: 1, minutes: 10 } } },
	});
	for (let event = 0; event < 4; event++) expect(await deliverOnce(published)).toBe(200);
	expect(published.trigger.failures).toMatchObject([
		{ message: expect.stringMatching(/^The chat 5511987654321 has reached/) },
	]);
});

it('recreates a webhook once a day, and raises one alarm if it is wrong again', async () => {
	const { trigger } = await publish();
	const spoil = () => gateway.webhooks().forEach(({ id }) => changeRemote(id, { events: [] }));
	spoil();
	await passAndFinish(1 * MINUTES);
	spoil();
	await passAndFinish(5 * MINUTES);
	const alarms = [RECREATED, { message: expect.stringMatching(/missing or changed again/) }];
	expect(trigger.failures).toMatchObject(alarms);
	await passAndFinish(5 * MINUTES);
	expect(trigger.failures).toHaveLength(2);
	expect(gateway.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);

	aheadMs += 24 * 60 * MINUTES;
	await passAndFinish(5 * MINUTES);
	expect(gateway.webhooks()).toMatchObject([{ events: ['MESSAGE.RECEIVED'] }]);
});

it('recreates a merely disabled webhook at each check, and says so once', async () => {
	const { trigger } = await publish();
	for (let checks = 0; checks < 3; checks++) {
		gateway.webhooks().forEach(({ id }) => changeRemote(id, { enabled: false }));
		await passAndFinish(checks === 0 ? 1 * MINUTES : 5 * MINUTES);
		expect(gateway.webhooks()).toMatchObject([{ enabled: true }]);
	}
	expect(trigger.failures).toMatchObject([{ message: expect.stringMatching(/had disabled/) }]);
});

it('raises one alarm when two checks in a row fail, and another after all was well', async () => {
	const { trigger } = await publish();
	const down = () => gateway.faults.add({ times: 'always', fault: 'cutBefore' });
	down();
	await passAndFinish(1 * MINUTES);
	expect(trigger.failures).toEqual([]);
	for (let checks = 0; checks < 3; checks++) await passAndFinish(5 * MINUTES);
	expect(trigger.failures).toMatchObject([
		{ message: expect.stringMatching(/^The trigger cannot check its webhook/) },
	]);

	gateway.faults.clear();
	await passAndFinish(5 * MINUTES);
	down();
	await passAndFinish(60 * MINUTES);
	await passAndFinish(5 * MINUTES);
	expect(trigger.failures).toHaveLength(2);
});

it.each([
	[-200, 1],
	[-170, 0],
	[170, 0],
	[200, 1],
])('measures clocks that are %i seconds apart: %i alarms', async (seconds, alarms) => {
	const { trigger } = await publish();
	gateway.setClock(seconds);
	await passAndFinish(1 * MINUTES);
	await passAndFinish(alarms > 0 ? 5 * MINUTES : 60 * MINUTES);
	expect(trigger.failures.map(({ message }) => message)).toEqual(
		Array.from(
			{ length: alarms },
			() => 'The clocks of n8n and of the gateway are 3 minutes apart',
		),
	);
});

it('recreates a webhook that is gone also while the clocks are apart', async () => {
	const { trigger } = await publish();
	gateway.setClock(200);
	await passAndFinish(1 * MINUTES);
	gateway.deleteWebhook(gateway.webhooks()[0].id);
	await passAndFinish(5 * MINUTES);
	expect(trigger.failures.at(-1)?.message).toMatch(/created its webhook/);
	expect(gateway.webhooks()).toHaveLength(1);
});

it.each<[string, Array<'delete'>]>([
	['the workflow is unpublished', ['delete']],
	['n8n switches the trigger off', []],
])('leaves at most one webhook behind if %s while it recreates one', async (_when, hooks) => {
	const published = await publish();
	gateway.deleteWebhook(gateway.webhooks()[0].id);
	gateway.faults.add({ match: { method: 'POST' }, fault: { kind: 'slow', delayMs: 300 } });
	await pass(1 * MINUTES);
	await waitFor('the creation to be asked', () =>
		gateway.requests.find(({ method, status }) => method === 'POST' && status === 0),
	);
	await Promise.all([
		...hooks.map(async (hook) => await engine.hook(hook, published.built)),
		published.trigger.close(),
	]);
	await waitFor('the end', () => gateway.requests.every(({ status }) => status !== 0));
	expect(gateway.webhooks()).toHaveLength(1 - hooks.length);
});

it('creates what could not be created at the start of n8n', async () => {
	const { built, trigger, url } = await publish();
	await trigger.close();
	gateway.deleteWebhook(gateway.webhooks()[0].id);
	delete built.staticData['node:Trigger'];
	gateway.faults.add({ times: 'always', fault: 'cutBefore' });
	expect(await engine.hook('checkExists', built, START)).toBe(false);
	expect(await engine.hook('create', built, START)).toBe(true);
	sleeps.length = 0;
	open.push(await engine.trigger(built, START));
	gateway.faults.clear();
	await passAndFinish(1 * MINUTES);

	const published = { built, trigger, url: gateway.webhooks()[0].url ?? url };
	expect(await deliverOnce(published)).toBe(503);
	expect(await deliverOnce(published)).toBe(200);
});

/** Starts n8n while the gateway has no webhook of the trigger, and lets the first check end. */
async function startWithoutWebhook(built: BuiltWorkflow) {
	expect(await engine.hook('checkExists', built, START)).toBe(false);
	expect(await engine.hook('create', built, START)).toBe(true);
	sleeps.length = 0;
	const started = await engine.trigger(built, START);
	open.push(started);
	await passAndFinish(1 * MINUTES);
	return started;
}

it('says once, a minute after a start, that the start has recreated a webhook that was gone', async () => {
	const { built, trigger } = await publish();
	await trigger.close();
	gateway.deleteWebhook(gateway.webhooks()[0].id);
	const started = await startWithoutWebhook(built);
	await passAndFinish(5 * MINUTES);
	expect(started.failures).toMatchObject([RECREATED]);
});

it('says nothing if a start has created the first webhook', async () => {
	const { built, trigger } = await publish();
	await trigger.close();
	await engine.hook('delete', built);
	const started = await startWithoutWebhook(built);
	expect(started.failures).toEqual([]);
});

it('keeps the webhook at a start at which the gateway cannot be reached', async () => {
	const published = await publish();
	const [{ id }] = gateway.webhooks();
	await published.trigger.close();
	gateway.faults.add({ times: 'always', fault: 'cutBefore' });
	await switchOnAtStart(published.built);
	gateway.faults.clear();
	expect(await deliverOnce(published)).toBe(200);
	await passAndFinish(1 * MINUTES);
	expect(gateway.webhooks().map((webhook) => webhook.id)).toEqual([id]);
});

async function switchOnAtStart(built: Parameters<typeof switchOn>[0]): Promise<void> {
	sleeps.length = 0;
	expect(await engine.hook('checkExists', built, START)).toBe(true);
	open.push(await engine.trigger(built, START));
}

it('refuses the Retry of an alarm, which has no event, and no other Retry', async () => {
	const built = engine.build({
		id: randomUUID(),
		nodes: [{ type: 'messagingGatewayTrigger', name: 'Trigger' }],
		credentials: credentials(),
	});
	const retry = async (json: object) => {
		const { data } = await execute(built, built.node(), [{ json: { ...json } }], 'retry');
		return data.resultData.error?.message;
	};
	expect(await retry({})).toMatch(/no event here that could run again/);
	expect(await retry({ text: 'Hello' })).toBeUndefined();
});

it('does nothing with manual webhook setup, and nothing while the editor listens', async () => {
	const build = (parameters: Record<string, string>) =>
		engine.build({
			id: randomUUID(),
			nodes: [{ type: 'messagingGatewayTrigger', name: 'Trigger', parameters }],
			credentials: credentials(),
		});
	open.push(await engine.trigger(build({ webhookSetup: 'manual' })));
	open.push(await engine.trigger(build({}), { mode: 'manual', activation: 'manual' }));
	expect(sleeps).toEqual([]);
	expect(gateway.requests).toEqual([]);
});
