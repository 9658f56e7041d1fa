import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { readDatabase } from '../../../host/database';
import { chain, choose, GATEWAY_NODE, lead, makeNode, makeStart } from '../../../host/drafts/nodes';
import {
	createTriggerWorkflow,
	publish,
	publishSendWorkflow,
	startPublished,
} from '../../../host/drafts/workflows';
import { openEditor } from '../../../host/editor';
import { startHost, type Host } from '../../../host/host';
import { findPlace } from '../../../host/places';
import { waitFor } from '../../../host/waiting';
import type { Fault } from '../../../simulator';
import { documentedCalls, to, webhookCalls } from '../../oracle/document';
import { findLeak } from '../../oracle/leaks';
import { fanOut } from '../drafts/everyOperation';
import { makeOperationNode } from '../drafts/operation';

const calls = [...documentedCalls, ...webhookCalls('wh_1')];

/** Far less than what any of these answers would take. */
const MOST_MEMORY = 300 * 1024 * 1024;

let host: Host;

beforeAll(async () => {
	host = await startHost({ n8n: { env: { N8N_LOG_LEVEL: 'debug' } } });
});

afterAll(async () => {
	await host?.stop();
});

const strike = (fault: Fault) => {
	host.gateway.faults.clear();
	host.gateway.faults.add({ fault, times: 'always' });
};

it('a token that the gateway echoes is in no saved execution, no workflow and no line of the log', async () => {
	const { api, gateway, n8n, credentials } = host;
	const id = await publish(api, fanOut(host, 'echo', calls, 'continueRegularOutput'));
	const trigger = await createTriggerWorkflow(host);
	strike({ kind: 'hostile', as: 'echo' });
	await api.publish(trigger.id);
	const statuses = [200, 302, 403];
	for (const [index, status] of statuses.entries()) {
		strike({ kind: 'hostile', as: 'echo', status });
		await startPublished(n8n.url, 'echo', {});
		await api.waitForExecutions(id, index + 1, 120_000);
	}
	for (const kind of ['account', 'instance'] as const) {
		const token = gateway[`${kind}Token`];
		const data = { baseUrl: gateway.url, [`${kind}Token`]: token };
		const answer = await api.testCredential(credentials[kind], data);
		expect(findLeak(answer.message, token)).toBeUndefined();
	}
	await api.unpublish(trigger.id);

	const saved = readDatabase(n8n);
	// As often as there were requests: otherwise there was nothing to find.
	expect(saved.split('[hidden]').length).toBeGreaterThan(calls.length * 2);
	expect(n8n.log()).toContain('debug');
	for (const token of [gateway.accountToken, gateway.instanceToken]) {
		expect(findLeak(saved, token)).toBeUndefined();
		expect(findLeak(n8n.log(), token)).toBeUndefined();
	}
});

it('an answer without end, or one that inflates, costs n8n little memory, and it answers others meanwhile', async () => {
	const { api, gateway, n8n } = host;
	gateway.reset();
	const options = { timeout: 3, concurrency: 5 };
	const settings = { onError: 'continueRegularOutput' } as const;
	const { id, start } = await publishSendWorkflow(host, { options, settings });
	const items = [...Array(5).keys()].map((index) => ({ to: `551190000000${index}`, text: 'Hi' }));
	for (const [index, as] of (['drip', 'dripHeaders', 'gzipBomb', 'endless'] as const).entries()) {
		strike({ kind: 'hostile', as });
		const before = n8n.memory();
		let most = before;
		let answers = 0;
		const ended = async () => {
			most = Math.max(most, n8n.memory());
			if ((await fetch(`${n8n.url}/healthz`)).ok) answers += 1;
			return (await api.listExecutions(id, ['success', 'error'])).length > index;
		};
		await start(items);
		await waitFor(`the end of "${as}"`, ended, 120_000);
		expect(most - before).toBeLessThan(MOST_MEMORY);
		expect(answers).toBeGreaterThan(0);
		await waitFor('the connections to end', () =>
			gateway.requests.every(({ finishedAt }) => finishedAt > 0),
		);
	}
	for (const { data } of await api.waitForExecutions(id, 4)) {
		const { main } = data.resultData.runData.Send[0].data!;
		expect(main[0]).toHaveLength(items.length);
		for (const { json } of main[0]!)
			expect(json.error).toMatchObject({
				outcome: 'unknown',
				message: expect.stringMatching(
					/(did not answer in time|larger than 1 MB).*may have been sent/,
				),
			});
	}
});

