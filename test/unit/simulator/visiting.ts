import type { Browser } from 'playwright-core';
import { openBrowser } from '../../../host/browser';
import { Visit } from '../../../simulator/visit';

let browser: Browser;

/** The visit of the test that runs: each begins one of its own, and must have given the page nothing to complain of. */
export let visit: Visit;

beforeAll(async () => {
	browser = await openBrowser();
});
afterAll(async () => await browser.close());
beforeEach(async () => {
	visit = await Visit.begin(browser);
});
afterEach(async () => {
	await visit.end();
	expect(visit.complaints).toEqual([]);
});
