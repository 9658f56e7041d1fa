import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import type { WorkflowDraft } from '../../../host/api';
import { openBrowser } from '../../../host/browser';
import type { Stage } from '../../../tools/demo/stage';
import { takeWorkflow } from '../../../tools/pictures/canvas';

// A canvas in a browser, at a place of the page that is told, and an n8n that keeps what is imported.

const folder = mkdtempSync(join(tmpdir(), 'canvas-'));
let browser: Browser;

beforeAll(async () => {
	browser = await openBrowser();
});
afterAll(async () => {
	await browser.close();
	rmSync(folder, { recursive: true, force: true });
});

const PAGE = `<div data-test-id="canvas-node" class="vue-flow__node"
	style="position:absolute;left:200px;top:100px;width:96px;height:80px">
	<span style="position:absolute;left:0;top:90px;width:120px;height:10px">its name</span>
	<div data-test-id="canvas-node-toolbar" style="position:absolute;top:-90px;width:500px;height:20px"></div>
	<i style="position:absolute;left:-150px;opacity:0;width:9px;height:9px"></i>
</div>
<div style="position:absolute;left:600px;top:400px"><b data-test-id="canvas-controls-x">+</b><p>beside</p></div>`;

const note = (x: number, width: number) => ({
	name: `Note ${x}`,
	type: 'n8n-nodes-base.stickyNote',
	position: [x, 0],
	parameters: { width },
});
const node = (x: number, y = 0) => ({
	name: `Node ${x} ${y}`,
	type: 'n8n-nodes-base.noOp',
	position: [x, y],
	parameters: {},
});

/** Takes a picture of a workflow of these nodes. */
async function take(nodes: object[]) {
	const file = join(folder, 'workflow.json');
	writeFileSync(file, JSON.stringify({ name: 'Bread', nodes, connections: {} }));
	const drafts: WorkflowDraft[] = [];
	const deleted: string[] = [];
	const stage = {
		n8n: { url: 'http://n8n.test' },
		api: {
			listCredentials: async () => [],
			createWorkflow: async (draft: WorkflowDraft) => ({ id: String(drafts.push(draft)) }),
			deleteWorkflow: async (id: string) => void deleted.push(id),
		},
	} as unknown as Stage;
	const page = await browser.newPage();
	await page.route('http://n8n.test/workflow/1', async (route) => {
		await route.fulfill({ contentType: 'text/html', body: PAGE });
	});
	// Its attribute is chosen for all pages of the process, as the editor does.
	page.getByTestId = (name) => page.locator(`[data-test-id="${String(name)}"]`);
	try {
		const picture = await takeWorkflow(file)(page, stage);
		const { width, height } = await sharp(picture).metadata();
		return { nodes: drafts[0].nodes, deleted, size: [width, height] };
	} finally {
		await page.close();
	}
}

const placesOf = (nodes: INode[]) => nodes.map(({ name, position }) => [name, ...position]);

it('shows what belongs to the nodes with a margin, and leaves no workflow behind', async () => {
	const { size, deleted, nodes } = await take([node(0), note(1_000, 700)]);
	// From the node to the end of its name, 24 pixels on each side.
	expect(size).toEqual([120 + 48, 100 + 48]);
	expect(deleted).toEqual(['1']);
	// Its widest: with one pixel more it would go without its notes.
	expect(placesOf(nodes)).toEqual([
		['Node 0 0', 0, 0],
		['Note 1000', 1_000, 0],
	]);
});

it('of a wide workflow shows the nodes alone, in their columns, closed up', async () => {
	const { nodes } = await take([
		node(100),
		note(0, 400),
		node(300, 50),
		node(1_700),
		node(800),
		node(800, 300),
	]);
	expect(placesOf(nodes)).toEqual([
		['Node 100 0', 100, 0],
		['Node 300 50', 300, 50],
		['Node 1700 0', 300 + 208 + 208, 0],
		['Node 800 0', 300 + 208, 0],
		['Node 800 300', 300 + 208, 300],
	]);
});
