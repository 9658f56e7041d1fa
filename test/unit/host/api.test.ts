import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { N8nApi } from '../../../host/api';

// An n8n that lists executions in pages, as the real one does beyond a hundred.

let n8n: Server;
let api: N8nApi;
let pages: number[][] = [];

beforeAll(async () => {
	n8n = createServer(({ url }, response) => {
		const at = Number(/&cursor=(\d+)$/.exec(url ?? '')?.[1] ?? 0);
		const nextCursor = at + 1 < pages.length ? String(at + 1) : null;
		const results = pages[at].map((id) => ({ id: String(id), status: 'success' }));
		response
			.writeHead(200, { 'content-type': 'application/json' })
			.end(JSON.stringify({ data: { results, nextCursor } }));
	}).listen(0, '127.0.0.1');
	await once(n8n, 'listening');
	api = new N8nApi(`http://127.0.0.1:${(n8n.address() as AddressInfo).port}`);
});

afterAll(() => {
	n8n.close();
	n8n.closeAllConnections();
});

it('lists executions of all pages once, the newest first, whatever order n8n lists them in', async () => {
	pages = [
		[100, 9, 99],
		[99, 10, 8],
	];
	const ids = (await api.listExecutions('any')).map(({ id }) => id);
	expect(ids).toEqual(['100', '99', '10', '9', '8']);
});
