import { randomUUID } from 'node:crypto';
import { waitFor } from '../../../../host/waiting';
import { execute } from '../../../support/engine';
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
} from '../../../support/watching';

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
