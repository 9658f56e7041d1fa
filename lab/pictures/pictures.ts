import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openDemo, type Demo } from '../demo/demo';
import { chain, choose, GATEWAY_NODE, makeNode, makeTrigger } from '../host/drafts/nodes';
import { openEditor } from '../host/editor';
import { projectFolder } from '../host/places';
import { waitFor } from '../host/waiting';
import { readWorkflow } from '../host/workflows';

/** Images as bytes of red, green, blue and opacity. */
const { decode, encode, toRGBA8 } = require('upng-js') as {
	decode(png: Buffer): { width: number; height: number };
	toRGBA8(image: object): ArrayBuffer[];
	encode(
		frames: ArrayBuffer[],
		width: number,
		height: number,
		colors: number,
		delays?: number[],
	): ArrayBuffer;
};

/** What lies on the canvas, and would be cut off or distract. */
const OVERLAYS = [
	'.el-notification, .el-popper, [role="tooltip"], [data-reka-popper-content-wrapper]',
	'[data-test-id^="canvas-controls"], .tab-bar-container',
	'[class*="_executionButtons"], [class*="_nodeButtonsWrapper"]',
].join();
/** Pixels for each of the page's, so that small text stays sharp. */
const SCALE = 2;
/** So many keep a picture small, and no difference can be seen. */
const COLORS = 128;

/** Brings a page to a state worth showing. Answers the part of n8n to show. */
type Take = (page: Page, demo: Demo) => Promise<Locator>;

/** Shows a whole workflow. Answers its canvas. */
async function showCanvas(page: Page, { n8n }: Demo, id: string): Promise<Locator> {
	await page.goto(`${n8n.url}/workflow/${id}`);
	await page.getByTestId('canvas-node').first().waitFor();
	await page.keyboard.press('1');
	return page.getByTestId('canvas-wrapper');
}

const pictures: Record<string, Take> = {
	credential: async (page, { n8n }) => {
		await page.setViewportSize({ width: 1280, height: 1080 });
		await page.goto(`${n8n.url}/home/credentials`);
		await page.getByRole('heading', { name: 'Messaging Gateway instance' }).click();
		await page.getByTestId('credentials-config-container-test-success').waitFor();
		return page.getByTestId('editCredential-modal');
	},
	'send-text': async (page, { api, n8n }) => {
		await page.setViewportSize({ width: 1440, height: 800 });
		const [account, instance] = await api.listCredentials();
		const trigger = makeTrigger(account);
		const parameters = {
			resource: 'message',
			operation: 'sendText',
			to: { __rl: true, mode: 'id', value: '={{ $json.replyTo }}' },
			text: '=My own answer to: {{ $json.text }}',
		};
		const send = makeNode(GATEWAY_NODE, 'Send Text', parameters, choose(instance));

		const nodes = [trigger, send];
		const text = 'Good morning! Do you have pão de queijo today?';
		const { id } = await api.createWorkflow({
			name: 'First workflow',
			nodes,
			connections: chain(nodes),
			pinData: { Trigger: [{ json: { text, replyTo: '5511987654321@c.us' } }] },
		});
		await page.goto(`${n8n.url}/workflow/${id}/${send.id}`);
		await page.getByTestId('run-data-schema-item').first().waitFor();
		return page.getByTestId('ndv');
	},
	...Object.fromEntries(globSync('examples/*.json', { cwd: projectFolder }).map(takeExample)),
};

/** The canvas of an example, with the credentials of the demo. */
function takeExample(file: string): [string, Take] {
	const take: Take = async (page, demo) => {
		const stored = await demo.api.listCredentials();
		const credentials = Object.fromEntries(stored.map((each) => [each.type, each]));
		const draft = readWorkflow(join(projectFolder, file), credentials);
		const { id } = await demo.api.createWorkflow(draft);
		await page.setViewportSize({ width: 1200, height: 520 });
		return await showCanvas(page, demo, id);
	};
	return [`example-${basename(file, '.json')}`, take];
}

const FIRST_FRAME_MS = 1_200;
const FRAME_MS = 400;
const LAST_FRAME_MS = 3_000;
const HEIGHT = 460;
const PHONE_WIDTH = 390;
const CANVAS_WIDTH = 730;

