import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { followAnswer } from '../../../../nodes/MessagingGateway/trigger/delivery/followAnswer';
import type { WebhookResponse } from '../../../../nodes/MessagingGateway/trigger/delivery/http';

/** Serves one request over a real connection; `handle` gets the response and a way to make the sender hang up. */
async function serve(
	handle: (response: ServerResponse, hangUp: () => Promise<void>) => Promise<void>,
) {
	const server = createServer();
	await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const outgoing = request({ port, host: '127.0.0.1', method: 'POST' });
	outgoing.on('error', () => {});
	outgoing.on('response', (incoming) => incoming.resume());
	const arrived = new Promise<ServerResponse>((resolve) => {
		server.once('request', (_incoming, response: ServerResponse) => resolve(response));
	});
	outgoing.end();
	const response = await arrived;
	try {
		await handle(response, async () => {
			const closed = new Promise((resolve) => void response.once('close', resolve));
			outgoing.destroy();
			await closed;
		});
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

const asSeenByTrigger = (response: ServerResponse) => response as unknown as WebhookResponse;

it.each([
	[200, 'started'],
	[204, 'started'],
	[500, 'refused'],
	[404, 'refused'],
])('takes an answer of %i for %s', async (status, outcome) => {
	await serve(async (response) => {
		const followed = followAnswer(asSeenByTrigger(response));
		response.statusCode = status;
		response.end('{}');
		expect(await followed).toBe(outcome);
	});
});

it.each([
	[200, 'started'],
	[500, 'refused'],
])('still learns of an answer of %i after the sender has hung up: %s', async (status, outcome) => {
	await serve(async (response, hangUp) => {
		const followed = followAnswer(asSeenByTrigger(response));
		await hangUp();
		response.statusCode = status;
		response.end('{}');
		expect(await followed).toBe(outcome);
	});
});

it('also when the sender was gone before it was asked', async () => {
	await serve(async (response, hangUp) => {
		await hangUp();
		response.end('{}');
		expect(await followAnswer(asSeenByTrigger(response))).toBe('started');
	});
});

it('waits as long as n8n does when it has too many executions: what it has taken it starts in the end', async () => {
	await serve(async (response, hangUp) => {
		const followed = followAnswer(asSeenByTrigger(response));
		await hangUp();
		const early = Promise.race([followed, Promise.resolve('nothing yet')]);
		expect(await early).toBe('nothing yet');
		response.end('{}');
		expect(await followed).toBe('started');
	});
});
