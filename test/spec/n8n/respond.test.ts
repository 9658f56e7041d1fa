import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
	detachResponse,
	followResponse,
	type ConfirmWhen,
	type Decision,
	type WebhookResponse,
} from '../../../nodes/MessagingGateway/n8n/respond';

interface Received {
	status?: number;
	body: string;
}

/** Serves one request over a real connection; `handle` gets the response and a way to make the sender hang up. */
async function serve(
	handle: (
		response: ServerResponse,
		hangUp: () => Promise<void>,
		received: Promise<Received>,
	) => Promise<void>,
) {
	const server = createServer();
	await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const outgoing = request({ port, host: '127.0.0.1', method: 'POST' });
	outgoing.on('error', () => {});
	const received = new Promise<Received>((resolve) => {
		outgoing.on('response', (incoming) => {
			void text(incoming).then((body) => resolve({ status: incoming.statusCode, body }));
		});
	});
	const arrived = new Promise<ServerResponse>((resolve) => {
		server.once('request', (_incoming, response: ServerResponse) => resolve(response));
	});
	outgoing.end();
	const response = await arrived;
	// As Express does, n8n's server.
	const status = (code: number) => ({ json: (body: object) => answer(response, code, body) });
	Object.assign(response, { status });
	try {
		const hangUp = async () => {
			const closed = new Promise((resolve) => void response.once('close', resolve));
			outgoing.destroy();
			await closed;
		};
		await handle(response, hangUp, received);
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

const takes = {
	followed: (response: ServerResponse, confirmWhen: ConfirmWhen) =>
		followResponse(response as unknown as WebhookResponse, confirmWhen),
	detached: (response: ServerResponse, confirmWhen: ConfirmWhen = 'started') =>
		detachResponse(response as unknown as WebhookResponse, confirmWhen),
};

/** Answers as Express does. */
function answer(response: ServerResponse, status: number, body?: object, isBytes = false): void {
	const json = body && JSON.stringify(body);
	response.statusCode = status;
	if (json) response.setHeader('content-length', Buffer.byteLength(json));
	response.end(json && isBytes ? Buffer.from(json) : json);
}

const AGAIN = '{"error":"Not accepted yet, send it again"}';

const NO_DATA = 'Workflow executed successfully but no data was returned';

describe.each(['followed', 'detached'] as const)('a response that is %s', (how) => {
	it.each<[ConfirmWhen, number, string | undefined, Decision, number]>([
		['started', 200, 'Workflow was started', 'accepted', 200],
		// It has failed, so it has started.
		['started', 500, 'Error in workflow', 'accepted', 500],
		['started', 500, 'There was a problem executing the workflow', 'deferred', 500],
		['started', 404, 'Not registered', 'deferred', 404],
		['succeeded', 200, undefined, 'accepted', 200],
		['succeeded', 500, 'Error in workflow', 'deferred', 500],
		['succeeded', 200, NO_DATA, 'deferred', 503],
	])(
		'if an execution is to have %s, takes %i %s for %s',
		async (confirmWhen, status, message, decision, passedOn) => {
			await serve(async (response, _hangUp, received) => {
				const { sender, responded } = takes[how](response, confirmWhen);
				answer(response, status, message ? { message } : undefined, how === 'detached');
				expect(await responded).toBe(decision);
				expect(response.headersSent).toBe(how === 'followed');
				// If n8n's response was passed on, this does nothing.
				sender.status(200).json({});
				const own = message ? JSON.stringify({ message }) : '';
				const expected = { status: passedOn, body: passedOn === 503 ? AGAIN : own };
				expect(await received).toEqual(how === 'followed' ? expected : { status: 200, body: '{}' });
			});
		},
	);

	it('goes to the sender in place of that of n8n', async () => {
		await serve(async (response, _hangUp, received) => {
			takes[how](response, 'succeeded').sender.status(200).json({ message: 'Received' });
			expect(await received).toEqual({ status: 200, body: '{"message":"Received"}' });
		});
	});
});

it('lets n8n change headers and respond when the sender has its response already', async () => {
	await serve(async (response, _hangUp, received) => {
		const { sender, responded } = takes.detached(response);
		sender.status(200).json({ message: 'Received' });
		await received;
		response.setHeader('x-n8n', 'yes');
		response.setHeaders(new Map([['x-n8n', 'yes']]));
		response.appendHeader('x-n8n', 'yes');
		response.removeHeader('content-type');
		answer(response, 500, { message: 'There was a problem executing the workflow' });
		expect(await responded).toBe('deferred');
	});
});
