import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
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

const follow = (response: ServerResponse, confirmWhen: ConfirmWhen = 'started') =>
	followResponse(response as unknown as WebhookResponse, confirmWhen);

/** Answers as Express does. */
function answer(response: ServerResponse, status: number, body?: object, isBytes = false): void {
	const json = body && JSON.stringify(body);
	response.statusCode = status;
	if (json) response.setHeader('content-length', Buffer.byteLength(json));
	response.end(json && isBytes ? Buffer.from(json) : json);
}

const ACCEPTED = { status: 200, body: '{"message":"Received"}' };
const DEFERRED = { status: 503, body: '{"error":"Not accepted yet, send it again"}' };

interface Row {
	confirmWhen: ConfirmWhen;
	/** n8n's response. */
	status: number;
	message?: string;
	decision: Decision;
	/** The response that the sender gets. */
	sent: Received;
}

const NOTHING_RUN = 'Workflow executed successfully but no data was returned';

const ROWS: Row[] = [
	{
		confirmWhen: 'started',
		status: 200,
		message: 'Workflow was started',
		decision: 'accepted',
		sent: { status: 200, body: '{"message":"Workflow was started"}' },
	},
	{
		// The execution has failed, so it has started.
		confirmWhen: 'started',
		status: 500,
		message: 'Error in workflow',
		decision: 'accepted',
		sent: ACCEPTED,
	},
	{
		confirmWhen: 'started',
		status: 500,
		message: 'There was a problem executing the workflow',
		decision: 'deferred',
		sent: DEFERRED,
	},
	{
		confirmWhen: 'started',
		status: 404,
		message: 'Not registered',
		decision: 'deferred',
		sent: DEFERRED,
	},
	{
		confirmWhen: 'succeeded',
		status: 200,
		decision: 'accepted',
		sent: { status: 200, body: '' },
	},
	{
		confirmWhen: 'succeeded',
		status: 500,
		message: 'Error in workflow',
		decision: 'deferred',
		sent: DEFERRED,
	},
	{
		confirmWhen: 'succeeded',
		status: 200,
		message: NOTHING_RUN,
		decision: 'deferred',
		sent: DEFERRED,
	},
];

describe.each(ROWS)(
	'if an execution is to have $confirmWhen, a response $status $message of n8n',
	({ confirmWhen, status, message, decision, sent }) => {
		const body = message === undefined ? undefined : { message };

		it(`means ${decision}, and the sender gets ${sent.status}`, async () => {
			await serve(async (response, _hangUp, received) => {
				const { sender, responded } = follow(response, confirmWhen);
				answer(response, status, body);
				expect(await responded).toBe(decision);
				// The sender has its response already, so this does nothing.
				sender.defer();
				expect(await received).toEqual(sent);
			});
		});

		it(`means ${decision} also if the trigger has responded before`, async () => {
			await serve(async (response, _hangUp, received) => {
				const { sender, responded } = follow(response, confirmWhen);
				sender.accept();
				answer(response, status, body, true);
				expect(await responded).toBe(decision);
				expect(await received).toEqual(ACCEPTED);
			});
		});

		it(`means ${decision} also if the sender has hung up`, async () => {
			await serve(async (response, hangUp) => {
				const { responded } = follow(response, confirmWhen);
				await hangUp();
				answer(response, status, body);
				expect(await responded).toBe(decision);
			});
		});
	},
);

it('n8n may change the headers of a response that the trigger has made', async () => {
	await serve(async (response, _hangUp, received) => {
		const { sender, responded } = follow(response);
		sender.accept();
		await received;
		response.setHeader('x-n8n', 'yes');
		response.setHeaders(new Map([['x-n8n', 'yes']]));
		response.appendHeader('x-n8n', 'yes');
		response.removeHeader('content-type');
		answer(response, 500, { message: 'There was a problem executing the workflow' });
		expect(await responded).toBe('deferred');
	});
});
