import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import type { WorkflowDraft } from '../../../host/api';
import type { Host } from '../../../host/host';
import { measureBulk, type BulkOptions } from '../../../tools/bench/bulk';
import { measureSending } from '../../../tools/bench/sending';

// What is counted of a bulk, beside an n8n and a gateway that have done as told.

interface Request {
	body: { to: string; text: string };
	startedAt: number;
	finishedAt: number;
}

let server: Server;
let url: string;
let posted: IDataObject[] = [];

beforeAll(async () => {
	server = createServer(async (request, response) => {
		({ items: posted } = JSON.parse((await request.toArray()).join('')) as {
			items: IDataObject[];
		});
		response.end();
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
	server.close();
	server.closeAllConnections();
});

/** A host at which executions take so long, or fail, and to whose gateway these requests come. */
function standHost(took: number[], requests: Request[] = [], error?: Error) {
	const drafts: WorkflowDraft[] = [];
	const ended = (executionTime: number) => ({
		data: { resultData: { runData: { Send: [{ executionTime, error }] } } },
	});
	const host = {
		n8n: { url, memory: () => 150 * 2 ** 20 },
		gateway: {
			url: 'http://gateway',
			instanceToken: 'svc_inst_1',
			requests: [] as Request[],
			acceptedSends: () => requests,
			reset: () => void (host.gateway.requests = [...requests]),
		},
		credentials: { instance: { id: '1', name: 'number', type: 'messagingGatewayInstanceApi' } },
		api: {
			createCredential: async () => ({ id: '2', name: 'Token', type: 'httpHeaderAuth' }),
			createWorkflow: async (draft: WorkflowDraft) => ({ id: String(drafts.push(draft)) }),
			publish: async () => {},
			listExecutions: async () => [{}],
			// One of before is there already.
			waitForExecutions: async (_id: string, count: number) => {
				expect(count).toBe(2);
				return [ended(1), ended(took.shift() ?? 0)];
			},
		},
	};
	return { host: host as unknown as Host, drafts };
}

const OPTIONS: BulkOptions = { messages: 100, recipients: 7, concurrency: 5 };
const request = (to: string, index: number, startedAt: number, finishedAt: number): Request => ({
	body: { to, text: `message ${index}` },
	startedAt,
	finishedAt,
});

it('counts requests for one recipient that overlap, and messages that left in the wrong order', async () => {
	const requests = [
		request('a', 2, 0, 10),
		request('a', 10, 10, 30),
		request('b', 1, 12, 20),
		request('a', 9, 20, 40),
		request('a', 1, 50, 60),
	];
	const { host } = standHost([70], requests);
	const started: IDataObject[][] = [];
	const start = async (items: IDataObject[]) => void started.push(items);
	const figures = await measureBulk(host, { id: '1', start }, OPTIONS);
	// 10 and 9 overlap; 10 left before 9, and 2, 10 and 9 before 1.
	expect(figures).toMatchObject({ time: 70, accepted: 5, overlaps: 1, swaps: 4 });
	expect(started).toHaveLength(1);
	expect(started[0].map(({ text }) => text)).toEqual(
		Array.from({ length: 100 }, (_, index) => `message ${index}`),
	);
	expect(new Set(started[0].map(({ to }) => to)).size).toBe(7);
	for (const { to } of started[0]) expect(to).toMatch(/^551190000000[0-6]$/);
});

it('the most memory of the whole time counts, and what there was before', async () => {
	const { host } = standHost([70]);
	const memory = jest.spyOn(host.n8n, 'memory').mockReturnValue(200);
	memory.mockReturnValueOnce(100).mockReturnValueOnce(300);
	// It begins when the measuring has looked three times.
	const start = async () => {
		while (memory.mock.calls.length < 3) await new Promise(setImmediate);
	};
	const { memory: found } = await measureBulk(host, { id: '1', start }, OPTIONS);
	expect(found).toEqual({ peak: 300, before: 100 });
});

it('a bulk that failed has no figures', async () => {
	const { host } = standHost([70], [], new Error('burnt'));
	const bulk = measureBulk(host, { id: '1', start: async () => {} }, OPTIONS);
	await expect(bulk).rejects.toThrow('did not come to its end');
});

it('sending stands beside the HTTP Request node and beside the limit, and its memory once, for the most', async () => {
	const { host, drafts } = standHost([60, 90, 400, 300]);
	const figures = await measureSending(host, [10, 1_010]);
	expect(
		figures.map(({ what, ours, other, unit, better }) => [what, ours, other.value, unit, better]),
	).toEqual([
		['10 messages, 20 at once', 60, 90, 'ms', 'less'],
		['10 messages, 20 at once', 60, 50, 'ms', 'less'],
		['1,010 messages, 20 at once', 400, 300, 'ms', 'less'],
		['1,010 messages, 20 at once', 400, 51 * 50, 'ms', 'less'],
		['memory at its highest, 1,010 messages', 150, 150, 'MB', 'less'],
	]);
	expect(posted).toHaveLength(1_010);
	const senders = drafts.map(({ nodes }) => nodes.at(-1)!);
	expect(senders[0].parameters).toMatchObject({ options: { concurrency: 20 } });
	expect(senders[1].parameters).toMatchObject({
		url: 'http://gateway/v1/messages/send-text',
		options: { batching: { batch: { batchSize: 20, batchInterval: 50 } } },
	});
});
