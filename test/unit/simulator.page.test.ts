import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { EVENT_TYPES, groupIdAt, GROUP_NAMES, PEOPLE, type Simulator, startSimulator } from '../simulator';
import { callGateway } from '../simulator/client';
import { type Receiver, startReceiver } from '../simulator/receiver';

jest.setTimeout(60_000);

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];
const PHONE = { width: 375, height: 720 };
const DESK = { width: 1200, height: 800 };
const [ana, bruno] = PEOPLE;

let browser: Browser;
let simulator: Simulator;
let receiver: Receiver;
let page: Page;
let complaints: string[];

beforeAll(async () => {
	browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
});
afterAll(async () => await browser.close());

beforeEach(async () => {
	simulator = await startSimulator({ demoMessages: true, retryDelaysMs: [] });
	receiver = await startReceiver();
	simulator.createWebhook({ url: receiver.url, events: [...EVENT_TYPES] });
});
afterEach(async () => {
	await page.close();
	await simulator.stop();
	await receiver.stop();
	expect(complaints).toEqual([]);
});

async function openPage(viewport = DESK, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
	page = await browser.newPage({ viewport, colorScheme });
	complaints = [];
	page.on('pageerror', (error) => complaints.push(error.message));
	await page.goto(simulator.pageUrl);
	await entry('Ana Souza').waitFor();
}

const send = async (to: string | undefined, text: string) =>
	await callGateway(simulator, 'POST', '/v1/messages/send-text', { body: { to, text }, token: simulator.instanceToken });
const showPresence = async (presence: string) =>
	await callGateway(simulator, 'POST', '/v1/messages/presence', {
		body: { to: ana.phone, presence },
		token: simulator.instanceToken,
	});
const entry = (name: string | RegExp) => page.getByRole('navigation', { name: 'Chats' }).getByRole('button', { name });
const chat = async (name: string) => await entry(name).click();
const bubble = (text: string) => page.getByRole('log', { name: 'Messages' }).getByRole('listitem').filter({ hasText: text });
const received = async () => {
	await simulator.drained();
	return receiver.received.map(({ event }) => event);
};

