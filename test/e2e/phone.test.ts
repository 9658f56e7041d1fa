import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../lab/host/browser';
import { waitFor } from '../../lab/host/waiting';
import { startSimulator, type Simulator } from '../../lab/simulator';

let simulator: Simulator;
let browser: Browser;

beforeAll(async () => {
	simulator = await startSimulator({ demoMessages: true });
	browser = await openBrowser();
});

afterAll(async () => await browser.close());

async function openPhone(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
	const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
	await page.goto(simulator.pageUrl);
	return page;
}

async function expectAccessible(page: Page): Promise<void> {
	await page.evaluate(axe.source);
	const { violations } = await page.evaluate(
		async () => await (window as unknown as { axe: typeof axe }).axe.run(),
	);
	expect(violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`)).toEqual([]);
	const { needed, given } = await page.evaluate(() => ({
		needed: document.body.scrollWidth,
		given: innerWidth,
	}));
	expect(needed).toBeLessThanOrEqual(given);
}

it.each([
	[390, 'light'],
	[390, 'dark'],
	[1280, 'light'],
	[1280, 'dark'],
] as const)('the phone page is accessible at %i pixels, %s', async (width, theme) => {
	const page = await openPhone(width, theme);
	await page.getByRole('navigation').getByText('+55 11 90000-0001').waitFor();

	await page.getByRole('button', { name: 'Laboratory', expanded: false }).click();
	await page.getByLabel('Sends').selectOption('fail with 502');
	await waitFor('the fault', () => simulator.faults.list().length === 1);
	await expectAccessible(page);

	await page.keyboard.press('Escape');
	await page.getByRole('button', { name: 'Laboratory', expanded: false }).waitFor();

	await page.getByRole('navigation').getByRole('button', { name: /Ana/ }).click();
	await page.getByRole('textbox', { name: 'Message to Padaria Aurora' }).fill('Is it *fresh*?');
	await page.keyboard.press('Enter');
	await page.getByRole('log').getByRole('strong').last().waitFor();

	expect(simulator.chats()[0].messages.at(-1)).toMatchObject({ text: 'Is it *fresh*?' });
	await expectAccessible(page);

	if (width === 390) await page.goBack();
	await page.getByRole('navigation').waitFor();

	simulator.reset();
	await page.close();
});
