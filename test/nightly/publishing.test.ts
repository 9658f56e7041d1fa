import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { chain, makeNode, makeTrigger } from '../../host/drafts/nodes';
import { createTriggerWorkflow } from '../../host/drafts/workflows';
import { openEditor, type Editor } from '../../host/editor';
import { startHost, type Host } from '../../host/host';
import { projectFolder } from '../../host/places';
import type { FaultPlan } from '../../simulator';

// What n8n shows where it does not publish, held against the page that people look it up in.

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

const PAGE = readFileSync(join(projectFolder, 'docs', 'troubleshooting.md'), 'utf8');

/** A trigger that confirms on success, with a node behind it that makes each of its executions fail. */
function draftRefused(): INode[] {
	const respond = makeNode(
		'n8n-nodes-base.respondToWebhook',
		'Answer Gateway',
		{ respondWith: 'noData' },
		{ typeVersion: 1.4, position: [300, 0] },
	);
	const trigger = makeTrigger(host.credentials.account, {
		events: ['MESSAGE.RECEIVED'],
		options: { maxPerExecution: 5_000 },
	});
	return [trigger, respond];
}

it.each([
	['alone in its workflow', [], 'Workflow could not be published'],
	[
		'beside a trigger that is fine',
		[
			makeNode(
				'n8n-nodes-base.scheduleTrigger',
				'Daily',
				{},
				{ typeVersion: 1.2, position: [0, 300] },
			),
		],
		'Some triggers could not be activated',
	],
])('a trigger %s is refused with what the page names', async (_where, others, title) => {
	const nodes = draftRefused();
	const { id } = await host.api.createWorkflow({
		name: 'Refused',
		nodes: [...nodes, ...others],
		connections: chain(nodes),
	});
	const { page } = editor;
	await page.goto(`${host.n8n.url}/workflow/${id}`);
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
	await page.getByText('Publishing…').first().waitFor();
	await page.getByText(title).first().waitFor();
	await page.getByText('cannot be Max per Execution').first().waitFor();
	for (const text of [title, 'Publishing…']) expect(PAGE).toContain(`*${text}*`);
	expect(host.gateway.webhooks()).toEqual([]);
});

it.each<[string, FaultPlan['fault']]>([
	['does not answer', 'cutBefore'],
	['refuses the token', { status: 401 }],
])(
	'after a first publication while the gateway %s, the next one is enough',
	async (_how, fault) => {
		const { api, gateway } = host;
		const { id, url } = await createTriggerWorkflow(host, {
			parameters: { events: ['MESSAGE.RECEIVED'] },
		});
		gateway.faults.add({ match: { path: '/v1/webhooks' }, times: 'always', fault });
		await expect(api.publish(id)).rejects.toThrow('was not published');
		gateway.faults.clear();
		await api.publish(id);
		expect(gateway.webhooks()).toMatchObject([{ url }]);
		gateway.write('Hello');
		expect(await api.waitForExecutions(id, 1)).toMatchObject([{ status: 'success' }]);
		await api.deleteWorkflow(id);
	},
);
