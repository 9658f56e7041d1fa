import type { Page } from 'playwright-core';
import { chain, makeNothing, makeTrigger } from '../../host/drafts/nodes';
import { buildFirstWorkflow } from '../../host/newcomer';
import { waitFor } from '../../host/waiting';
import type { Take } from './picture';

/** The dialog of the instance credential, tested. */
export const takeCredential: Take = async (page, { n8n }) => {
	await page.setViewportSize({ width: 1280, height: 1080 });
	await page.goto(`${n8n.url}/home/credentials`);
	await page.getByRole('heading', { name: 'Messaging Gateway instance' }).click();
	await page.getByTestId('credentials-config-container-test-success').waitFor();
	await page.mouse.move(0, 0);
	await page.waitForTimeout(500);
	return await page.getByTestId('editCredential-modal').screenshot();
};

/** The trigger's parameters, and an event that has just arrived. */
export const takeTrigger: Take = async (page, { n8n, gateway, workflow }) => {
	await page.setViewportSize({ width: 1440, height: 780 });
	await page.goto(`${n8n.url}/workflow/${workflow?.id}`);
	await page.getByTestId('canvas-node').filter({ hasText: 'Message Received' }).dblclick();
	await page.getByTestId('trigger-execute-button').click();
	await waitFor('the webhook for the test', () =>
		gateway.webhooks().some(({ url }) => url.includes('/webhook-test/')),
	);
	gateway.write('Good morning! Do you have pão de queijo today?');
	const output = page.getByTestId('output-panel');
	await output.getByTestId('radio-button-schema').click();
	await output.getByText('replyTo').waitFor();
	await clearAway(page);

	const panel = await page.getByTestId('ndv').boundingBox();
	const parameters = await page.getByTestId('node-parameters').boundingBox();
	const arrived = await output.boundingBox();
	if (!panel || !parameters || !arrived) throw new Error('The panel of the trigger is not open.');
	const { x } = parameters;
	const { y } = arrived;
	return await page.screenshot({
		clip: { x, y, width: panel.x + panel.width - x, height: panel.y + panel.height - y },
	});
};

/** The panel of Send Text, filled in by dragging what the trigger has received. */
export const takeSendText: Take = async (page, stage) => {
	await page.setViewportSize({ width: 1440, height: 800 });
	await buildFirstWorkflow(page, stage);
	await clearAway(page);
	return await page.getByTestId('ndv').screenshot();
};

/** What a person finds whose token the gateway does not accept any more: the trigger checks that by itself. */
export const takeAlarm: Take = async (page, { api, n8n, gateway }) => {
	const account = (await api.listCredentials()).find(
		({ type }) => type === 'messagingGatewayAccountApi',
	);
	if (!account) throw new Error('The demo has no account credential.');
	const nodes = [
		makeTrigger(account, {}, { name: 'Message Received' }),
		{ ...makeNothing('Answer the Customer'), position: [240, 0] as [number, number] },
	];
	const { id } = await api.createWorkflow({
		name: 'Support inbox',
		nodes,
		connections: chain(nodes),
	});
	await api.publish(id);
	gateway.faults.add({ match: { path: '/v1/webhooks' }, times: 'always', fault: { status: 401 } });
	const [alarm] = await waitFor(
		'the alarm, some minutes after the publication',
		async () => {
			const failed = await api.listExecutions(id, ['error']);
			return failed.length > 0 && failed;
		},
		240_000,
	);
	gateway.faults.clear();
	await page.setViewportSize({ width: 1440, height: 600 });
	await page.goto(`${n8n.url}/workflow/${id}/executions/${alarm.id}`);
	await page.getByTestId('canvas-node').filter({ hasText: 'Message Received' }).dblclick();
	await page.getByTestId('output-panel').getByText('The token is not valid').first().waitFor();
	await clearAway(page);
	const picture = await page.getByTestId('ndv').screenshot();
	await api.deleteWorkflow(id);
	return picture;
};

/** Takes away what lies over a panel for a moment. */
async function clearAway(page: Page): Promise<void> {
	const lying =
		'.el-notification, .el-popper, [role="tooltip"], [data-reka-popper-content-wrapper], [data-test-id="floating-nodes"]';
	await page.addStyleTag({ content: `${lying} { display: none !important; }` });
	await page.waitForTimeout(500);
}
