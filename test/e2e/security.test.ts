import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StoredCredential } from '../../host/api';
import { findInDatabase } from '../../host/database';
import { chain, choose, makeEntrance, makeNode, makeSend } from '../../host/drafts/nodes';
import {
	createTriggerWorkflow,
	runPublished,
	type TriggerDraft,
	type TriggerWorkflow,
} from '../../host/drafts/workflows';
import { outputOf, type Execution } from '../../host/executions';
import { credentialData, startHost, type Host } from '../../host/host';
import { waitFor } from '../../host/waiting';
import { deliver, makeEvent, post, type Kit } from '../contract/deliveries';
import { ANA, publishAsk } from '../support/drafts/asking';

/**
 * The lines of SECURITY.md that only a whole n8n can show, each under its own words. What the page says of n8n itself is
 * shown too: what changes there, has to change on the page.
 */

const MEGABYTE = 1_000_000;
const SHARED_SECRET = `whsec_${Buffer.alloc(32, 'shared').toString('base64')}`;

let host: Host;
let published: TriggerWorkflow;
let secret: string;

beforeAll(async () => {
	host = await startHost({
		n8n: { env: { N8N_PAYLOAD_SIZE_MAX: '1', N8N_FORMDATA_FILE_SIZE_MAX: '1' } },
	});
	published = await publishTrigger();
	secret = host.gateway.webhooks()[0].secret;
});

afterAll(async () => {
	await host?.stop();
});

const makeKit = (of = secret): Kit => ({
	secret: of,
	oldSecret: '',
	otherSecret: '',
	now: Math.floor(Date.now() / 1000),
});

async function publishTrigger(draft?: TriggerDraft): Promise<TriggerWorkflow> {
	const workflow = await createTriggerWorkflow(host, draft);
	await host.api.publish(workflow.id);
	return workflow;
}

const countOf = async ({ id }: TriggerWorkflow) => (await host.api.listExecutions(id)).length;

/** Receives one event and waits for what comes of it. */
async function receive(): Promise<Execution> {
	const count = await countOf(published);
	expect((await post(published.url, deliver(makeKit()))).status).toBe(200);
	return (await host.api.waitForExecutions(published.id, count + 1)).at(-1) as Execution;
}

describe('anybody on the internet who knows the webhook URL', () => {
	const send = async (contentType: string, body: string) =>
		(await post(published.url, deliver(makeKit('whsec_AAAA'), { contentType, body }))).status;

	it('makes n8n parse what they send before this package is asked', async () => {
		expect(await send('application/json', '{"a":')).toBe(422);
		expect(await send('application/json', '{}')).toBe(401);
	});

	it('sends no more than N8N_PAYLOAD_SIZE_MAX', async () => {
		const large = JSON.stringify({ padding: 'x'.repeat(2 * MEGABYTE) });
		expect(await send('application/json', large)).toBeGreaterThanOrEqual(413);
		expect(await send('application/json', large)).not.toBe(401);
	});
	it('sends no larger file in a form than N8N_FORMDATA_FILE_SIZE_MAX', async () => {
		const form = (bytes: number) =>
			`--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\nContent-Type: image/png\r\n\r\n${'x'.repeat(bytes)}\r\n--x--\r\n`;
		const type = 'multipart/form-data; boundary=x';
		expect(await send(type, form(1))).toBe(401);
		const status = await send(type, form(2 * MEGABYTE));
		expect(status).toBeGreaterThanOrEqual(413);
	});

	it('adds a line to n8n’s log with each request that n8n itself refuses, but not with each that this package does', async () => {
		const countLines = () => host.n8n.log().split('\n').length;
		const sendTen = async (body: string) => {
			for (let sent = 0; sent < 10; sent++) await send('application/json', body);
		};
		await send('application/json', '{}');
		const before = countLines();
		await sendTen('{}');
		const between = countLines();
		await sendTen('{"a":');
		await waitFor('the lines', () => countLines() - between >= 10);
		expect(between - before).toBeLessThanOrEqual(1);
	});

	it('starts no execution and leaves no failed one', async () => {
		expect(await countOf(published)).toBe(0);
	});
});

