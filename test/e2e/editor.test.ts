import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openEditor, type Editor } from '../../lab/host/editor';
import { findPlace } from '../../lab/host/places';
import { host, useHost } from '../support/host';

useHost();

const screenshots = join(findPlace('cache'), 'screenshots');
mkdirSync(screenshots, { recursive: true });

/** A picture for people to look at, in the cache folder. */
async function keepPicture(page: Page, name: string): Promise<void> {
	await page.screenshot({ path: join(screenshots, `${name}.png`), animations: 'disabled' });
}

describe.each(['light', 'dark'] as const)('the editor, %s', (theme) => {
	let editor: Editor;

	beforeAll(async () => {
		editor = await openEditor(host, { theme });
	});

	afterAll(async () => {
		await editor?.close();
	});

	it('the search for "messaging" finds the package, with an icon of the theme', async () => {
		const { page } = editor;
		await page.goto(`${host.n8n.url}/workflow/new`);
		await page.getByTestId('canvas-add-button').click();
		await page.getByTestId('node-creator-search-bar').fill('messaging');
		const found = page.getByTestId('item-iterator-item').filter({ hasText: 'Messaging Gateway' });
		await found.waitFor();
		await keepPicture(page, `search-${theme}`);

		const icon = found.locator('img').first();
		await expect(
			icon.evaluate((image: HTMLImageElement) => image.naturalWidth),
		).resolves.toBeGreaterThan(0);
		expect(await icon.getAttribute('src')).toMatch(
			theme === 'dark' ? /\.dark\.svg$/ : /messagingGateway\.svg$/,
		);
	});

	it('the credential’s window says that a good credential works', async () => {
		const { page } = editor;
		for (const name of ['Messaging Gateway account', 'Messaging Gateway instance']) {
			await page.goto(`${host.n8n.url}/home/credentials`);
			await page.getByRole('heading', { name }).click();
			await page.getByTestId('credentials-config-container-test-success').waitFor();
			await keepPicture(page, `${name.toLowerCase().replaceAll(' ', '-')}-${theme}`);
		}
	});
});
