import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NodeParameterValueType } from 'n8n-workflow';
import { to } from '../../oracle/document';
import { execute } from '../engine';
import { credentialsOf } from '../runOperation';
import { engine, gateway } from '../stage';

// Before a question is asked, those that are over are looked for among the webhooks that the gateway lists.

/** What n8n is asked of the executions behind URLs. All of them wait. */
const asked: string[] = [];
let n8n: Server;
let url: string;

beforeAll(async () => {
	n8n = createServer(({ url: path = '', headers }, response) => {
		// What the gateway delivers is signed, and may come when another test has begun.
		if (!('webhook-signature' in headers)) asked.push(path);
		response.writeHead(401).end('{}');
	}).listen(0, '127.0.0.1');
	await once(n8n, 'listening');
	url = `http://127.0.0.1:${(n8n.address() as AddressInfo).port}`;
});

beforeEach(() => void asked.splice(0));

afterEach(() => jest.restoreAllMocks());

afterAll(() => {
	n8n.close();
	n8n.closeAllConnections();
});

/** Asks somebody, through a gateway that lists these URLs as those of its webhooks. */
async function askBeside(urls: string[]): Promise<void> {
	gateway.faults.add({
		match: { method: 'GET', path: '/v1/webhooks' },
		fault: {
			status: 200,
			body: { data: urls.map((each, index) => ({ id: `wh_x${index}`, url: each })) },
		},
	});
	const parameters: Record<string, NodeParameterValueType> = {
		resource: 'message',
		operation: 'sendAndWait',
		to: to('phone', '5511900000001'),
		message: 'Shall we?',
	};
	const built = engine.build({
		nodes: [{ type: 'messagingGateway', parameters }],
		credentials: credentialsOf(gateway),
	});
	Object.assign(built.additionalData, { webhookWaitingBaseUrl: `${url}/webhook-waiting` });
	await execute(built, built.node(), [{ json: {} }], 'manual');
}

const question = (execution: number | string, until = Date.now() + 3_600_000) =>
	`${url}/webhook-waiting/${execution}/node?asked=5511900000001&until=${until}&signature=x`;

const countDeletions = () => gateway.requests.filter(({ method }) => method === 'DELETE').length;

it('of what the gateway lists, n8n is asked about nothing that could start a workflow', async () => {
	const waiting = question(7);
	await askBeside([
		waiting,
		question('pay').replace('/webhook-waiting/', '/webhook/'),
		question('rest').replace('/webhook-waiting/', '/'),
	]);
	expect(asked).toEqual([waiting.slice(url.length)]);
});

it('n8n is asked about no more than 50 at once, however many the gateway lists', async () => {
	await askBeside([...Array(3_000).keys()].map((index) => question(index)));
	expect(asked).toHaveLength(50);
	expect(gateway.acceptedSends()).toEqual([]);
});

it('those that are over are removed for 15 seconds and no longer, however slowly the gateway does it', async () => {
	let passed = 0;
	const began = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => began + passed);
	gateway.faults.add({
		match: { method: 'DELETE' },
		fault: { kind: 'slow', until: async () => await Promise.resolve((passed += 4_000)) },
		times: 'always',
	});
	await askBeside([...Array(50).keys()].map((index) => question(index, Date.now() - 3_600_000)));
	expect(countDeletions()).toBe(4);
	expect(gateway.acceptedSends()).toHaveLength(1);
});
