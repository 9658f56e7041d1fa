import { GROUP_NAMES, PEOPLE } from '../../../simulator';
import { callGateway } from '../../../simulator/client';
import { PHONE } from '../../../simulator/visit';
import { visit } from './visiting';

// What the page shows, and lets people do, that is rarely needed.

const [ana, bruno, carla, davi] = PEOPLE;

const post = async (path: string, body: object) =>
	await callGateway(visit.simulator, 'POST', `/v1/${path}`, {
		body,
		token: visit.simulator.instanceToken,
	});

it('marks chats that are archived or muted, and names people and their numbers as they are written', async () => {
	await post('chats/archive', { to: ana.phone! });
	await post('chats/mute', { to: bruno.phone! });
	await visit.open();
	await visit.entry(/Ana Souza.*archived/s).waitFor();
	await visit.entry(/Bruno Carvalho.*muted/s).waitFor();
	expect(await visit.entry(/Carla Mendes/).innerText()).not.toMatch(/archived|muted/);
	const about = visit.page.locator('#chat-about');
	for (const [name, shown] of [
		[ana.name, '+55 11 90000-0001'],
		[carla.name, '+55 31 9000-0003'],
		[davi.name, 'hidden number'],
		[GROUP_NAMES[0], 'Group: Ana, Bruno, Carla'],
	]) {
		await visit.chat(name);
		await about.filter({ hasText: shown }).waitFor();
	}
	expect(await visit.page.locator('#chat-avatar').innerText()).toBe('FS');
});

it('shows that the number records, and for a mute that is over no mark', async () => {
	const { simulator } = visit;
	await post('chats/mute', { to: bruno.phone! });
	await visit.open();
	await post('messages/presence', { to: ana.phone!, presence: 'COMPOSING', isAudio: true });
	await visit.entry(/Ana Souza.*recording audio…/s).waitFor();
	await visit.page.evaluate(() => {
		const later = Date.now() + 2 * 3_600_000;
		// For this page of the simulator alone: the next one has its own clock again.
		window.Date = class extends Date {
			constructor(at: number | string = later) {
				super(at);
			}
		} as DateConstructor;
	});
	simulator.write('later', { phone: bruno.phone });
	await visit.entry(/Bruno Carvalho.*later/s).waitFor();
	expect(await visit.entry(/Bruno Carvalho/).innerText()).not.toContain('muted');
});

it('Escape takes a reply back, Shift and Enter begin a line, and nothing is sent of nothing', async () => {
	await visit.open();
	await visit.chat('Ana Souza');
	await visit.bubble('fresh at nine').getByRole('button', { name: 'Reply to' }).focus();
	await visit.page.keyboard.press('Enter');
	await visit.page.getByText('Replying to:').waitFor();
	await visit.page.keyboard.press('Escape');
	await visit.page.getByText('Replying to:').waitFor({ state: 'hidden' });
	await visit.page.keyboard.type('   ');
	await visit.page.keyboard.press('Enter');
	await visit.page.keyboard.type('one');
	await visit.page.keyboard.press('Shift+Enter');
	await visit.page.keyboard.type('two');
	await visit.page.keyboard.press('Enter');
	await visit.bubble('two').waitFor();
	const [event, ...others] = await visit.received();
	expect(others).toEqual([]);
	expect(event.data).toMatchObject({ text: 'one\ntwo' });
	expect(event.data).not.toHaveProperty('quotedMessageId');
});

it('asks with buttons, and posts a status, for the open chat', async () => {
	await visit.open();
	await visit.chat('Bruno Carvalho');
	await visit.page.locator('#ask').click();
	await visit
		.bubble('Shall we keep two loaves')
		.getByRole('button', { name: 'Not today' })
		.waitFor();
	await visit.page.locator('#post-status').click();
	await visit.entry(/Status.*Bruno is at the beach/s).waitFor();
	const status = (await visit.received()).find(({ type }) => type === 'MESSAGE.RECEIVED');
	expect(status?.data).toMatchObject({ chat: { type: 'STATUS' }, sender: { id: bruno.id } });
});

it('has the credentials to copy, each under its name', async () => {
	await visit.open();
	const { url, accountToken, instanceToken } = visit.simulator;
	const lines = visit.page.locator('#credentials');
	expect(await lines.locator('dt').allTextContents()).toEqual([
		'Base URL',
		'Account token',
		'Instance token',
	]);
	expect(await lines.locator('code').allTextContents()).toEqual([url, accountToken, instanceToken]);
});

it('lists webhooks with what they get, and says which one is switched off', async () => {
	const { simulator } = visit;
	const { id } = simulator.createWebhook({ url: 'http://127.0.0.1:1/x', events: ['MESSAGE.SENT'] });
	await visit.open();
	const lines = visit.page.locator('#webhooks li');
	await lines
		.filter({ hasText: '127.0.0.1:1/x' })
		.getByText(/^1 event type$/)
		.waitFor();
	await lines
		.first()
		.getByText(/^5 event types$/)
		.waitFor();
	await callGateway(simulator, 'PATCH', `/v1/webhooks/${id}`, {
		body: { enabled: false },
		token: simulator.accountToken,
	});
	await lines.getByText('1 event type, switched off').waitFor();
});

it('lists requests, the latest first, with what became of them', async () => {
	await visit.open();
	await callGateway(visit.simulator, 'GET', '/v1/groups?page=2', { token: null });
	visit.simulator.faults.add({ fault: 'cutBefore' });
	await visit.send(ana.phone, 'cut').catch(() => 0);
	const lines = visit.page.locator('#requests details');
	await lines.nth(1).waitFor();
	expect(await lines.first().innerText()).toMatch(/send-text[^]*No answer[^]*made to fail/);
	await lines.nth(1).locator('summary').click();
	expect(await lines.nth(1).innerText()).toMatch(
		/groups[^]*401[^]*without a known token, without a body[^]*page=2/,
	);
});

it('keeps the latest hundred requests in its list', async () => {
	await visit.open();
	for (let count = 0; count < 100; count++)
		await callGateway(visit.simulator, 'GET', '/v1/groups', { token: null });
	await visit.send(ana.phone, 'the 101st');
	const lines = visit.page.locator('#requests details');
	await lines.first().filter({ hasText: 'send-text' }).waitFor();
	expect(await lines.count()).toBe(100);
});

it('tells of a delivery that it is tried again, and chooses one failure at a time', async () => {
	await visit.open();
	const choice = visit.page.getByLabel('Sends');
	for (const label of ['fail with 400', 'break after acceptance']) {
		const planned = visit.page.waitForResponse(
			(answer) => answer.request().method() === 'POST' && answer.url().endsWith('/faults'),
		);
		await choice.selectOption(label);
		await planned;
	}
	expect(visit.simulator.faults.list()).toMatchObject([{ fault: 'cutAfter' }]);
});

it('on a phone shows the list, the chat and the gateway one at a time', async () => {
	await visit.open(PHONE);
	await visit.chat('Ana Souza');
	await visit.page.locator('#chat-name').waitFor();
	expect(await visit.entry('Ana Souza').isVisible()).toBe(false);
	await visit.page.locator('#back').click();
	await visit.entry('Ana Souza').waitFor();
	expect(await visit.page.evaluate(() => document.activeElement?.textContent)).toContain(
		'Ana Souza',
	);
	await visit.page.getByRole('button', { name: 'Gateway' }).click();
	await visit.page.locator('#requests').waitFor();
	expect(await visit.entry('Ana Souza').isVisible()).toBe(false);
});
