import type { Page } from 'playwright-core';
import { chain, makeNode, makeTrigger } from '../../host/drafts/nodes';
import { openEditor, type Editor } from '../../host/editor';
import { startHost, type Host } from '../../host/host';

// What a person sees when n8n does not publish a workflow, held against what the pages say of it.

let host: Host;
let editor: Editor;

beforeAll(async () => {
	host = await startHost();
	editor = await openEditor(host);
	editor.page.setDefaultTimeout(120_000);
});

afterAll(async () => {
	await editor?.close();
	await host?.stop();
});

async function publishInEditor(page: Page, id: string): Promise<void> {
	await page.goto(`${host.n8n.url}/workflow/${id}`);
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
}

it('a trigger with Respond to Webhook behind it is refused where it would fail each time', async () => {
	const respond = makeNode(
		'n8n-nodes-base.respondToWebhook',
		'Answer Gateway',
		{ respondWith: 'noData' },
		{ typeVersion: 1.4 },
	);
	const trigger = makeTrigger(host.credentials.account, {
		events: ['MESSAGE.RECEIVED'],
		options: { answerWhen: 'succeeded' },
	});
	const nodes = [trigger, respond];
	const { id } = await host.api.createWorkflow({
		name: 'Respond',
		nodes,
		connections: chain(nodes),
	});
	const { page } = editor;
	await publishInEditor(page, id);
	await page
		.getByText(/could not be/)
		.first()
		.waitFor();
	(await import('node:fs')).writeFileSync(
		'/tmp/month-pub.html',
		await page.locator('body').innerText(),
	);
	await page.screenshot({ path: '/tmp/month-pub2.png' });
	const before = Date.now();
	await host.gateway.pauseListening();
	const { id: other } = await host.api.createWorkflow({
		name: 'Down',
		nodes: [makeTrigger(host.credentials.account, { events: ['MESSAGE.RECEIVED'] })],
		connections: {},
	});
	await publishInEditor(page, other);
	await page
		.getByText(/could not be/)
		.first()
		.waitFor();
	(await import('node:fs')).writeFileSync(
		'/tmp/month-pub3.html',
		String(Date.now() - before) + (await page.locator('body').innerText()),
	);
	await page.screenshot({ path: '/tmp/month-pub3.png' });
	await host.gateway.resumeListening();
	expect(host.gateway.webhooks()).toEqual([]);
});
