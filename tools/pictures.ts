import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { chain, choose, GATEWAY_NODE, makeNode, makeTrigger } from '../host/drafts/nodes';
import { openEditor } from '../host/editor';
import { projectFolder } from '../host/places';
import { waitFor } from '../host/waiting';
import { openDemo, type Demo } from './demo/demo';

const OVERLAYS =
	'.el-notification, .el-popper, [role="tooltip"], [data-reka-popper-content-wrapper], [data-test-id^="canvas-controls"]';

/** Brings a page to a state worth showing. Answers the part of n8n to show; without one, the whole page is shown as it is. */
type Take = (page: Page, demo: Demo) => Promise<Locator | undefined>;

const pictures: Record<string, Take> = {
	'first-workflow': async (page, { n8n, workflowId }) => {
		await page.setViewportSize({ width: 1100, height: 500 });
		await page.goto(`${n8n.url}/workflow/${workflowId}`);
		await page.getByTestId('canvas-node').first().waitFor();
		await page.keyboard.press('1');
		return page.getByTestId('canvas-wrapper');
	},
	phone: async (page, { gateway }) => {
		await page.setViewportSize({ width: 1200, height: 720 });
		await page.goto(gateway.pageUrl);
		await page
			.getByRole('textbox', { name: 'Message to Padaria Aurora' })
			.fill('Please keep six for me!');
		await page.keyboard.press('Enter');
		const replyOf = () =>
			gateway.chats()[0].messages.find(({ text }) => text.startsWith('You wrote:'));
		await waitFor('the reply to be read', () => replyOf()?.status === 'READ');
		return undefined;
	},
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
};

/** Takes the pictures of the documentation that are named, or all, from the demo as a new user finds it. */
async function main(names: string[]): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
	const demo = await openDemo(folder, console.error, { anyPorts: true });
	try {
		const editor = await openEditor(demo);
		for (const name of names.length === 0 ? Object.keys(pictures) : names) {
			const part = await pictures[name](editor.page, demo);
			if (part)
				await editor.page.addStyleTag({ content: `${OVERLAYS} { display: none !important; }` });
			await editor.page.mouse.move(0, 0);
			await editor.page.waitForTimeout(1_000);
			const path = join(projectFolder, 'docs', 'pictures', `${name}.png`);
			await (part ?? editor.page).screenshot({ path });
			console.log(path);
		}
		await editor.close();
	} finally {
		await demo.stop();
		rmSync(folder, { recursive: true, force: true });
	}
	process.exit(0);
}

void main(process.argv.slice(2));
