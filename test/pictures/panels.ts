import { waitFor } from '../host/waiting';
import type { Take } from './take';

/** The dialog of the instance credential, tested. */
export const takeCredential: Take = async (page, { n8n }) => {
	await page.goto(`${n8n.url}/home/credentials`);
	await page.getByRole('heading', { name: 'Messaging Gateway instance' }).click();
	await page.getByTestId('credentials-config-container-test-success').waitFor();
	await page.waitForTimeout(500);
	return await page.getByTestId('editCredential-modal').screenshot();
};

/** The trigger's parameters, and an event that has just arrived. */
export const takeTrigger: Take = async (page, { n8n, gateway, workflowId }) => {
	await page.setViewportSize({ width: 1440, height: 720 });
	await page.goto(`${n8n.url}/workflow/${workflowId}`);
	await page.getByTestId('canvas-node').filter({ hasText: 'Message Received' }).dblclick();
	const webhooks = gateway.webhooks().length;
	await page.getByTestId('trigger-execute-button').click();
	await waitFor('the webhook for the test', () => gateway.webhooks().length > webhooks);
	gateway.write('Good morning! Do you have pão de queijo today?');
	const output = page.getByTestId('output-panel');
	await output.getByTestId('radio-button-schema').click();
	await output.getByText('replyTo').waitFor();
	const inTheWay = '.el-popper, .el-notification, [data-test-id="floating-nodes"]';
	await page.addStyleTag({ content: `${inTheWay} { display: none !important; }` });
	await page.waitForTimeout(500);

	const panel = await page.getByTestId('ndv').boundingBox();
	const parameters = await page.getByTestId('node-parameters').boundingBox();
	if (panel === null || parameters === null) throw new Error('The panel of the trigger is not open.');
	const { x } = parameters;
	return await page.screenshot({ clip: { ...panel, x, width: panel.x + panel.width - x } });
};
