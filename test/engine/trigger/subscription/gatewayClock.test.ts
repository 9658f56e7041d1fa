import { randomUUID } from 'node:crypto';
import { TriggerContext, WebhookContext } from 'n8n-core';
import { waitFor } from '../../../../host/waiting';
import { engine, gateway } from '../../stage';
import { deliverOnce, MINUTES, open, passAndFinish, publish, SECONDS } from '../../watching';

// More than five minutes between the clocks of n8n and of the gateway, and every delivery is refused (API document,
// "Webhook delivery signing", rule 4), though the self-test arrives: n8n signs and judges it by one and the same clock.

const warn = jest.fn();
const info = jest.fn();

beforeEach(() => {
	warn.mockClear();
	info.mockClear();
	for (const context of [TriggerContext, WebhookContext]) {
		const contexts = Object.getPrototypeOf(context.prototype) as TriggerContext;
		jest
			.spyOn(contexts, 'logger', 'get')
			.mockReturnValue({ warn, info, debug: jest.fn(), error: jest.fn() } as never);
	}
});

const logged = () => warn.mock.calls.map(([message]: string[]) => message);

/** What the first attempts of the gateway's own deliveries were answered. */
async function write(times: number): Promise<Array<number | null>> {
	const events = Array.from({ length: times }, (_, index) => gateway.write(`message ${index}`));
	return await waitFor('the answers', () => {
		const firsts = gateway.deliveries.filter(
			({ eventId, attempt, finishedAt }) =>
				attempt === 1 && finishedAt > 0 && events.some(({ id }) => id === eventId),
		);
		return firsts.length === times && firsts.map(({ status }) => status);
	});
}

describe('clocks that are apart', () => {
	it.each([
		['ahead', 8],
		['behind', -8],
	])('raise one alarm with both times, the gateway’s being %s', async (_what, minutes) => {
		gateway.setClock(minutes * 60);
		const { trigger } = await publish();
		await passAndFinish(5 * SECONDS);
		await passAndFinish(2 * MINUTES);
		await passAndFinish(5 * MINUTES);

		expect(trigger.failures).toHaveLength(1);
		const [failure] = trigger.failures;
		const description = String(failure.description);
		expect(failure.message).toBe('The clocks of n8n and of the gateway are 8 minutes apart');
		const times = [...description.matchAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g)].map(
			([time]) => Date.parse(`${time.replace(' ', 'T')}Z`) / 60_000,
		);
		expect(times).toHaveLength(2);
		const [n8n, theirs] = times;
		expect(theirs - n8n).toBeCloseTo(minutes, 0);
		expect(description).toMatch(/refuses every delivery/);
		expect(description).toMatch(/Set the clock of n8n/);
		// In queue mode other processes refuse them, and count for themselves.
		expect(description).not.toMatch(/0 deliveries/);
		expect(logged().filter((line) => line.includes('apart'))).toHaveLength(1);
	});

	it.each([-170, 0, 170])('raise none below three minutes, as with %i seconds', async (seconds) => {
		gateway.setClock(seconds);
		const published = await publish();
		await passAndFinish(5 * SECONDS);
		await passAndFinish(2 * MINUTES);
		expect(published.trigger.failures).toEqual([]);
		expect(await deliverOnce(published)).toBe(200);
	});

	it('are in order again once somebody has set one, and raise the next alarm after that', async () => {
		const { trigger } = await publish();
		await passAndFinish(5 * SECONDS);
		gateway.setClock(200);
		await passAndFinish(2 * MINUTES);
		expect(trigger.failures).toHaveLength(1);
		gateway.setClock(0);
		await passAndFinish(5 * MINUTES);
		expect(info).toHaveBeenCalledWith(expect.stringContaining('in order again'));
		gateway.setClock(-200);
		await passAndFinish(60 * MINUTES);
		expect(trigger.failures).toHaveLength(2);
	});

	it('that refuse deliveries are found at once, and how many were refused is said in log and alarm', async () => {
		const { trigger } = await publish();
		await passAndFinish(5 * SECONDS);
		gateway.setClock(-7 * 60);
		expect(await write(1)).toEqual([401]);
		await waitFor('the alarm', () => trigger.failures.length > 0);
		expect(logged()).toContainEqual(
			expect.stringMatching(
				/refused a delivery whose signature fits, because its time stamp is 7 minutes behind n8n’s clock/,
			),
		);
		expect(logged().join('\n')).not.toMatch(/not signed with the secret/);
		expect(trigger.failures).toMatchObject([
			{ description: expect.stringMatching(/So far, 1 delivery was refused/) },
		]);
	});

	it('are found after an answer whose Date header no clock can have written', async () => {
		const { trigger } = await publish();
		await passAndFinish(5 * SECONDS);
		gateway.faults.add({
			match: { method: 'GET' },
			times: 1,
			fault: {
				status: 200,
				body: { data: gateway.webhooks() },
				headers: { date: 'Sat, 13 Sep 275760 00:00:00 GMT' },
			},
		});
		await passAndFinish(2 * MINUTES);
		expect(trigger.failures).toEqual([]);
		gateway.setClock(8 * 60);
		await passAndFinish(60 * MINUTES);
		expect(trigger.failures).toHaveLength(1);
	});

	it('are told from deliveries that somebody else has signed', async () => {
		await publish();
		await passAndFinish(5 * SECONDS);
		gateway.setClock(-7 * 60);
		gateway.setDelivery({ forge: true });
		expect(await write(1)).toEqual([401]);
		expect(logged().join('\n')).toMatch(/not signed with the secret/);
		expect(logged().join('\n')).not.toMatch(/time stamp/);
	});
});