it('a file without end ends when n8n’s time for an execution is over', async () => {
	const { api, gateway, n8n, credentials } = host;
	gateway.reset();
	strike({ kind: 'hostile', as: 'dripFile' });
	const get = { resource: 'api', operation: 'request', path: '/v1/media' };
	const nodes = [
		makeStart('file'),
		makeNode(GATEWAY_NODE, 'Get', get, choose(credentials.instance)),
	];
	const settings = { executionOrder: 'v1', executionTimeout: 3 } as const;
	const id = await publish(api, { name: 'File', nodes, connections: chain(nodes), settings });
	await startPublished(n8n.url, 'file', {});
	const [{ status }] = await api.waitForExecutions(id, 1, 120_000);
	expect(status).toBe('canceled');
	await waitFor('the connection to end', () =>
		gateway.requests.every(({ finishedAt }) => finishedAt > 0),
	);
});

describe('HTML that the gateway sends is text in the editor', () => {
	const screenshots = join(findPlace('cache'), 'screenshots');
	mkdirSync(screenshots, { recursive: true });

	const SEND = { resource: 'message', operation: 'sendText' };

	/** Opens the panel of a node, with nothing before it but a start by hand. */
	async function openNode(page: Page, parameters: object): Promise<void> {
		const node = makeOperationNode(
			'Gateway',
			{
				...SEND,
				parameters: { ...parameters },
				requests: [{ method: 'POST', path: '/', token: 'instance' }],
			},
			host.credentials,
		);
		const { id } = await host.api.createWorkflow({
			name: 'Markup',
			nodes: [makeNode('n8n-nodes-base.manualTrigger', 'Start'), node],
			connections: { Start: { main: [lead(['Gateway'])] } },
		});
		await page.goto(`${host.n8n.url}/workflow/${id}/${node.id}`);
		await page.getByTestId('node-execute-button').waitFor();
	}

	it('in messages, descriptions, hints, lists and where a workflow cannot be published', async () => {
		const { api, gateway, n8n } = host;
		gateway.reset();
		const editor = await openEditor(host);
		const { page } = editor;
		page.setDefaultTimeout(60_000);
		const foreign: string[] = [];
		page.on('request', (request) => {
			if (new URL(request.url()).host === 'evil.example') foreign.push(request.url());
		});
		const expectText = async (where: string): Promise<void> => {
			await page.getByText('Sign in again').first().waitFor();
			await page.screenshot({ path: join(screenshots, `markup-${where}.png`) });
			const made = page.locator('[href*="evil.example"], [src*="evil.example"], #evil');
			expect([where, await made.count(), foreign, (await page.title()) === '1']).toEqual([
				where,
				0,
				[],
				false,
			]);
		};
		try {
			const parameters = { to: to('phone', '5511987654321'), text: 'Hello' };
			strike({ kind: 'hostile', as: 'markup', status: 400 });
			await openNode(page, parameters);
			await page.getByTestId('node-execute-button').click();
			await page.getByText('The message was not sent').first().waitFor();
			await expectText('error');

			gateway.faults.clear();
			gateway.faults.add({
				match: { path: '/v1/messages/presence' },
				fault: { kind: 'hostile', as: 'markup', status: 400 },
				times: 'always',
			});
			await openNode(page, { ...parameters, options: { typingSeconds: 1 } });
			await page.getByTestId('node-execute-button').click();
			await page.getByText('Typing could not be shown').first().waitFor();
			await expectText('hint');

			strike({ kind: 'hostile', as: 'markup' });
			await openNode(page, { ...parameters, to: to('list', '') });
			await page.getByTestId('rlc-input').click();
			await expectText('list');

			strike({ kind: 'hostile', as: 'markup', status: 400 });
			const trigger = await createTriggerWorkflow(host);
			await page.goto(`${n8n.url}/workflow/${trigger.id}`);
			await page.getByTestId('workflow-open-publish-modal-button').click();
			await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
			await expectText('publication');
			await api.deleteWorkflow(trigger.id);
		} finally {
			await editor.close();
		}
	}, 180_000);
});
