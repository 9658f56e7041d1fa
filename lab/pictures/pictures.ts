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
import { PEOPLE, type Simulator } from '../simulator';

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
/** Pixels below the last field of a picture. */
const MARGIN = 36;
/** The fields from the credential to Text, and the first of an answer. */
const SEND_TEXT_HEIGHT = 384;
const ANSWER_HEIGHT = 362;
/** n8n's page and the phone's move a little when something appears. */
const SETTLE_MS = 1_000;

/** A part of a page. */
interface Part {
	element: Locator;
	/** If given, the picture ends so many pixels below the element's top. */
	height?: number;
}

/** Brings a page to a state worth showing. Answers the part of n8n to show. */
type Take = (page: Page, demo: Demo) => Promise<Part>;

/** Shows a whole workflow. Answers its canvas. */
async function showCanvas(page: Page, { n8n }: Demo, id: string): Promise<Locator> {
	await page.goto(`${n8n.url}/workflow/${id}`);
	await page.getByTestId('canvas-node').first().waitFor();
	await page.keyboard.press('1');
	return page.getByTestId('canvas-wrapper');
}

const pictures: Record<string, Take> = {
	credential: async (page, { n8n }) => {
		// n8n shows it seven tenths as wide as the page: narrow enough to be read on a phone.
		await page.setViewportSize({ width: 940, height: 1600 });
		await page.goto(`${n8n.url}/home/credentials`);
		await page.getByRole('heading', { name: 'Messaging Gateway instance' }).click();
		await page.getByTestId('credentials-config-container-test-success').waitFor();

		const element = page.getByTestId('editCredential-modal');
		const lastField = page.getByTestId('parameter-input-accountToken');
		await lastField.evaluate(unfold);
		const top = (await element.boundingBox())?.y ?? 0;
		const end = await lastField.boundingBox();
		return { element, height: (end?.y ?? 0) + (end?.height ?? 0) + MARGIN - top };
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
			pinData: { Trigger: [{ json: { text, replyTo: '201894637712045@lid' } }] },
		});

		await page.goto(`${n8n.url}/workflow/${id}/${send.id}`);
		await page.getByTestId('run-data-schema-item').first().waitFor();
		// The fields alone: with the panels beside them, nobody could read them on a phone.
		return { element: page.getByTestId('node-parameters'), height: SEND_TEXT_HEIGHT };
	},
	...Object.fromEntries(globSync('examples/*.json', { cwd: projectFolder }).map(takeExample)),
};

/** Lets the boxes around a field be as high as their content, in place of a bar to scroll. Runs in the page. */
function unfold(field: Element): void {
	for (let box = field.parentElement; box !== null; box = box.parentElement) {
		box.style.setProperty('max-height', 'none', 'important');
		box.style.setProperty('height', 'auto', 'important');
		box.style.setProperty('overflow', 'visible', 'important');
	}
}

/** The canvas of an example, with the credentials of the demo. */
function takeExample(file: string): [string, Take] {
	const take: Take = async (page, demo) => {
		const stored = await demo.api.listCredentials();
		const credentials = Object.fromEntries(stored.map((each) => [each.type, each]));
		const draft = readWorkflow(join(projectFolder, file), credentials);
		const { id } = await demo.api.createWorkflow(draft);
		await page.setViewportSize({ width: 1200, height: 520 });
		return { element: await showCanvas(page, demo, id) };
	};
	return [`example-${basename(file, '.json')}`, take];
}

const QUESTION = 'Order 42: may I refund 18.50 €?';

/**
 * A person answers a question, in the phone and in n8n: two pictures of one moment. Side by side they are readable, and
 * on a phone the page shows one below the other.
 */