describe('the phone', () => {
	it('writes as the person whose chat is open', async () => {
		await openPage();
		await chat('Bruno Carvalho');
		await page.keyboard.type('Bom dia! 🥖');
		await page.keyboard.press('Enter');
		await bubble('Bom dia! 🥖').waitFor();
		expect(await received()).toMatchObject([{ data: { text: 'Bom dia! 🥖', sender: { phone: bruno.phone } } }]);
	});

	it('shows what the number sends, with ticks that advance, without a reload', async () => {
		await openPage();
		await chat('Ana Souza');
		await send(ana.phone, 'Pronto!');
		await bubble('Pronto!').getByRole('img', { name: 'Read' }).waitFor();
		expect(await bubble('Pronto!').count()).toBe(1);
	});

	it('counts what arrives in other chats, until they are opened', async () => {
		await openPage();
		await send(bruno.phone, 'one');
		await send(bruno.phone, 'two');
		await entry(/Bruno Carvalho.*two.*2 unread/s).click();
		await entry('Bruno Carvalho').filter({ hasNotText: 'unread' }).waitFor();
	});

	it('shows that the number types, until it pauses or the message comes', async () => {
		await openPage();
		await chat('Ana Souza');
		const typing = page.getByText('Padaria Aurora is typing…');
		await showPresence('COMPOSING');
		await typing.waitFor();
		await showPresence('PAUSED');
		await typing.waitFor({ state: 'detached' });
		await showPresence('COMPOSING');
		await typing.waitFor();
		await send(ana.phone, 'done');
		await typing.waitFor({ state: 'detached' });
	});

	it('replies to a message', async () => {
		await openPage();
		await chat('Ana Souza');
		await send(ana.phone, 'Two or three?');
		await bubble('Two or three?').getByRole('button', { name: 'Reply to' }).focus();
		await page.keyboard.press('Enter');
		await page.keyboard.type('Three');
		await page.keyboard.press('Enter');
		await bubble('Three').locator('blockquote', { hasText: 'Two or three?' }).waitFor();
		const [{ messageId }] = simulator.acceptedSends();
		expect(await received()).toContainEqual(
			expect.objectContaining({ type: 'MESSAGE.RECEIVED', data: expect.objectContaining({ text: 'Three', quotedMessageId: messageId }) }),
		);
	});

	it('presses a button of a message', async () => {
		await openPage();
		await chat('Bruno Carvalho');
		await page.getByRole('group', { name: 'Answers' }).getByRole('button', { name: 'Please deliver it' }).click();
		await bubble('Please deliver it').nth(1).waitFor();
		expect(await received()).toMatchObject([
			{ data: { messageType: 'BUTTON_REPLY', buttonReply: { id: 'delivery' }, text: 'Please deliver it', quotedMessageId: expect.any(String) } },
		]);
	});

	it('writes in a group as the chosen member', async () => {
		await openPage();
		await chat(GROUP_NAMES[0]);
		await page.getByLabel('Write as').selectOption('Bruno Carvalho');
		await page.getByLabel(`Write in ${GROUP_NAMES[0]}`).fill('Gol!');
		await page.getByRole('button', { name: 'Send' }).click();
		await bubble('Gol!').waitFor();
		expect(await received()).toMatchObject([{ data: { chat: { id: groupIdAt(0), type: 'GROUP' }, sender: { id: bruno.id } } }]);
	});

	it('treats text as text', async () => {
		await openPage();
		await chat('Ana Souza');
		const text = '<img src=x onerror="document.title=1">';
		await send(ana.phone, text);
		await bubble(text).waitFor();
		expect(await page.locator('img:not([role])').count()).toBe(0);
	});

	it('finds its way back when the simulator was away', async () => {
		await openPage();
		await chat('Ana Souza');
		await simulator.pauseListening();
		await page.getByText('The simulator does not answer').waitFor();
		simulator.write('while away', { phone: ana.phone });
		await simulator.resumeListening();
		await bubble('while away').waitFor();
		await page.getByText('The simulator does not answer').waitFor({ state: 'hidden' });
	});
});

describe('the gateway beside it', () => {
	it('lists deliveries with their id, attempts and answers', async () => {
		await openPage();
		receiver.answerWith((_, response) => response.writeHead(401).end('no'));
		const { id } = simulator.write('denied');
		const line = page.locator('#deliveries details', { hasText: 'MESSAGE.RECEIVED' });
		await line.locator('summary').click();
		expect(await line.innerText()).toMatch(/Given up[^]*1 attempt · answered 401[^]*no/);
		expect(await line.innerText()).toContain(id);
	});

	it.each([
		['Deliver twice', { duplicate: 2 }],
		['Deliver late', { delayMs: 5000 }],
		['Out of order', { shuffle: true }],
		['Forge signatures', { forge: true }],
		['Hold deliveries', { pause: true }],
	])('switches trouble: %s', async (name, mode) => {
		await openPage();
		const readMode = async () => (await (await fetch(`${simulator.pageUrl}/simulator/delivery`)).json()) as object;
		const toggle = page.getByRole('switch', { name });
		const before = await readMode();
		const answered = page.waitForResponse(/delivery$/);
		await toggle.focus();
		await page.keyboard.press('Space');
		await answered;
		expect(await readMode()).toMatchObject(mode);
		simulator.reset();
		await expectSoon(async () => !(await toggle.isChecked()));
		expect(await readMode()).toEqual(before);
	});

	it('makes sends fail, and work again', async () => {
		await openPage();
		const choice = page.getByLabel('Sends');
		const planned = async (label: string) => {
			const answered = page.waitForResponse(/faults/);
			await choice.selectOption(label);
			await answered;
		};
		await planned('fail with 502');
		expect((await send(ana.phone, 'x')).status).toBe(502);
		await planned('work');
		await expectSoon(async () => simulator.faults.list().length === 0);
		expect((await send(ana.phone, 'x')).status).toBe(202);
		await page.locator('#requests summary', { hasText: '502' }).waitFor();
	});

	it('disconnects, bans, pairs and connects', async () => {
		await openPage();
		const press = async (name: string) => await page.getByRole('button', { name, exact: true }).click();
		for (const name of ['Disconnected', 'Logged out', 'Banned']) {
			await press(name);
			await page.locator('#pill', { hasText: name }).waitFor();
		}
		await press('New code');
		await page.getByText(/^\d{4} \d{4}$/).waitFor();
		await press('Let it expire');
		await page.getByText('No pairing code').waitFor();
		await press('Connected');
		await page.locator('#pill', { hasText: 'Connected' }).waitFor();
		await simulator.drained();
		expect(simulator.deliveries.map(({ body }) => (JSON.parse(body) as { data: { status: string } }).data.status).sort()).toEqual([
			'BANNED',
			'CONNECTED',
			'DISCONNECTED',
			'EXPIRED',
			'GENERATED',
			'LOGGED_OUT',
		]);
	});
});

