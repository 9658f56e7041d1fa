import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { INode } from 'n8n-workflow';
import type { Page } from 'playwright-core';
import { GATEWAY_NODE, lead, makeNode } from '../../lab/host/drafts/nodes';
import { openEditor, type Editor } from '../../lab/host/editor';
import { findPlace } from '../../lab/host/places';
import { waitFor } from '../../lab/host/waiting';
import { groupIdAt, groupNameAt } from '../../lab/simulator';
import { host, useHost } from '../support/host';

const GROUPS = 5000;
/** In no alphabetical page near the first. */
const WANTED = 4997;

useHost({ gateway: { groups: GROUPS } });

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor(host);
	editor.page.setDefaultTimeout(60_000);
});

afterAll(async () => {
	await editor?.close();
});

const screenshots = join(findPlace('cache'), 'screenshots');
mkdirSync(screenshots, { recursive: true });

/** Opens the panel of a new node with these parameters. */
async function openNode(
	parameters: Record<string, string>,
): Promise<{ page: Page; workflowId: string }> {
	const { page } = editor;
	const node = makeNode(GATEWAY_NODE, 'Gateway', parameters);
	const { id: workflowId } = await host.api.createWorkflow({
		name: `Fields of ${Object.values(parameters).join(' ')}`,
		nodes: [makeNode('n8n-nodes-base.manualTrigger', 'Start', {}), node],
		connections: { Start: { main: [lead(['Gateway'])] } },
	});
	await page.goto(`${host.n8n.url}/workflow/${workflowId}/${node.id}`);
	await page.getByTestId('parameter-input-resource').waitFor();
	return { page, workflowId };
}

/** Chooses an entry of one of the two menus. */
async function choose(page: Page, menu: 'resource' | 'operation', entry: string): Promise<void> {
	await page.getByTestId(`parameter-input-${menu}`).click();
	await page
		.getByRole('option')
		.filter({ hasText: new RegExp(`^\\s*${entry}`) })
		.locator('visible=true')
		.click();
}

/** The credentials that the panel asks for, each with the stored one that is chosen. */
async function readCredentials(page: Page): Promise<string[][]> {
	const slots = await page.getByTestId('node-credentials-slot').all();
	return await Promise.all(
		slots.map(async (slot) => [
			(await slot.getByTestId('credentials-label').textContent())?.trim() ?? '',
			await slot
				.getByTestId('node-credentials-select')
				.locator('input')
				.inputValue({ timeout: 1000 }),
		]),
	);
}

async function waitForCredentials(page: Page, expected: string[][]): Promise<void> {
	const isShown = async () => isDeepStrictEqual(await readCredentials(page), expected);
	await waitFor('the credentials', isShown, 10_000).catch(() => {});
	expect(await readCredentials(page)).toEqual(expected);
}

/** The node as n8n has it, which saves what is typed by itself. */
async function readSaved(workflowId: string): Promise<INode> {
	const { nodes } = await host.api.getWorkflow(workflowId);
	return nodes.find(({ name }) => name === 'Gateway')!;
}

it('the list of To finds one of 5,000 groups by its name, and n8n keeps the right one', async () => {
	const { page, workflowId } = await openNode({ resource: 'message', operation: 'sendText' });
	// The panel is drawn anew once its slower parts have come.
	await page.getByText('No properties').waitFor();
	await page.getByTestId('rlc-mode-selector').click();
	await page.locator('[data-test-id=mode-list]:visible').click();
	await page.getByTestId('rlc-input').click();
	await page.getByTestId('rlc-item').first().waitFor();

	// As a person types: in lower case, a part of the name only.
	await page
		.getByTestId('rlc-search')
		.fill(groupNameAt(WANTED).replace('Bairro ', '').toLowerCase());
	const found = page.getByTestId('rlc-item').filter({ hasText: groupNameAt(WANTED) });
	await found.waitFor();
	await page.screenshot({ path: join(screenshots, 'groups.png') });
	await found.click();

	const kept = await waitFor('the workflow to be saved', async () => {
		const { parameters } = await readSaved(workflowId);
		const to = parameters.to as { value?: string } | undefined;
		return to?.value !== '' && to;
	});
	expect(kept).toMatchObject({
		mode: 'list',
		value: groupIdAt(WANTED),
		cachedResultName: groupNameAt(WANTED),
	});
});

const INSTANCE = [['Messaging Gateway Instance Token API', 'Messaging Gateway instance']];
const ACCOUNT = [['Messaging Gateway Account Token API', 'Messaging Gateway account']];
// n8n chooses the only credential of a kind when a node is made, and later leaves the choice to the person.
const ACCOUNT_TO_CHOOSE = [['Messaging Gateway Account Token API', '']];

it('the node asks for the credential of the resource, and keeps it when the resource is changed back', async () => {
	const { page, workflowId } = await openNode({ resource: 'instance', operation: 'getSettings' });
	await waitForCredentials(page, INSTANCE);

	const steps: Array<['resource' | 'operation', string, string[][]]> = [
		['operation', 'Reconnect', INSTANCE],
		['resource', 'Account', ACCOUNT_TO_CHOOSE],
		['resource', 'Message', INSTANCE],
		['operation', 'Send and Wait for Reply', INSTANCE],
		['resource', 'API', INSTANCE],
		['resource', 'Webhook', ACCOUNT_TO_CHOOSE],
		['resource', 'Group', INSTANCE],
		['resource', 'Account', ACCOUNT_TO_CHOOSE],
	];
	for (const [menu, entry, expected] of steps) {
		await choose(page, menu, entry);
		await waitForCredentials(page, expected);
	}

	// From here on n8n holds this one only: it lets go of a credential that the resource does not ask for.
	await page.getByTestId('node-credentials-select').click();
	await page
		.locator(`[data-test-id=node-credentials-select-item-${host.credentials.account.id}]:visible`)
		.click();
	await waitForCredentials(page, ACCOUNT);
	await choose(page, 'resource', 'Webhook');
	await waitForCredentials(page, ACCOUNT);

	const { credentials } = await waitFor('the last choice to be saved', async () => {
		const node = await readSaved(workflowId);
		// The editor saves the choice of a credential a moment after that of the resource.
		return node.parameters.resource === 'webhook' && node.credentials !== undefined && node;
	});
	expect(credentials).toEqual({
		messagingGatewayAccountApi: expect.objectContaining({ id: host.credentials.account.id }),
	});
});

/** Opens the panel of a new tool of an agent. */
async function openTool(): Promise<Page> {
	const tool = makeNode(`${GATEWAY_NODE}Tool`, 'Tool', {});
	const agent = makeNode('@n8n/n8n-nodes-langchain.agent', 'AI Agent', {}, { typeVersion: 3.1 });
	const { id } = await host.api.createWorkflow({
		name: 'Tool',
		nodes: [agent, tool],
		connections: { Tool: { ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] } },
	});
	await editor.page.goto(`${host.n8n.url}/workflow/${id}/${tool.id}`);
	return editor.page;
}

it('a tool lets the model fill in the recipient, and says what the model must be told', async () => {
	const page = await openTool();
	await page.getByText('If the model fills in To').waitFor();
	await page.getByTestId('from-ai-override-button').first().click({ force: true });
	await page.getByText('Defined automatically by the model').waitFor();
	await page.screenshot({ path: join(screenshots, 'tool.png') });
	expect(await readCredentials(page)).toEqual(INSTANCE);
});
