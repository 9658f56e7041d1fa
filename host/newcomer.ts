import type { Locator, Page } from 'playwright-core';
import type { Simulator } from '../simulator';
import type { N8n } from './n8n';
import { waitFor } from './waiting';

/**
 * Follows steps 1 to 4 of the README's "Your first workflow in five steps", by clicking and dragging. Both credentials are
 * there and are the only ones of their kind, so that n8n chooses them. Leaves the panel of the last node open.
 */
export async function buildFirstWorkflow(
	page: Page,
	{ n8n, gateway }: { n8n: N8n; gateway: Simulator },
): Promise<void> {
	await page.goto(`${n8n.url}/workflow/new`);
	await page.getByTestId('canvas-add-button').click();
	await chooseNode(page, 'messaging', 'Messaging Gateway');
	await page.getByText('On message received').click();
	await page.getByText('Test this trigger').click();
	await waitFor('the webhook for the test', () =>
		gateway.webhooks().some(({ url }) => url.includes('/webhook-test/')),
	);
	gateway.write('Good morning! Do you have pão de queijo today?');
	await page.getByTestId('output-panel').getByText('replyTo').first().waitFor();
	await closePanel(page);

	await page.getByTestId('canvas-handle-plus').click();
	await chooseNode(page, 'if', /^If/);
	await drag(page, 'text', page.getByTestId('filter-condition-left'));
	await page.getByTestId('filter-operator-select').click();
	await page.getByText('String', { exact: true }).hover();
	await page.getByText('is not empty', { exact: true }).first().click();
	await waitFor('the If node to find the text', async () => {
		// The editor takes over what was changed a moment later: a step executed at once may run without it.
		await page.getByTestId('node-execute-button').click();
		return await appears(page.getByTestId('output-panel').getByText('True Branch (1 item)'));
	});
	await closePanel(page);

	await page.getByTestId('canvas-handle-plus').first().click();
	await chooseNode(page, 'messaging', 'Messaging Gateway');
	await page.getByText('Send text message to person or group').click();

	await page.getByTestId('rlc-mode-selector').click();
	await page.getByText('By ID', { exact: true }).last().click();
	await drag(page, 'replyTo', page.getByTestId('rlc-input-container'));
	const text = page.getByTestId('parameter-input-text');
	await text.locator('textarea').fill('My own answer to:');
	await drag(page, 'text', text);
}

/** Makes a workflow of three operations, by choosing from lists and typing a number as people write it. */
export async function buildThreeOperations(
	page: Page,
	{ n8n }: { n8n: N8n },
	group: string,
): Promise<void> {
	await page.goto(`${n8n.url}/workflow/new`);
	await page.getByTestId('canvas-add-button').click();
	await chooseNode(page, 'manual', 'Trigger manually');

	await addOperation(page, 'Normalize phone number');
	await page.getByTestId('parameter-input-phone').locator('input').fill('+55 (11) 98765-4321');
	await executeStep(page, '5511987654321');

	await addOperation(page, 'Send text message to person or group');
	await page.getByTestId('rlc-mode-selector').click();
	await page.getByText('From list', { exact: true }).last().click();
	await page.getByTestId('rlc-input').click();
	await page.getByTestId('rlc-item').filter({ hasText: group }).click();
	await page.getByTestId('parameter-input-text').locator('textarea').fill('Bom dia a todos!');
	await executeStep(page, 'messageId');

	await addOperation(page, 'Get many groups');
	await executeStep(page, group);
}

async function addOperation(page: Page, action: string): Promise<void> {
	await page.getByTestId('canvas-handle-plus').click();
	await chooseNode(page, 'messaging', 'Messaging Gateway');
	await page.getByText(action, { exact: true }).click();
}

/** Presses Execute step, looks for a text in the output, and closes the panel. */
async function executeStep(page: Page, text: string): Promise<void> {
	// The editor takes over what was typed a moment later.
	await page.waitForTimeout(1_500);
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('output-panel').getByText(text, { exact: true }).first().waitFor();
	await closePanel(page);
}

/** Step 5. */
export async function publishWorkflow(page: Page): Promise<void> {
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
	await page.getByText('Workflow published').waitFor();
}

export async function closePanel(page: Page): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
}

async function chooseNode(page: Page, search: string, name: string | RegExp): Promise<void> {
	await page.getByTestId('node-creator-search-bar').fill(search);
	await page.getByTestId('item-iterator-item').filter({ hasText: name }).first().click();
}

/** Drags a field of the panel's input onto a parameter; once more if the panel moved under the mouse. */
export async function drag(page: Page, field: string, target: Locator): Promise<void> {
	const fields = page.getByTestId('run-data-schema-item').locator('[data-target="mappable"]');
	await waitFor(`${field} to be where it was dropped`, async () => {
		const start = await middleOf(fields.filter({ hasText: new RegExp(`^${field}$`) }).first());
		const end = await middleOf(target.first());
		await page.mouse.move(start.x, start.y);
		await page.mouse.down();
		await page.mouse.move(start.x + 40, start.y + 20, { steps: 5 });
		await page.mouse.move(end.x, end.y, { steps: 10 });
		await page.waitForTimeout(300);
		await page.mouse.up();
		return await appears(target.filter({ hasText: `.${field} }}` }));
	});
}

/** Whether it can be seen within a moment. */
async function appears(locator: Locator): Promise<boolean> {
	return await locator
		.first()
		.waitFor({ timeout: 5_000 })
		.then(() => true)
		.catch(() => false);
}

async function middleOf(element: Locator): Promise<{ x: number; y: number }> {
	await element.waitFor();
	// The panel slides in.
	await element.page().waitForTimeout(500);
	const box = await element.boundingBox();
	if (box === null) throw new Error('An element of the editor cannot be seen.');
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
