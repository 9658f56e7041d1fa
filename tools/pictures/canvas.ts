import type { INode } from 'n8n-workflow';
import type { Page } from 'playwright-core';
import { readWorkflow } from '../../host/workflows';
import type { Take } from './picture';

const MARGIN = 24;

// A page shows 830 pixels: of a wider canvas, the letters of notes would get less than 7 of them.
const WIDEST_WITH_NOTES = 1700;
const NODE_WIDTH = 100;
const WIDEST_GAP = 208;

// Buttons that float above the canvas.
const FLOATING = [
	'canvas-controls',
	'execute-workflow-button',
	'node-creator-plus-button',
	'command-bar-button',
	'add-sticky-button',
	'toggle-focus-panel-button',
	'instance-ai-canvas-action-button',
];

/** A workflow on the canvas of the editor, imported from this file, with nothing around it. Of a wide one, without its notes. */
export function takeWorkflow(file: string): Take {
	return async (page, { api, n8n }) => {
		const credentials = Object.fromEntries(
			(await api.listCredentials()).map((stored) => [stored.type, stored]),
		);
		const workflow = readWorkflow(file, credentials);
		const { id } = await api.createWorkflow({ ...workflow, nodes: narrow(workflow.nodes) });
		await page.setViewportSize({ width: 1440, height: 900 });
		await page.goto(`${n8n.url}/workflow/${id}`);
		await page.getByTestId('canvas-node').first().waitFor();
		const floating = FLOATING.map((name) => `[data-test-id^="${name}"]`);
		// Of several triggers, the one to start with is chosen beside the button.
		const hidden = floating.flatMap((each) => [each, `${each} ~ *`]).join(', ');
		await page.addStyleTag({ content: `${hidden} { display: none !important; }` });
		await page.keyboard.press('1');
		await page.mouse.move(0, 0);
		await settle(page);
		const picture = await page.screenshot({ clip: await measure(page) });
		await api.deleteWorkflow(id);
		return picture;
	};
}

/** What can be read on a page: of a wide workflow the nodes alone, closed up where the notes had kept them apart. */
function narrow(nodes: INode[]): INode[] {
	const left = Math.min(...nodes.map(({ position }) => position[0]));
	const right = Math.max(
		...nodes.map(
			({ position, parameters }) => position[0] + (Number(parameters.width) || NODE_WIDTH),
		),
	);
	if (right - left <= WIDEST_WITH_NOTES) return nodes;
	const kept = nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
	const columns = [...new Set(kept.map(({ position }) => position[0]))].sort((a, b) => a - b);
	const places = new Map<number, number>();
	for (const [at, x] of columns.entries()) {
		const before = columns[at - 1] ?? x;
		places.set(x, (places.get(before) ?? x) + Math.min(WIDEST_GAP, x - before));
	}
	return kept.map((node) => {
		const [x, y] = node.position;
		return { ...node, position: [places.get(x) ?? x, y] };
	});
}

/** Waits until the canvas has stopped moving. */
async function settle(page: Page): Promise<void> {
	let last = '';
	for (let still = 0; still < 5;) {
		await page.waitForTimeout(200);
		const now = JSON.stringify(await measure(page));
		still = now === last ? still + 1 : 0;
		last = now;
	}
}

/** The part of the page that holds all nodes and notes. */
async function measure(
	page: Page,
): Promise<{ x: number; y: number; width: number; height: number }> {
	// Names and the handles' ends stand outside of their node.
	const boxes = await page.locator('.vue-flow__node, .vue-flow__node *').evaluateAll((elements) =>
		elements
			.filter((element) => element.closest('[data-test-id="canvas-node-toolbar"]') === null)
			.filter((element) =>
				element.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
			)
			.map((element) => element.getBoundingClientRect().toJSON() as DOMRect)
			.filter(({ width, height }) => width > 0 && height > 0),
	);
	const left = Math.min(...boxes.map((box) => box.left)) - MARGIN;
	const top = Math.min(...boxes.map((box) => box.top)) - MARGIN;
	return {
		x: left,
		y: top,
		width: Math.max(...boxes.map((box) => box.right)) + MARGIN - left,
		height: Math.max(...boxes.map((box) => box.bottom)) + MARGIN - top,
	};
}