describe('time stamps that are wrong though the gateway’s answers have the right time', () => {
	const stamps = { date: new Date().toUTCString() };

	/** The API behind another clock than what delivers. */
	function answerInTime(): void {
		const data = gateway.webhooks().map(({ id, url, events }) => ({ id, url, events }));
		gateway.faults.add({
			match: { method: 'GET' },
			times: 'always',
			fault: { status: 200, body: { data }, headers: stamps },
		});
	}

	it('raise one alarm, which is over with the next delivery that is taken', async () => {
		const { trigger } = await publish();
		await passAndFinish(5 * SECONDS);
		gateway.setClock(-30 * 60);
		answerInTime();
		expect(await write(3)).toEqual([401, 401, 401]);
		await waitFor('the alarm', () => trigger.failures.length > 0);
		await passAndFinish(2 * MINUTES);
		expect(trigger.failures).toMatchObject([
			{
				message:
					'Deliveries are refused, because their time stamps are 30 minutes behind n8n’s clock',
				description: expect.stringMatching(/holds deliveries back/),
			},
		]);
		gateway.setClock(0);
		expect(await write(1)).toEqual([200]);
		await passAndFinish(5 * MINUTES);
		expect(info).toHaveBeenCalledWith(expect.stringContaining('in order again'));
		expect(trigger.failures).toHaveLength(1);
	});
});

it('say so in the log alone with manual webhook setup, which has no checks', async () => {
	let webhookSecret = '';
	const receiver = await engine.receive({
		id: randomUUID(),
		nodes: [
			{
				type: 'messagingGatewayTrigger',
				name: 'Trigger',
				webhookId: 'hook',
				parameters: { webhookSetup: 'manual' },
			},
		],
		credentials: {
			messagingGatewayAccountApi: {
				baseUrl: gateway.url,
				accountToken: gateway.accountToken,
				get webhookSecret() {
					return webhookSecret;
				},
			},
		},
	});
	open.push({ close: async () => await receiver.stop() });
	const { url } = receiver;
	webhookSecret = gateway.createWebhook({ url, events: ['MESSAGE.RECEIVED'] }).secret;
	gateway.setClock(6 * 60);
	expect(await write(1)).toEqual([401]);
	expect(logged().join('\n')).toMatch(/its time stamp is 6 minutes ahead of n8n’s clock/);
	gateway.setClock(0);
	expect(await write(1)).toEqual([200]);
	expect(gateway.requests).toEqual([]);
});
