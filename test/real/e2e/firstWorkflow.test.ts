import { openEditor, type Editor } from '../../../host/editor';
import { startHost, type Host } from '../../../host/host';
import {
	buildFirstWorkflow,
	buildThreeOperations,
	closePanel,
	publishWorkflow,
} from '../../../host/newcomer';
import { waitFor } from '../../../host/waiting';
import { GROUP_NAMES, groupIdAt } from '../../../simulator';

let host: Host;
let editor: Editor;

beforeAll(async () => {
	host = await startHost();
	editor = await openEditor(host);
	editor.page.setDefaultTimeout(60_000);
});

afterAll(async () => {
	await editor?.close();
	await host?.stop();
});

it('answers on the phone when somebody built it by clicking, as the README tells', async () => {
	const { page } = editor;
	await buildFirstWorkflow(page, host);
	await closePanel(page);
	await publishWorkflow(page);

	await page.goto(host.gateway.pageUrl);
	await page.getByRole('textbox', { name: 'Write as Ana Souza' }).fill('Oi, tudo bem?');
	await page.keyboard.press('Enter');

	await page
		.getByText(/^My own answer to:\s+Oi, tudo bem\?$/)
		.first()
		.waitFor();
	const sends = await waitFor(
		'the send',
		() => host.gateway.acceptedSends().length > 0 && host.gateway.acceptedSends(),
	);
	expect(sends).toHaveLength(1);
});

it('does three operations that somebody chose from lists', async () => {
	const [group] = GROUP_NAMES;
	host.gateway.reset();
	await buildThreeOperations(editor.page, host, group);

	expect(host.gateway.acceptedSends()).toEqual([
		expect.objectContaining({ to: groupIdAt(0), text: 'Bom dia a todos!' }),
	]);
	await editor.page.goto(host.gateway.pageUrl);
	await editor.page.getByText('Bom dia a todos!').locator('visible=true').first().waitFor();
});