describe('an n8n user who may see executions', () => {
	it('cannot read the tokens', async () => {
		const { id } = await receive();
		const saved = JSON.stringify(await host.api.request('GET', `/executions/${id}`));
		expect(saved).toContain('evt_');
		expect(saved).not.toContain(host.gateway.accountToken);
	});

	it('can read the webhook’s secret neither', async () => {
		const { id } = await receive();
		const saved = JSON.stringify(await host.api.request('GET', `/executions/${id}`));
		expect(saved.includes(secret)).toBe(false);
		const warning = 'saves the secret of the webhook with every execution';
		expect(host.n8n.log().includes(warning)).toBe(false);
	});

	it('can read the secret of a question that waits for its answer', async () => {
		const question = await (await publishAsk(host)).ask();
		const saved = await host.api.request('GET', `/executions/${question.executionId}`);
		expect(JSON.stringify(saved)).toContain(question.webhook().secret);
		host.gateway.write('Yes', { phone: ANA });
		await question.answer();
		await waitFor('its webhook to go', () => host.gateway.webhooks().length === 1);
	});

	it('can read what waits, although executions are not saved', async () => {
		const workflow = await publishAsk(host);
		await host.api.updateWorkflow(workflow.id, {
			settings: {
				executionOrder: 'v1',
				saveDataSuccessExecution: 'none',
				saveDataErrorExecution: 'none',
			},
		});
		await host.api.publish(workflow.id);
		const question = await workflow.ask();
		const { secret: of } = question.webhook();
		expect(findInDatabase(host.n8n, of)).toContain('execution_data.data');
		host.gateway.write('Yes', { phone: ANA });
		await waitFor('its webhook to go', () => host.gateway.webhooks().length === 1);
	});

	it('cannot read it with manual webhook setup', async () => {
		const { account } = credentialData(host.gateway);
		const credential = await host.api.createCredential('messagingGatewayAccountApi', 'Manual', {
			...account,
			webhookSecret: SHARED_SECRET,
		});
		const workflow = await publishTrigger({ credential, parameters: { webhookSetup: 'manual' } });
		expect((await post(workflow.url, deliver(makeKit(SHARED_SECRET)))).status).toBe(200);
		await host.api.waitForExecutions(workflow.id, 1);
		expect(findInDatabase(host.n8n, SHARED_SECRET)).toEqual([]);
	});
});

describe('an n8n user who may read a workflow', () => {
	it('can read the secret of its webhook in n8n’s API', async () => {
		expect(JSON.stringify(await host.api.getWorkflow(published.id))).toContain(secret);
	});

	it('finds it in what export:workflow writes', async () => {
		const exported = await host.n8n.command('export:workflow', `--id=${published.id}`);
		expect(exported).toContain(secret);
	});
});

describe('whoever reads n8n’s database', () => {
	it('can read webhook secrets, but no token', () => {
		expect(findInDatabase(host.n8n, secret)).toContain('workflow_entity.staticData');
		for (const token of [host.gateway.accountToken, host.gateway.instanceToken])
			expect(findInDatabase(host.n8n, token)).toEqual([]);
	});

	it('finds neither in n8n’s log', () => {
		for (const text of [secret, host.gateway.accountToken, host.gateway.instanceToken])
			expect(host.n8n.log()).not.toContain(text);
	});
});

