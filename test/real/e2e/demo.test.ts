import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { INode } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import { N8nApi } from '../../../host/api';
import { openBrowser } from '../../../host/browser';
import { OWNER } from '../../../host/owner';
import { projectFolder } from '../../../host/places';
import { findFreePort } from '../../../host/ports';
import { waitFor } from '../../../host/waiting';
import { readWorkflow } from '../../../host/workflows';
import type { Ports } from '../../../tools/demo/ports';
import { introduce } from '../../../tools/demo/present';
import { openStage, type Stage } from '../../../tools/demo/stage';

// What a person finds at each start of the demo who has tried, changed, and deleted things in between.

const FOREIGN = 'elsewhere.example';

const execute = promisify(execFile);
const data = mkdtempSync(join(tmpdir(), 'demo-'));

let ports: Ports;
let browser: Browser;
let stage: Stage | undefined;
/** What stands in the terminal. */
let told: string;
const workflows: Record<string, string> = {};

beforeAll(async () => {
	browser = await openBrowser([`--host-resolver-rules=MAP ${FOREIGN} 127.0.0.1`]);
	// Free ones in place of the usual, which somebody on this machine may be using.
	const [n8n, gateway, standIns, smtp, redis] = await Promise.all(
		[0, 0, 0, 0, 0].map(async (port) => await findFreePort(port)),
	);
	ports = { n8n, gateway, standIns, smtp, redis };
});

afterAll(async () => {
	await browser.close();
	await stage?.stop();
	rmSync(data, { recursive: true, force: true });
});

async function start(): Promise<Stage> {
	await stage?.stop();
	stage = undefined;
	stage = await openStage({ folder: data, ports });
	told = introduce(stage, '9.9 s');
	return stage;
}

const now = (): Stage => {
	if (stage === undefined) throw new Error('The demo is not running.');
	return stage;
};

/** Somebody writes, and all that is to come has come. Answers what the number has answered. */
async function write(text: string): Promise<string[]> {
	const { gateway, api } = now();
	const { length } = gateway.acceptedSends();
	gateway.write(text);
	await gateway.drained();
	await waitFor('all executions to end', async () => {
		for (const id of Object.values(workflows))
			if ((await api.listExecutions(id, ['running', 'new', 'waiting'])).length > 0) return false;
		return true;
	});
	await gateway.drained();
	return gateway
		.acceptedSends()
		.slice(length)
		.map((send) => send.text);
}

/** Imports an example as the person does, with the credentials that the demo has made. */
async function publishExample(name: string): Promise<void> {
	const { api } = now();
	const stored = await api.listCredentials();
	const credentials = Object.fromEntries(stored.map((credential) => [credential.type, credential]));
	const draft = readWorkflow(join(projectFolder, 'examples', `${name}.json`), credentials);
	workflows[name] = (await api.createWorkflow(draft)).id;
	await api.publish(workflows[name]);
}

const webhookUrls = () =>
	now()
		.gateway.webhooks()
		.map(({ url }) => url);

it('works the first time, and tries itself out without a person', async () => {
	const args = ['--import', 'tsx', 'tools/demo/start.ts', '--check', '--data', data];
	const { stdout } = await execute(process.execPath, args, { cwd: projectFolder });
	expect(stdout).toMatch(/The reply arrived in the phone[^]*The demo works/);
});

