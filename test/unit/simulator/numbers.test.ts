import type { Browser } from 'playwright-core';
import { openBrowser } from '../../../host/browser';
import { makeNumbers, PEOPLE, startSimulator, type Simulator } from '../../../simulator';
import { callGateway } from '../../../simulator/client';
import { startReceiver, type Receiver } from '../../../simulator/receiver';
import { DESK } from '../../../simulator/visit';

// An account with three numbers: each has its token, its settings and its connection.

const [ana] = PEOPLE;
let simulator: Simulator;
let receiver: Receiver;

beforeAll(async () => {
	simulator = await startSimulator({ furtherNumbers: makeNumbers(2), retryDelaysMs: [] });
	receiver = await startReceiver();
});
beforeEach(() => {
	simulator.reset({ webhooks: true });
	receiver.received.length = 0;
	simulator.createWebhook({
		url: receiver.url,
		events: ['MESSAGE.RECEIVED', 'MESSAGE.SENT', 'CONNECTION.UPDATED'],
	});
});
afterAll(async () => {
	await simulator.stop();
	await receiver.stop();
});

const second = () => simulator.furtherNumbers[0];
const call = async (method: string, path: string, token: string, body?: unknown) =>
	await callGateway(simulator, method, path, { body, token });
const heard = async () => {
	await simulator.drained();
	return receiver.received.map(({ event }) => [event.type, event.instanceId]);
};

it('a message goes out from the number of the token, and its events say so', async () => {
	const body = { to: ana.phone, text: 'Hello' };
	await call('POST', '/v1/messages/send-text', second().instanceToken, body);
	expect(simulator.acceptedSends()).toMatchObject([{ instanceId: second().instanceId }]);
	expect(await heard()).toEqual([['MESSAGE.SENT', second().instanceId]]);
});

it('somebody writes to the number that was chosen, or to the first one', async () => {
	simulator.write('Hello', { instanceId: second().instanceId });
	simulator.write('Hello');
	expect((await heard()).sort()).toEqual(
		[
			['MESSAGE.RECEIVED', second().instanceId],
			['MESSAGE.RECEIVED', simulator.instanceId],
		].sort(),
	);
});

it('a number that is disconnected leaves the others connected, and hears later what it missed', async () => {
	await call('POST', '/v1/instance/disconnect', second().instanceToken);
	const body = { to: ana.phone, text: 'Hello' };
	const statuses = await Promise.all(
		[second().instanceToken, simulator.instanceToken].map(
			async (token) => (await call('POST', '/v1/messages/send-text', token, body)).status,
		),
	);
	expect(statuses).toEqual([502, 202]);
	simulator.write('Are you there?', { instanceId: second().instanceId });
	expect((await heard()).map(([type]) => type)).not.toContain('MESSAGE.RECEIVED');
	await call('POST', '/v1/instance/reconnect', second().instanceToken);
	expect(await heard()).toContainEqual(['MESSAGE.RECEIVED', second().instanceId]);
});

it('a number that connects again tells its own phone', async () => {
	await call('POST', '/v1/instance/disconnect', second().instanceToken);
	await call('POST', '/v1/instance/reconnect', second().instanceToken);
	await simulator.drained();
	expect(receiver.received.map(({ event }) => event)).toContainEqual(
		expect.objectContaining({
			type: 'CONNECTION.UPDATED',
			instanceId: second().instanceId,
			data: { status: 'CONNECTED', phone: second().phone },
		}),
	);
});

it('each number has settings of its own, and the account lists all of them', async () => {
	const settings = {
		rejectCall: true,
		msgRejectCall: '',
		readMessages: false,
		ignoreGroups: false,
		ignoreStatus: false,
	};
	await call('POST', '/v1/instance/settings', second().instanceToken, settings);
	const read = async (token: string) => (await call('GET', '/v1/instance/settings', token)).body;
	expect(await read(second().instanceToken)).toMatchObject({ data: { rejectCall: true } });
	expect(await read(simulator.instanceToken)).toMatchObject({ data: { rejectCall: false } });
	const { body } = await call('GET', '/v1/instances', simulator.accountToken);
	expect((body as { data: object[] }).data).toHaveLength(3);
});

it('the lines for the credential name all numbers, the first one first; of a single number there are none', async () => {
	expect(simulator.numberLines.split('\n')).toEqual(
		[simulator, ...simulator.furtherNumbers].map(
			({ instanceId, instanceToken }) => `${instanceId}, ${instanceToken}`,
		),
	);
	const single = await startSimulator();
	expect(single.numberLines).toBe('');
	await single.stop();
});

describe('the phone page', () => {
	let browser: Browser;

	beforeAll(async () => {
		browser = await openBrowser();
	});
	afterAll(async () => await browser.close());

	it('lets a person choose the number, and each message shows its own', async () => {
		const page = await browser.newPage({ viewport: DESK });
		await page.goto(simulator.pageUrl);
		await page.getByRole('button', { name: 'Ana Souza' }).click();
		await page.getByLabel('To number').selectOption(second().instanceId);
		await page.getByRole('textbox').fill('When do you open?');
		await page.getByRole('button', { name: 'Send', exact: true }).click();
		const bubbles = page.getByRole('log', { name: 'Messages' }).getByRole('listitem');
		await bubbles.filter({ hasText: `to ${second().name}` }).waitFor();
		const body = { to: ana.phone, text: 'At nine' };
		await call('POST', '/v1/messages/send-text', second().instanceToken, body);
		await bubbles.filter({ hasText: `from ${second().name}` }).waitFor();
		expect(await page.getByLabel('To number').inputValue()).toBe(second().instanceId);
		expect(await heard()).toContainEqual(['MESSAGE.RECEIVED', second().instanceId]);
		await page.close();
	});

	it('asks for no number where there is one alone', async () => {
		const single = await startSimulator();
		const page = await browser.newPage({ viewport: DESK });
		await page.goto(single.pageUrl);
		await page.getByRole('button', { name: 'Ana Souza' }).click();
		await page.getByLabel('Write as').first().waitFor();
		expect(await page.getByLabel('To number').isVisible()).toBe(false);
		await page.close();
		await single.stop();
	});
});