describe('an n8n user who may use a credential', () => {
	let echo: Server;
	let echoed: string[];

	beforeAll(async () => {
		echo = createServer(({ headers }, response) => {
			echoed.push(String(headers.authorization));
			response.setHeader('content-type', 'application/json').end(JSON.stringify(headers));
		}).listen(0, '127.0.0.1');
		await once(echo, 'listening');
	});

	beforeEach(() => {
		echoed = [];
	});

	afterAll(() => {
		echo.close();
		echo.closeAllConnections();
	});

	async function restrict(restriction: { [field: string]: string }): Promise<StoredCredential> {
		const { instance } = credentialData(host.gateway);
		const data = { ...instance, ...restriction };
		return await host.api.createCredential('messagingGatewayInstanceApi', 'Restricted', data);
	}

	/** Sends the token of a credential to an address of one's own, with n8n's HTTP Request node. */
	async function sendAway(restriction: { [field: string]: string }): Promise<Execution> {
		const credential = await restrict(restriction);
		const path = randomUUID();
		const nodes = [
			...makeEntrance(path),
			makeNode(
				'n8n-nodes-base.httpRequest',
				'Send Away',
				{
					url: `http://127.0.0.1:${(echo.address() as AddressInfo).port}/`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'messagingGatewayInstanceApi',
					options: {},
				},
				{ typeVersion: 4.2, ...choose(credential) },
			),
		];
		const draft = { name: 'Send away', nodes, connections: chain(nodes) };
		return await runPublished(host, draft, path, { items: [{}] });
	}

	it('cannot see the token in the editor', async () => {
		const { id } = host.credentials.instance;
		const shown = JSON.stringify(
			await host.api.request('GET', `/credentials/${id}?includeData=true`),
		);
		expect(shown).toContain(host.gateway.url);
		expect(shown).not.toContain(host.gateway.instanceToken);
	});

	it('can read its token by sending it to an address of their own with n8n’s HTTP Request node', async () => {
		const execution = await sendAway({});
		const [[{ json }]] = outputOf(execution, 'Send Away');
		expect(json.authorization).toBe(`Bearer ${host.gateway.instanceToken}`);
	});

	it('cannot where Allowed HTTP Request Domains is None', async () => {
		const execution = await sendAway({ allowedHttpRequestDomains: 'none' });
		expect(execution.status).toBe('error');
		expect(echoed).toEqual([]);
	});

	it('can use this package’s nodes all the same', async () => {
		const path = randomUUID();
		const credential = await restrict({ allowedHttpRequestDomains: 'none' });
		const nodes = [...makeEntrance(path), makeSend(credential)];
		const draft = { name: 'Send', nodes, connections: chain(nodes) };
		const items = [{ to: '5511987654321', text: 'allowed' }];
		expect((await runPublished(host, draft, path, { items })).status).toBe('success');
	});
	it('cannot where it is Specific Domains, and this is none of them', async () => {
		const execution = await sendAway({
			allowedHttpRequestDomains: 'domains',
			allowedDomains: 'gateway.example.com',
		});
		expect(execution.status).toBe('error');
		expect(echoed).toEqual([]);
	});
});

describe('somebody who recorded a genuine delivery', () => {
	const shared = async (name: string) => {
		const { account } = credentialData(host.gateway);
		return await host.api.createCredential('messagingGatewayAccountApi', name, {
			...account,
			webhookSecret: SHARED_SECRET,
		});
	};

	it('can run it in every workflow that shares one secret', async () => {
		const credential = await shared('Shared');
		const draft = { credential, parameters: { webhookSetup: 'manual' } };
		const recorded = deliver(makeKit(SHARED_SECRET));
		for (const workflow of [await publishTrigger(draft), await publishTrigger(draft)]) {
			expect((await post(workflow.url, recorded)).status).toBe(200);
			await host.api.waitForExecutions(workflow.id, 1);
		}
	});

	it('can repeat it within five minutes: it is known and dropped', async () => {
		const event = makeEvent();
		const recorded = deliver(makeKit(), { event });
		const before = await countOf(published);
		expect((await post(published.url, recorded)).status).toBe(200);
		const { length: count } = await host.api.waitForExecutions(published.id, before + 1);
		expect((await post(published.url, recorded)).status).toBe(200);
		expect(await countOf(published)).toBe(count);
	});
});