function store(name: string, png: ArrayBuffer): void {
	const path = join(projectFolder, 'docs', 'pictures', `${name}.png`);
	writeFileSync(path, Buffer.from(png));
	console.log(path);
}

const readPixels = (png: Buffer) => Buffer.from(toRGBA8(decode(png))[0]);

/** Two pictures of the same height side by side. */
function putBeside(left: Buffer, right: Buffer): ArrayBuffer {
	const parts = [left, right].map(readPixels);
	const rowCount = HEIGHT * SCALE;
	const rows = Array.from({ length: rowCount }, (_, row) =>
		parts.map((pixels) => {
			const size = pixels.length / rowCount;
			return pixels.subarray(row * size, (row + 1) * size);
		}),
	);
	return new Uint8Array(Buffer.concat(rows.flat())).buffer;
}

/** Somebody writes into the phone, and the workflow answers: as a moving picture, and its last frame as a still. */
async function film(page: Page, demo: Demo): Promise<void> {
	const { api, gateway, workflowId = '' } = demo;
	// A run by hand shows its way through the nodes.
	await api.unpublish(workflowId);
	const viewport = { width: PHONE_WIDTH, height: HEIGHT };
	const options = { viewport, deviceScaleFactor: SCALE };
	const phone = (await page.context().browser()?.newPage(options)) ?? page;
	await phone.goto(gateway.pageUrl);
	await phone.getByRole('navigation').getByRole('button', { name: /Ana/ }).click();
	await page.setViewportSize({ width: CANVAS_WIDTH + 42, height: HEIGHT + 102 });
	const canvas = await showCanvas(page, demo, workflowId);
	// n8n fits the nodes into the canvas, and forgets their names below.
	await page.keyboard.press('-');
	await page.getByTestId('execute-workflow-button').click();
	await waitFor('the webhook', () => gateway.webhooks().length > 0);
	await page.addStyleTag({ content: `${OVERLAYS} { display: none !important; }` });
	const { x = 0, y = 0 } = (await canvas.boundingBox()) ?? {};
	const clip = { x, y, width: CANVAS_WIDTH, height: HEIGHT };

	const frames: ArrayBuffer[] = [];
	const take = async () =>
		frames.push(putBeside(await phone.screenshot(), await page.screenshot({ clip })));
	await take();
	for (const words of ['Please keep ', 'six for ', 'me!']) {
		await phone.getByRole('textbox').pressSequentially(words);
		await take();
	}
	await phone.keyboard.press('Enter');
	await waitFor('the answer to be read', async () => {
		await take();
		const last = gateway.chats()[0].messages.at(-1);
		return last?.text.startsWith('You wrote:') === true && last.status === 'READ';
	});
	await take();
	const width = (PHONE_WIDTH + CANVAS_WIDTH) * SCALE;
	const height = HEIGHT * SCALE;
	const between = Array<number>(frames.length - 2).fill(FRAME_MS);
	const delays = [FIRST_FRAME_MS, ...between, LAST_FRAME_MS];
	store('demo', encode(frames, width, height, COLORS, delays));
	store('demo-still', encode(frames.slice(-1), width, height, COLORS));
	await phone.close();
}

/** Takes the pictures of the documentation that are named, or all, from the demo as a new user finds it. */
async function main(names: string[]): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
	const demo = await openDemo(folder, console.error, { anyPorts: true });
	try {
		const editor = await openEditor(demo, { scale: SCALE });
		for (const name of names.length === 0 ? [...Object.keys(pictures), 'demo'] : names) {
			if (name === 'demo') await film(editor.page, demo);
			else await takePicture(name, editor.page, demo);
		}
		await editor.close();
	} finally {
		await demo.stop();
		rmSync(folder, { recursive: true, force: true });
	}
	process.exit(0);
}

async function takePicture(name: string, page: Page, demo: Demo): Promise<void> {
	const part = await pictures[name](page, demo);
	await page.addStyleTag({ content: `${OVERLAYS} { display: none !important; }` });
	await page.mouse.move(0, 0);
	await page.waitForTimeout(1_000);
	const image = decode(await part.screenshot());
	store(name, encode(toRGBA8(image), image.width, image.height, COLORS));
}

void main(process.argv.slice(2));