describe('a later start, on other ports', () => {
	it('says where everything is, with the password of this installation', async () => {
		const { n8n, gateway, standIns, api, workflow, password } = await start();
		workflows.own = workflow?.id ?? '';
		for (const address of [gateway.pageUrl, n8n.url, standIns.mailPageUrl, data])
			expect(told).toContain(address);
		expect(told).toContain(`${n8n.url}/workflow/${workflows.own}`);
		expect(told).toContain(`Sign in with ${OWNER.email} and the password ${password}`);
		expect(password).toMatch(/^[A-Z][A-Za-z0-9]{14}[0-9]$/);
		await new N8nApi(n8n.url).signIn(OWNER.email, password);
		await expect(new N8nApi(n8n.url).signIn(OWNER.email, OWNER.password)).rejects.toThrow('401');
		expect((await api.listWorkflows()).map(({ id }) => id)).toEqual([workflows.own]);
		expect((await api.listCredentials()).map(({ type }) => type).sort()).toEqual([
			'messagingGatewayAccountApi',
			'messagingGatewayInstanceApi',
			'openAiApi',
			'redis',
			'smtp',
		]);
	});

	it('has moved the webhook along, and the workflow answers once', async () => {
		expect(told).toMatch(/Published again, .*: "Messaging Gateway demo"\./);
		expect(told).toMatch(/Deleted at the gateway, .*: 1 webhook\./);
		expect(webhookUrls()).toEqual([expect.stringContaining(`${now().n8n.url}/webhook/`)]);
		expect(await write('Bom dia')).toEqual(['You wrote: Bom dia']);
	});

	it('lets the AI agent be tried without an account', async () => {
		await now().api.unpublish(workflows.own);
		await publishExample('ai-agent');
		expect(await write('My name is Ana. When do you open?')).toEqual([
			expect.stringMatching(/^Nice to meet you, Ana! Opening hours: Monday to Saturday/),
		]);
		expect(await write('What is my name?')).toEqual(['You are Ana.']);
	});

	it('counts for who processes strictly once', async () => {
		await now().api.unpublish(workflows['ai-agent']);
		await publishExample('strict-once-only');
		now().gateway.setDelivery({ duplicate: 3 });
		expect(await write('Two loaves')).toEqual(['Your order was taken, once: Two loaves']);
		now().gateway.setDelivery({ duplicate: 1 });
		await now().api.deleteWorkflow(workflows['strict-once-only']);
		delete workflows['strict-once-only'];
		await now().api.publish(workflows['ai-agent']);
	});

	it('shows the alarm of the connection watch in the mailbox', async () => {
		await publishExample('connection-watch');
		const phone = await browser.newPage();
		await phone.goto(now().gateway.pageUrl);
		await phone.getByRole('button', { name: 'Logged out', exact: true }).click();
		const mailbox = await browser.newPage();
		await mailbox.goto(now().standIns.mailPageUrl);
		await mailbox.getByRole('heading', { name: 'The number was logged out' }).waitFor();
		await phone.getByRole('button', { name: 'Connected', exact: true }).click();
		await phone.locator('#pill', { hasText: 'Connected' }).waitFor();
		await phone.close();
		await mailbox.close();
	});
});

it('gives a web page nothing whose name was made to lead to this machine', async () => {
	const { gateway, n8n, standIns, password } = now();
	const [{ secret }] = gateway.webhooks();
	const visitor = await browser.newPage();
	for (const [url, paths] of [
		[
			gateway.pageUrl,
			['/simulator/info', '/simulator/webhooks', '/simulator/state', '/v1/webhooks'],
		],
		[standIns.mailPageUrl, ['/mails', '/v1/models']],
		[n8n.url, ['/rest/workflows', '/rest/credentials', '/rest/executions', '/rest/login']],
	] as const) {
		await visitor.goto(url.replace('127.0.0.1', FOREIGN));
		const answers = await visitor.evaluate(
			async (asked) =>
				await Promise.all(
					asked.map(async (path) => {
						const answer = await fetch(path);
						return { status: answer.status, text: await answer.text() };
					}),
				),
			paths,
		);
		const heard = (await visitor.content()) + JSON.stringify(answers);
		for (const { status } of answers) expect([401, 421]).toContain(status);
		for (const precious of [
			gateway.accountToken,
			gateway.instanceToken,
			secret,
			password,
			'logged out',
		])
			expect(heard).not.toContain(precious);
	}
	await visitor.close();
});

describe('the next start, on the same ports', () => {
	it('leaves everything as the person has left it', async () => {
		const before = now().gateway.webhooks();
		await draftAnotherPrompt();
		const { password } = now();
		const { api } = await start();
		expect(now().password).toBe(password);
		expect(now().gateway.webhooks()).toEqual(before);
		expect(told).not.toMatch(/Published again|Another program|Removed/);
		expect(told).toContain('You have unpublished it: it does not answer.');
		const published = (await api.listWorkflows()).filter((each) => each.activeVersionId !== null);
		expect(published.map(({ id }) => id).sort()).toEqual(
			[workflows['ai-agent'], workflows['connection-watch']].sort(),
		);
		expect(await write('What is my name?')).toEqual(['You have not told me your name yet.']);
	});
});

