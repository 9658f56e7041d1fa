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

/** A headless Chromium. */
export async function openBrowser(): Promise<Browser> {
	return await chromium.launch({ executablePath: findPlace('chromium'), args: FLAGS });
}
