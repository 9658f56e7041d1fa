import { selectors, type Page } from 'playwright-core';
import { openBrowser } from './browser';
import type { N8n } from './n8n';
import { OWNER } from './owner';

export interface Editor {
	page: Page;
	close(): Promise<void>;
}

/**
 * Opens n8n's editor with the owner signed in.
 * @param options.scale pixels of a picture for each of the page's
 */
export async function openEditor(
	{ n8n }: { n8n: N8n },
	{ theme = 'light', scale = 1 }: { theme?: 'light' | 'dark'; scale?: number } = {},
): Promise<Editor> {
	selectors.setTestIdAttribute('data-test-id');
	const browser = await openBrowser();
	try {
		const page = await browser.newPage({
			colorScheme: theme,
			deviceScaleFactor: scale,
			viewport: { width: 1440, height: 900 },
		});

		await page.goto(`${n8n.url}/signin`);
		await page.locator('input[name="emailOrLdapLoginId"]').fill(OWNER.email);
		await page.locator('input[type="password"]').fill(OWNER.password);
		await page.keyboard.press('Enter');
		await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
		return { page, close: async () => await browser.close() };
	} catch (error) {
		await browser.close();
		throw error;
	}
}