describe('a start with ports taken by another program', () => {
	const servers: Server[] = [];

	afterAll(async () => {
		for (const server of servers) await new Promise((resolve) => server.close(resolve));
	});

	it('says so, and everything works at the new addresses', async () => {
		const versions = await publishedVersions();
		await now().stop();
		for (const port of Object.values(ports)) servers.push(await occupy(port));
		const { n8n, gateway, standIns } = await start();
		for (const [port, instead] of [
			[ports.n8n, n8n.port],
			[ports.gateway, Number(new URL(gateway.pageUrl).port)],
			[ports.standIns, Number(new URL(standIns.mailPageUrl).port)],
			[ports.smtp, standIns.smtp.port],
			[ports.redis, standIns.redis.port],
		])
			expect(told).toMatch(
				new RegExp(`Another program has port ${port}, so .* is at port ${instead} this time\\.`),
			);
		expect(told).toMatch(/Published again, .*"AI agent/);
		expect(told).toMatch(/Published again, .*"Connection watch"/);
		expect(told).toMatch(/Deleted at the gateway, .*: 2 webhooks/);
		expect(webhookUrls()).toHaveLength(2);
		for (const url of webhookUrls()) expect(url).toContain(`${n8n.url}/webhook/`);
		expect(await publishedVersions()).toEqual(versions);
		expect(await write('When do you open?')).toEqual([
			expect.stringContaining('Opening hours: Monday'),
		]);
		gateway.setConnection('BANNED');
		const mailbox = await browser.newPage();
		await mailbox.goto(standIns.mailPageUrl);
		await mailbox.getByRole('heading', { name: 'The number was banned' }).waitFor();
		gateway.setConnection('CONNECTED');
		await mailbox.close();
	});
});

describe('the start after that, on the usual ports again', () => {
	it('has moved back, and what was deleted stays deleted', async () => {
		const { api } = now();
		await api.deleteWorkflow(workflows.own);
		delete workflows.own;
		const smtp = (await api.listCredentials()).find(({ type }) => type === 'smtp');
		await api.deleteCredential(smtp?.id ?? '');

		const { n8n } = await start();
		expect(told).not.toContain('Another program');
		expect(told).not.toContain('Workflow  ');
		expect(told).toMatch(/Deleted at the gateway, .*: 2 webhooks/);
		expect(webhookUrls()).toHaveLength(2);
		for (const url of webhookUrls()) expect(url).toContain(`${n8n.url}/webhook/`);
		expect(await now().api.listWorkflows()).toHaveLength(2);
		expect((await now().api.listCredentials()).map(({ type }) => type)).not.toContain('smtp');
		expect(await write('Where are you?')).toEqual([expect.stringContaining('Address')]);
	});
});

/** Changes what the AI agent knows, and does not publish it: that has to stay a draft. */
async function draftAnotherPrompt(): Promise<void> {
	const { api } = now();
	const { nodes } = await api.getWorkflow(workflows['ai-agent']);
	const changed = JSON.stringify(nodes).replace(
		'Opening hours: Monday',
		'Opening hours: never, not even Monday',
	);
	await api.updateWorkflow(workflows['ai-agent'], { nodes: JSON.parse(changed) as INode[] });
	const { versionId, activeVersionId } = await api.getWorkflow(workflows['ai-agent']);
	expect(versionId).not.toBe(activeVersionId);
}

/** What is published of each workflow. */
async function publishedVersions(): Promise<Array<string | null>> {
	const listed = await now().api.listWorkflows();
	return listed.map(({ activeVersionId }) => activeVersionId).sort();
}

/** Listens on a port, as another program would. It hangs up, since a browser that calls again would keep it from closing. */
async function occupy(port: number): Promise<Server> {
	const server = createServer((socket) => socket.destroy());
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', () => resolve());
	});
	return server;
}
