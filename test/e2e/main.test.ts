import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { outputOf } from '../../host/executions';
import { startHost, type Host } from '../../host/host';
import { projectFolder } from '../../host/places';
import { readWorkflow } from '../../host/workflows';
import { makeNumbers } from '../../simulator';
import { checkReply } from '../../tools/demo/check';
import { untilForgedAreRefused } from '../support/settled';

let host: Host;
let workflowId: string;

beforeAll(async () => {
	// The demo's workflow answers from the number that was written to: the credential has to know all of them.
	host = await startHost({ n8n: {}, gateway: { furtherNumbers: makeNumbers(1) } });
	const draft = readWorkflow(
		join(projectFolder, 'tools', 'demo', 'workflow.json'),
		host.credentials,
	);
	workflowId = (await host.api.createWorkflow(draft)).id;
	await host.api.publish(workflowId);
});

afterAll(async () => {
	await host?.stop();
});

/** Older versions of n8n look at their webhooks when they start, which changes nothing. */
const listWebhookChanges = () =>
	host.gateway.requests.filter(
		({ method, path }) => path.startsWith('/v1/webhooks') && method !== 'GET',
	);

/** Posts a signed delivery to the registered webhook, its body as `tamper` leaves it after it was signed. */
async function deliver(tamper = (body: string) => body): Promise<Response> {
	const [{ url, secret }] = host.gateway.webhooks();
	const event = {
		id: `evt_${randomUUID()}`,
		type: 'MESSAGE.RECEIVED',
		instanceId: host.gateway.instanceId,
		timestamp: new Date().toISOString(),
		data: {
			messageId: 'm1',
			chat: { id: '5511987654321@lid' },
			fromMe: false,
			text: 'Good morning',
		},
	};
	const headers = host.gateway.sign(event, secret);
	return await fetch(url, { method: 'POST', headers, body: tamper(JSON.stringify(event)) });
}

describe('a published workflow', () => {
	it('answers a message written into the phone', async () => {
		const steps: string[] = [];
		await checkReply(host, workflowId, (step) => steps.push(step));

		expect(steps).toHaveLength(3);
		const [execution] = await host.api.waitForExecutions(workflowId, 1);
		expect(execution.status).toBe('success');
		expect(outputOf(execution, 'Reply')).toEqual([
			[
				expect.objectContaining({
					json: { messageId: expect.any(String) },
					pairedItem: { item: 0 },
				}),
			],
		]);
	});

	it('answers from the number that was written to', async () => {
		const [{ instanceId }] = host.gateway.furtherNumbers;
		const executions = (await host.api.listExecutions(workflowId)).length;
		host.gateway.write('Is this the other shop?', { instanceId });
		await host.api.waitForExecutions(workflowId, executions + 1);
		expect(host.gateway.acceptedSends().at(-1)).toMatchObject({
			instanceId,
			text: 'You wrote: Is this the other shop?',
		});
	});

	it('holds one webhook at the gateway, for its own address and its own events', () => {
		expect(host.gateway.webhooks()).toEqual([
			expect.objectContaining({
				url: expect.stringMatching(`^${host.n8n.url}/webhook/`),
				events: ['MESSAGE.RECEIVED'],
			}),
		]);
	});

	it('refuses a delivery with one byte changed and leaves no execution, not even a failed one', async () => {
		const before = await host.api.listExecutions(workflowId);
		await untilForgedAreRefused(host.gateway.webhooks()[0].url);

		const forged = await deliver((body) => body.replace('Good morning', 'Good morninG'));
		expect(forged.status).toBe(401);
		expect(await forged.text()).not.toMatch(/signature|secret|timestamp/i);

		// The genuine one that follows shows that the forged one had its chance.
		expect((await deliver()).status).toBe(200);
		const after = await host.api.waitForExecutions(workflowId, before.length + 1);
		expect(after).toHaveLength(before.length + 1);
		expect(after.at(-1)?.status).toBe('success');
	});

	it('still verifies after n8n was stopped and started, and registers nothing anew', async () => {
		const webhooks = host.gateway.webhooks();
		const requests = listWebhookChanges().length;
		const executions = (await host.api.listExecutions(workflowId)).length;

		await host.n8n.restart();
		await untilForgedAreRefused(webhooks[0].url);

		expect((await deliver((body) => body.replace('Good', 'Food'))).status).toBe(401);
		expect((await deliver()).status).toBe(200);
		await host.api.waitForExecutions(workflowId, executions + 1);
		expect(host.gateway.webhooks()).toEqual(webhooks);
		expect(listWebhookChanges()).toHaveLength(requests);
	});

	it('takes its webhook away when it is unpublished, and nothing else', async () => {
		const other = host.gateway.createWebhook({
			url: 'https://example.com/other',
			events: ['MESSAGE.RECEIVED'],
		});
		const [{ url }] = host.gateway.webhooks();

		await host.api.unpublish(workflowId);

		expect(host.gateway.webhooks()).toEqual([expect.objectContaining({ id: other.id })]);
		expect((await fetch(url, { method: 'POST' })).status).toBe(404);
	});
});

describe('the package', () => {
	it('offers its trigger in version 2, which spares n8n an expression per delivery', async () => {
		const answer = await fetch(`${host.n8n.url}/types/nodes.json`, {
			headers: { cookie: host.api.cookie },
		});
		const types = (await answer.json()) as Array<{ name: string; version: number | number[] }>;
		const ours = types.filter(({ name }) => name.startsWith('n8n-nodes-messaging-gateway.'));
		const versions = ours.map(
			({ name, version }) => [name.split('.')[1], [version].flat()] as const,
		);
		expect(Object.fromEntries(versions)).toMatchObject({
			messagingGateway: [1],
			messagingGatewayTrigger: [2],
		});
	});
});

describe('the credentials', () => {
	const badTokens = [
		[
			'account',
			{ accountToken: 'svc_acct_unknown' },
			'The gateway does not accept this account token.',
		],
		['account', { accountToken: 'svc_inst_misplaced' }, 'This is an instance token (svc_inst_…).'],
		[
			'instance',
			{ instanceToken: 'svc_inst_unknown' },
			'The gateway does not accept this instance token.',
		],
		['instance', { instanceToken: 'svc_acct_misplaced' }, 'This is an account token (svc_acct_…).'],
	] as const;

	it.each(badTokens)('tell what is wrong with %s %j', async (kind, wrong, told) => {
		const good = { baseUrl: host.gateway.url, [`${kind}Token`]: host.gateway[`${kind}Token`] };
		expect(await host.api.testCredential(host.credentials[kind], good)).toMatchObject({
			status: 'OK',
		});

		const { status, message } = await host.api.testCredential(host.credentials[kind], {
			...good,
			...wrong,
		});
		expect(status).toBe('Error');
		expect(message).toContain(told);
	});
});
