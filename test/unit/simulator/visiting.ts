import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../../host/browser';
import { Visit } from '../../../simulator/visit';

let browser: Browser;
let page: Page;

/** The visit of the test that runs: each begins one of its own, and must have given the page nothing to complain of. */
export let visit: Visit;

beforeAll(async () => {
	browser = await openBrowser();
	page = await browser.newPage();
});
afterAll(async () => await browser.close());
beforeEach(async () => {
	visit = await Visit.begin(page);
});
afterEach(async () => {
	await visit.end();
	expect(visit.complaints).toEqual([]);
});
