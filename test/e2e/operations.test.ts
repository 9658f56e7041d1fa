import type { WorkflowDraft } from '../../host/api';
import { GATEWAY_NODE, lead, makeNode, makeStart } from '../../host/drafts/nodes';
import { runPublished } from '../../host/drafts/workflows';
import { outputOf, type Execution } from '../../host/executions';
import { describeRequest, documentedCalls, webhookCalls } from '../contract/document';
import { fanOut, nameOf } from '../support/drafts/everyOperation';
import { host, useHost } from '../support/host';

useHost();

const told = (execution: Execution) => execution.data.resultData.error?.message;

describe('every operation, published in a real n8n with the one credential that it asks for', () => {
	it('makes the requests of the API document, field by field, and puts out what was answered', async () => {
		const execution = await runPublished(
			host,
			fanOut(host, 'documented', documentedCalls),
			'documented',
		);

		expect([execution.status, told(execution)]).toEqual(['success', undefined]);
		expect(host.gateway.requests.map(describeRequest)).toEqual(
			documentedCalls.flatMap(({ requests }) => requests),
		);
		for (const call of documentedCalls) {
			const [items = []] = outputOf(execution, nameOf(call));
			expect([nameOf(call), items.map(({ json }) => json)]).toEqual([nameOf(call), call.output]);
			for (const { pairedItem } of items) expect(pairedItem).toEqual({ item: 0 });
		}
	});

	it('does so with a webhook that exists already', async () => {
		const { id } = host.gateway.createWebhook({
			url: 'https://example.com/receiver',
			events: ['MESSAGE.SENT'],
		});
		host.gateway.reset();
		const calls = webhookCalls(id);
		const execution = await runPublished(host, fanOut(host, 'existing', calls), 'existing');

		expect([execution.status, told(execution)]).toEqual(['success', undefined]);
		expect(host.gateway.requests.map(describeRequest)).toEqual(
			calls.flatMap(({ requests }) => requests),
		);
		expect(host.gateway.webhooks().map((webhook) => webhook.id)).not.toContain(id);
	});
});

describe('a node without its credential', () => {
	it.each([
		['group', 'Messaging Gateway Instance Token API'],
		['webhook', 'Messaging Gateway Account Token API'],
	])(
		'is not published, and the person reads which one to choose: %s',
		async (resource, credential) => {
			host.gateway.reset();
			const path = 'without-credential';
			const draft: WorkflowDraft = {
				name: path,
				nodes: [
					makeStart(path),
					makeNode(GATEWAY_NODE, 'Gateway', { resource, operation: 'getAll' }),
				],
				connections: { Start: { main: [lead(['Gateway'])] } },
			};
			await expect(runPublished(host, draft, path)).rejects.toThrow(
				`Missing required credential: ${credential}`,
			);
		},
	);
});
