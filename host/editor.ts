import { selectors, type Page } from 'playwright-core';
import { openBrowser } from './browser';
import type { N8n } from './n8n';
import { OWNER } from './owner';

export interface Editor {
	page: Page;
	close(): Promise<void>;
}

/**
 * Opens n8n's editor with the owner signed in, in the theme named.
 * @param host `password` is the owner's where it is not that of the tests
 */
export async function openEditor(
	host: { n8n: N8n; password?: string },
	theme: 'light' | 'dark' = 'light',
): Promise<Editor> {
	selectors.setTestIdAttribute('data-test-id');
	const browser = await openBrowser();
	try {
		const page = await browser.newPage({
			colorScheme: theme,
			viewport: { width: 1440, height: 900 },
		});
		await page.goto(`${host.n8n.url}/signin`);
		await page.locator('input[name="emailOrLdapLoginId"]').fill(OWNER.email);
		await page.locator('input[type="password"]').fill(host.password ?? OWNER.password);
		await page.keyboard.press('Enter');
		await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
		return { page, close: async () => await browser.close() };
	} catch (error) {
		await browser.close();
		throw error;
	}
}
