import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../../host/browser';
import { startSimulator, type Simulator } from '../../../simulator';

// What a web page of somebody else gets from the simulator on the machine of the person who looks at it: nothing.

const NAME = 'elsewhere.example';

let simulator: Simulator;
let browser: Browser;
let elsewhere: Server;

beforeAll(async () => {
	simulator = await startSimulator({ demoMessages: true });
	browser = await openBrowser([`--host-resolver-rules=MAP ${NAME} 127.0.0.1`]);
	elsewhere = createServer((_, response) => {
		response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Elsewhere</title>');
	});
	await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
	await browser.close();
	await simulator.stop();
	elsewhere.closeAllConnections();
	await new Promise((resolve) => elsewhere.close(resolve));
});

const portOf = (server: string) => Number(new URL(server).port);
const ask = async (path: string, headers: Record<string, string>): Promise<number | undefined> =>
	await new Promise((resolve, reject) => {
		request(simulator.pageUrl + path, { headers, agent: false }, (response) => {
			response.resume();
			response.once('end', () => resolve(response.statusCode));
		})
			.once('error', reject)
			.end();
	});

/** What the script of a page reads at an address; nothing if the browser does not let it. */
async function readAs(page: Page, url: string, init: RequestInit = {}): Promise<string> {
	return await page.evaluate(
		async ([address, options]) =>
			await fetch(address, options).then(
				async (answer) => await answer.text(),
				() => '',
			),
		[url, init] as const,
	);
}

const PATHS = ['/', '/simulator/page/page.js', '/simulator/info', '/simulator/state'];

describe.each(PATHS)('%s', (path) => {
	it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])('is served under %s', async (name) => {
		expect(await ask(path, { host: `${name}:${portOf(simulator.pageUrl)}` })).toBe(200);
	});

	it.each([
		NAME,
		`127.0.0.1.${NAME}`,
		`${NAME}#127.0.0.1`,
		'127.0.0.1@elsewhere.example',
		'localhost.',
		'0.0.0.0',
		'',
	])('is not served under %p', async (name) => {
		expect(await ask(path, { host: `${name}:${portOf(simulator.pageUrl)}` })).toBe(421);
	});

	it('is not served under its own name with a port that is not its own', async () => {
		expect(await ask(path, { host: '127.0.0.1:1' })).toBe(421);
		expect(await ask(path, { host: '127.0.0.1' })).toBe(421);
	});

	it('is not served to a page of another origin', async () => {
		const host = `127.0.0.1:${portOf(simulator.pageUrl)}`;
		expect(await ask(path, { host, origin: `http://${host}` })).toBe(200);
		expect(await ask(path, { host, origin: `http://${NAME}` })).toBe(421);
		expect(await ask(path, { host, origin: 'null' })).toBe(421);
	});
});

it('is served under every address of the machine where it listens on all of them', async () => {
	const everywhere = await startSimulator({ host: '0.0.0.0' });
	const port = portOf(everywhere.pageUrl);
	const asked = async (name: string) =>
		(await fetch(`http://${name}:${port}/simulator/info`)).status;
	const addresses = Object.values(networkInterfaces())
		.flatMap((all = []) => all)
		.filter(({ family }) => family === 'IPv4');
	expect(addresses.length).toBeGreaterThan(0);
	for (const { address } of addresses) expect(await asked(address)).toBe(200);
	expect(await asked('127.0.0.2')).toBe(421);
	await everywhere.stop();
});

it('gives a page whose name was made to lead here nothing, and does nothing for it', async () => {
	const page = await browser.newPage();
	const address = `http://${NAME}:${portOf(simulator.pageUrl)}`;
	const heard = [await (await page.goto(address))?.text()];
	for (const path of [...PATHS, '/simulator/webhooks', '/v1/webhooks'])
		heard.push(await readAs(page, address + path));
	heard.push(
		await readAs(page, `${address}/simulator/webhooks`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ url: 'http://127.0.0.1:1/', events: ['MESSAGE.RECEIVED'] }),
		}),
	);
	expect(heard.join()).not.toMatch(/svc_|whsec_|Ana Souza/);
	expect(heard).toHaveLength(8);
	expect(heard).not.toContain('');
	expect(simulator.webhooks()).toEqual([]);
	await page.close();
});

it('gives a page of another origin nothing, and does nothing for it', async () => {
	const page = await browser.newPage();
	await page.goto(`http://${NAME}:${(elsewhere.address() as AddressInfo).port}`);
	const chats = structuredClone(simulator.chats());
	for (const path of PATHS) expect(await readAs(page, simulator.pageUrl + path)).toBe('');
	// A request that a browser sends without asking first.
	for (const path of ['write', 'reset', 'write-as-owner'])
		await readAs(page, `${simulator.pageUrl}/simulator/${path}`, {
			method: 'POST',
			mode: 'no-cors',
			headers: { 'content-type': 'text/plain' },
			body: JSON.stringify({ text: 'from elsewhere' }),
		});
	expect(simulator.chats()).toEqual(chats);

	await page.setContent(`<iframe src="${simulator.pageUrl}"></iframe>`);
	await page.waitForLoadState();
	const [, frame] = page.frames();
	expect(await frame.locator('body').innerText()).not.toContain('Ana Souza');
	await page.close();
});
