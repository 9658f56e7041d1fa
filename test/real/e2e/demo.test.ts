import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { N8nApi } from '../../host/api';
import { startN8n } from '../../host/n8n';
import { OWNER } from '../../host/owner';
import { projectFolder } from '../../host/places';

const execute = promisify(execFile);
const data = mkdtempSync(join(tmpdir(), 'demo-'));

afterAll(() => {
	rmSync(data, { recursive: true, force: true });
});

/** What `npm start -- --check` runs when all is set up. Rejects when it does not end with 0. */
async function check(): Promise<string> {
	const args = ['--import', 'tsx', 'tools/demo/start.ts', '--check', '--data', data];
	return (await execute(process.execPath, args, { cwd: projectFolder })).stdout;
}

/** Takes a port unless somebody has it already: either way it is not free. */
async function occupy(port: number): Promise<Server> {
	const server = createServer();
	await new Promise<void>((resolve) => {
		server.once('error', () => resolve());
		server.listen(port, '127.0.0.1', () => resolve());
	});
	return server;
}

it('works the first time, and again with the usual ports taken', async () => {
	expect(await check()).toMatch(/The reply arrived in the phone[^]*The demo works/);

	const servers = [await occupy(5678), await occupy(3100)];
	try {
		expect(await check()).toMatch(/The reply arrived in the phone[^]*The demo works/);
	} finally {
		for (const server of servers) server.close();
	}
});

it('has made everything once and kept it', async () => {
	const n8n = await startN8n({ folder: join(data, 'n8n') });
	try {
		const api = new N8nApi(n8n.url);
		await api.signIn(OWNER.email, OWNER.password);
		expect((await api.listCredentials()).map(({ type }) => type).sort()).toEqual([
			'messagingGatewayAccountApi',
			'messagingGatewayInstanceApi',
		]);
		const workflows = await api.listWorkflows();
		expect(workflows).toEqual([expect.objectContaining({ activeVersionId: expect.any(String) })]);
		const executions = await api.listExecutions(workflows[0].id);
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
	} finally {
		await n8n.stop();
	}
});