describe.each([
	['a phone', PHONE],
	['a desk', DESK],
] as const)('on %s', (_, viewport) => {
	const isPhone = viewport === PHONE;
	const fillPage = async () => {
		await send(bruno.phone, 'unread');
		await send(ana.phone, `A long one ${'x'.repeat(300)}`);
		simulator.write('A reply', { phone: ana.phone, quotedMessageId: simulator.acceptedSends()[1].messageId });
		simulator.setConnection('BANNED');
		simulator.setPairing('GENERATED');
		await simulator.drained();
	};
	const views = {
		chats: async () => await entry('Ana Souza').waitFor(),
		chat: async () => {
			await chat('Ana Souza');
			await bubble('A reply').getByRole('button').focus();
			await page.keyboard.press('Enter');
		},
		group: async () => await chat(GROUP_NAMES[0]),
		gateway: async () => {
			if (isPhone) await page.getByRole('button', { name: 'Gateway' }).click();
			for (const summary of await page.locator('.log li:first-child summary').all()) await summary.click();
		},
	};

	it.each(['light', 'dark'] as const)('has nothing that keeps people out, in the %s theme', async (theme) => {
		await fillPage();
		for (const [name, show] of Object.entries(views)) {
			await openPage(viewport, theme);
			await show();
			await page.evaluate(axe.source);
			const { violations, passes } = await page.evaluate(async () => await (window as unknown as { axe: typeof axe }).axe.run());
			const found = violations.map(({ id, impact, nodes }) => `${name}: ${impact} ${id} at ${nodes[0].html}`);
			expect(found).toEqual([]);
			expect(passes.length).toBeGreaterThan(10);
			await page.close();
		}
	});

	it('never scrolls sideways', async () => {
		await fillPage();
		for (const show of Object.values(views)) {
			await openPage(viewport);
			await show();
			const overflowing = await page.evaluate(() =>
				Array.from(document.querySelectorAll('body *:not(.unseen)'))
					.filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
					.map(({ outerHTML }) => outerHTML.slice(0, 120)),
			);
			expect(overflowing).toEqual([]);
			await page.close();
		}
	});

	it('is used with the keyboard alone', async () => {
		await openPage(viewport);
		const reach = async (name: RegExp) => {
			for (let presses = 0; presses < 60; presses += 1) {
				await page.keyboard.press('Tab');
				const label = await page.evaluate(() => {
					const { activeElement } = document;
					return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
				});
				if (name.test(label)) return;
			}
			throw new Error(`${String(name)} cannot be reached`);
		};
		await reach(/Carla Mendes/);
		await page.keyboard.press('Enter');
		if (isPhone) {
			await reach(/^Messages$/);
			await page.keyboard.press('Tab');
		}
		await page.keyboard.type('by hand');
		await reach(/^Send$/);
		await page.keyboard.press('Enter');
		await bubble('by hand').waitFor();
		expect(await received()).toMatchObject([{ data: { text: 'by hand' } }]);
	});
});

async function expectSoon(holds: () => Promise<boolean>): Promise<void> {
	while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
