import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../host/browser';
import { waitFor } from '../../host/waiting';
import { startSimulator, type Simulator } from '../../simulator';

let simulator: Simulator;
let browser: Browser;

beforeAll(async () => {
	simulator = await startSimulator({ demoMessages: true });
	browser = await openBrowser();
});

afterAll(async () => await browser.close());

async function openPhone(width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
	const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
	await page.goto(simulator.pageUrl);
	await page
		.getByRole('navigation')
		.getByRole('button', { name: /Ana Souza/ })
		.click();
	return page;
}

describe.each([390, 1280])('the phone page at %i pixels', (width) => {
	it.each(['light', 'dark'] as const)('can be used by everybody (%s)', async (theme) => {
		const page = await openPhone(width, theme);
		for (const view of ['chat', 'panel']) {
			if (view === 'panel') await page.getByRole('button', { name: 'Gateway' }).click();
			await page.evaluate(axe.source);
			const { violations } = await page.evaluate(
				async () => await (window as unknown as { axe: typeof axe }).axe.run(),
			);
			expect(violations.map(({ id, nodes }) => `${view}: ${id} ${nodes[0].html}`)).toEqual([]);
			const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
			expect(scrollWidth).toBeLessThanOrEqual(width);
		}
		await page.close();
	});

	it('sends and shows messages', async () => {
		const page = await openPhone(width);
		await page.getByRole('textbox', { name: 'Write as Ana Souza' }).fill('Good morning');
		await page.keyboard.press('Enter');
		await page.getByRole('log').getByText('Good morning').first().waitFor();
		const [{ messages }] = simulator.chats();
		expect(messages.at(-1)).toMatchObject({ text: 'Good morning', fromMe: false });
		await page.close();
	});

	it('makes sends fail, and lets them work again', async () => {
		const page = await openPhone(width);
		await page.getByRole('button', { name: 'Gateway' }).click();
		await page.getByLabel('Sends').selectOption('fail with 502');
		await waitFor('the fault', () => simulator.faults.list().length === 1);
		await page.getByLabel('Sends').selectOption('work');
		await waitFor('the fault to go', () => simulator.faults.list().length === 0);
		await page.close();
	});
});
