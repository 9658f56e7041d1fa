import { createServer, type Server } from 'node:http';
import { startHaproxy } from '../../host/haproxy';
import { findFreePort } from '../../host/ports';
import type { Service } from '../../host/service';
import { waitFor } from '../../host/waiting';
import { STARTING_UP } from '../support/tally';

// Who stands in for n8n here starts at the very moment that hurts most, which a real n8n meets only now and then.

let haproxy: Service;
let port: number;
let n8nPort: number;
let n8n: Server | undefined;

beforeAll(async () => {
	[port, n8nPort] = [await findFreePort(), await findFreePort()];
	haproxy = await startHaproxy(port, n8nPort);
});

afterAll(async () => {
	await stop();
	await haproxy?.stop();
});

/** Answers 200 to everything, as n8n does while it starts; its readiness alone tells. */
async function listen(isReady: boolean): Promise<void> {
	const server = createServer(({ url }, response) => {
		const asksReadiness = url === '/healthz/readiness';
		response.writeHead(asksReadiness && !isReady ? 503 : 200);
		response.end(isReady ? 'taken' : STARTING_UP);
	});
	n8n = server;
	await new Promise<void>((resolve) => server.listen(n8nPort, '127.0.0.1', resolve));
}

async function stop(): Promise<void> {
	const server = n8n;
	if (server === undefined) return;
	n8n = undefined;
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
}

/** Answers what the sender of a delivery is told. */
async function deliver(): Promise<{ status: number; said: string }> {
	const answer = await fetch(`http://127.0.0.1:${port}/webhook/x`, { method: 'POST', body: '{}' });
	return { status: answer.status, said: await answer.text() };
}

it('a delivery that was refused is not tried again, and does not meet an n8n that has begun to start meanwhile', async () => {
	await listen(true);
	await waitFor(
		'the proxy to let a delivery through',
		async () => (await deliver()).status === 200,
	);
	await stop();
	const refused = deliver();
	// The proxy has met the refusal by the time that it answers others so.
	await waitFor('the proxy to answer by itself', async () => (await deliver()).status === 503);
	await listen(false);
	expect((await refused).said).not.toBe(STARTING_UP);
	expect((await refused).status).toBe(503);
	expect((await deliver()).status).toBe(503);
});
