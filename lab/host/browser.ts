import { chromium, type Browser } from 'playwright-core';
import { findPlace } from './places';

const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/**
 * A Chromium, which nobody sees unless `SHOW_BROWSER` is set.
 * @param flags on its command line, beside the usual
 */
export async function openBrowser(flags: string[] = []): Promise<Browser> {
	const args = [...FLAGS, ...flags];
	const isShown = process.env.SHOW_BROWSER !== undefined;
	return await chromium.launch({
		executablePath: findPlace('chromium'),
		args,
		headless: !isShown,
		...(isShown && { slowMo: 300 }),
	});
}