async function takeQuestion(page: Page, demo: Demo): Promise<void> {
	const { api, gateway, n8n } = demo;
	const [, instance] = await api.listCredentials();
	// No earlier message is in this chat.
	const person = PEOPLE[2];
	const start = makeNode('n8n-nodes-base.manualTrigger', 'Start');
	const parameters = {
		resource: 'message',
		operation: 'sendAndWait',
		to: { __rl: true, mode: 'id', value: person.id },
		message: QUESTION,
		responseType: 'approval',
	};
	const ask = makeNode(GATEWAY_NODE, 'Ask Carla', parameters, {
		...choose(instance),
		position: [220, 0],
	});
	const nodes = [start, ask];
	const { id } = await api.createWorkflow({ name: 'Ask', nodes, connections: chain(nodes) });

	await page.setViewportSize({ width: 1440, height: 800 });
	await showCanvas(page, demo, id);
	await page.getByTestId('execute-workflow-button').click();
	await waitFor('the question', () => numberOfYes(gateway) !== undefined);

	const phone = await openPhone(page, demo, person.name);
	await phone.getByRole('textbox').fill(`${numberOfYes(gateway)}. Yes`);
	await phone.keyboard.press('Enter');
	await waitFor('the answer', async () => {
		const [execution] = await api.listExecutions(id);
		return execution.status === 'success';
	});
	await phone.waitForTimeout(SETTLE_MS);
	await storePart('question-asked', { element: phone.locator('body') });
	await phone.close();

	await page.getByTestId('canvas-node').filter({ hasText: ask.name }).dblclick();
	const output = page.getByTestId('output-panel');
	await output.getByTestId('radio-button-schema').click();
	await output.getByText('approved').first().waitFor();
	await page.waitForTimeout(SETTLE_MS);
	await storePart('question-answered', { element: output, height: ANSWER_HEIGHT });
	await page.goto(n8n.url);
}

/** The number with which the latest question is approved. */
function numberOfYes(gateway: Simulator): string | undefined {
	const text = gateway.acceptedSends().at(-1)?.text ?? '';
	return /^(\d+)\. Yes$/m.exec(text)?.[1];
}

/** Opens the phone page as a person. Answers the page, which the caller closes. */
async function openPhone(page: Page, { gateway }: Demo, person: string): Promise<Page> {
	const viewport = { width: PHONE_WIDTH, height: HEIGHT };
	const browser = page.context().browser();
	const phone = (await browser?.newPage({ viewport, deviceScaleFactor: SCALE })) ?? page;
	await phone.goto(gateway.pageUrl);
	await phone.getByRole('navigation').getByRole('button', { name: person }).click();
	return phone;
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
	const phone = await openPhone(page, demo, PEOPLE[0].name);
	await page.setViewportSize({ width: CANVAS_WIDTH + 42, height: HEIGHT + 102 });
	const canvas = await showCanvas(page, demo, workflowId);
	// n8n fits the nodes into the canvas, and forgets their names below.
	await page.keyboard.press('-');
	await page.getByTestId('execute-workflow-button').click();
	await waitFor('the webhook', () => gateway.webhooks().length > 0);
	await hideOverlays(page);
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

/** Pictures that take more than a state of n8n's page. Each stores its own. */
const scenes: Record<string, (page: Page, demo: Demo) => Promise<void>> = {
	question: takeQuestion,
	demo: film,
};

/** Takes the pictures of the documentation that are named, or all, from the demo as a new user finds it. */
async function main(names: string[]): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
	const demo = await openDemo(folder, console.error, { anyPorts: true });
	const all = [...Object.keys(pictures), ...Object.keys(scenes)];

	try {
		const editor = await openEditor(demo, { scale: SCALE });
		const chosen = names.length === 0 ? all : names;
		for (const name of chosen) {
			if (name in scenes) await scenes[name](editor.page, demo);
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
	await hideOverlays(page);
	await page.mouse.move(0, 0);
	await page.waitForTimeout(SETTLE_MS);
	await storePart(name, part);
}

async function hideOverlays(page: Page): Promise<void> {
	await page.addStyleTag({ content: `${OVERLAYS} { display: none !important; }` });
}

async function storePart(name: string, { element, height }: Part): Promise<void> {
	const box = await element.boundingBox();
	if (box === null) throw new Error(`${name} is not on the page.`);

	const clip = { ...box, height: height ?? box.height };
	const image = decode(await element.page().screenshot({ clip }));
	store(name, encode(toRGBA8(image), image.width, image.height, COLORS));
}

void main(process.argv.slice(2));
